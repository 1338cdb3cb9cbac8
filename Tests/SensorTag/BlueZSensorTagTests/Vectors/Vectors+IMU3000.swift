// Written by vectors.py; change that and run it again.

extension ConversionVector {
    static let imu3000: [ConversionVector] = [
        ConversionVector("e8ff25ffe9ff", [-0.18310546875, -1.67083740234375, -0.17547607421875]),
        ConversionVector("0000ffff0000", [0.0, -0.00762939453125, 0.0]),
        ConversionVector("0100feff0000", [0.00762939453125, -0.0152587890625, 0.0]),
        ConversionVector("ffff00000000", [-0.00762939453125, 0.0, 0.0]),
        ConversionVector("0200fdff0000", [0.0152587890625, -0.02288818359375, 0.0]),
        ConversionVector("0300fcff0000", [0.02288818359375, -0.030517578125, 0.0]),
        ConversionVector("0400fbff0000", [0.030517578125, -0.03814697265625, 0.0]),
        ConversionVector("7f0080ff0000", [0.96893310546875, -0.9765625, 0.0]),
        ConversionVector("80007fff0000", [0.9765625, -0.98419189453125, 0.0]),
        ConversionVector("ff0000ff0000", [1.94549560546875, -1.953125, 0.0]),
        ConversionVector("0001fffe0000", [1.953125, -1.96075439453125, 0.0]),
        ConversionVector("80ff7f000000", [-0.9765625, 0.96893310546875, 0.0]),
        ConversionVector("7fff80000000", [-0.98419189453125, 0.9765625, 0.0]),
        ConversionVector("00ffff000000", [-1.953125, 1.94549560546875, 0.0]),
        ConversionVector("ff7f00800000", [249.99237060546875, -250.0, 0.0]),
        ConversionVector("0080ff7f0000", [-250.0, 249.99237060546875, 0.0]),
        ConversionVector("e0d7ffb11e20", [-78.369140625, -152.35137939453125, 62.7288818359375]),
        ConversionVector("9137ddc6e133", [108.52813720703125, -111.59515380859375, 101.32598876953125]),
        ConversionVector("3e1ae085b809", [51.2542724609375, -238.525390625, 18.98193359375]),
        ConversionVector("ae0f922865cf", [30.6243896484375, 79.2388916015625, -94.93255615234375]),
        ConversionVector("cb42b9c23cef", [130.45501708984375, -119.68231201171875, -32.745361328125]),
        ConversionVector("f16e5f8ff390", [216.68243408203125, -219.97833251953125, -216.89605712890625]),
        ConversionVector("21d418ee3007", [-85.68572998046875, -34.97314453125, 14.0380859375]),
        ConversionVector("83993e7f8636", [-200.17242431640625, 248.5198974609375, 106.4910888671875]),
    ]
}
