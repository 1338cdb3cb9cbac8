// Written by vectors.py; change that and run it again.

extension ConversionVector {
    static let mag3110: [ConversionVector] = [
        ConversionVector("79f77c07e704", [-66.619873046875, 58.4716796875, 38.299560546875]),
        ConversionVector("0000ffff0000", [0.0, -0.030517578125, 0.0]),
        ConversionVector("0100feff0000", [0.030517578125, -0.06103515625, 0.0]),
        ConversionVector("ffff00000000", [-0.030517578125, 0.0, 0.0]),
        ConversionVector("0200fdff0000", [0.06103515625, -0.091552734375, 0.0]),
        ConversionVector("0300fcff0000", [0.091552734375, -0.1220703125, 0.0]),
        ConversionVector("0400fbff0000", [0.1220703125, -0.152587890625, 0.0]),
        ConversionVector("7f0080ff0000", [3.875732421875, -3.90625, 0.0]),
        ConversionVector("80007fff0000", [3.90625, -3.936767578125, 0.0]),
        ConversionVector("ff0000ff0000", [7.781982421875, -7.8125, 0.0]),
        ConversionVector("0001fffe0000", [7.8125, -7.843017578125, 0.0]),
        ConversionVector("80ff7f000000", [-3.90625, 3.875732421875, 0.0]),
        ConversionVector("7fff80000000", [-3.936767578125, 3.90625, 0.0]),
        ConversionVector("00ffff000000", [-7.8125, 7.781982421875, 0.0]),
        ConversionVector("ff7f00800000", [999.969482421875, -1000.0, 0.0]),
        ConversionVector("0080ff7f0000", [-1000.0, 999.969482421875, 0.0]),
        ConversionVector("04d5e4711302", [-335.8154296875, 889.7705078125, 16.204833984375]),
        ConversionVector("f3b9743866e0", [-547.271728515625, 441.0400390625, -246.88720703125]),
        ConversionVector("36bad19619fe", [-545.22705078125, -821.746826171875, -14.862060546875]),
        ConversionVector("1c75388565de", [914.9169921875, -959.228515625, -262.542724609375]),
        ConversionVector("05a6bed9965b", [-702.972412109375, -298.88916015625, 715.51513671875]),
        ConversionVector("645cf1646096", [721.8017578125, 788.604736328125, -825.1953125]),
        ConversionVector("0dda0d2797f4", [-296.478271484375, 305.084228515625, -89.141845703125]),
        ConversionVector("a0318d500077", [387.6953125, 629.302978515625, 929.6875]),
    ]
}
