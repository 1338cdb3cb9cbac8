// Written by vectors.py; change that and run it again.

extension ConversionVector {
    static let period: [ConversionVector] = [
        ConversionVector("00", [0.0]),
        ConversionVector("01", [10.0]),
        ConversionVector("0a", [100.0]),
        ConversionVector("1e", [300.0]),
        ConversionVector("50", [800.0]),
        ConversionVector("64", [1000.0]),
        ConversionVector("7f", [1270.0]),
        ConversionVector("80", [1280.0]),
        ConversionVector("c8", [2000.0]),
        ConversionVector("ff", [2550.0]),
    ]
}
