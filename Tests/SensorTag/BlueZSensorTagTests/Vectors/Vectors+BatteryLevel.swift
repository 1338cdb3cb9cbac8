// Written by vectors.py; change that and run it again.

extension ConversionVector {
    static let batteryLevel: [ConversionVector] = [
        ConversionVector("00", [0.0]),
        ConversionVector("01", [1.0]),
        ConversionVector("32", [50.0]),
        ConversionVector("63", [99.0]),
        ConversionVector("64", [100.0]),
        ConversionVector("65", [100.0]),
        ConversionVector("7f", [100.0]),
        ConversionVector("80", [100.0]),
        ConversionVector("ff", [100.0]),
    ]
}
