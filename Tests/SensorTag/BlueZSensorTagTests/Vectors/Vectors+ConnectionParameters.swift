// Written by vectors.py; change that and run it again.

extension ConversionVector {
    static let connectionParameters: [ConversionVector] = [
        ConversionVector("060000000a00", [7.5, 0.0, 100.0]),
        ConversionVector("50000000e803", [100.0, 0.0, 10000.0]),
        ConversionVector("000000000000", [0.0, 0.0, 0.0]),
        ConversionVector("ffffffffffff", [81918.75, 65535.0, 655350.0]),
        ConversionVector("000101000001", [320.0, 1.0, 2560.0]),
        ConversionVector("f901c100e60a", [631.25, 193.0, 27900.0]),
        ConversionVector("5a02a7010e07", [752.5, 423.0, 18060.0]),
        ConversionVector("b20a1b015c0c", [3422.5, 283.0, 31640.0]),
        ConversionVector("9c03c801a700", [1155.0, 456.0, 1670.0]),
        ConversionVector("8f095f00a902", [3058.75, 95.0, 6810.0]),
    ]
}
