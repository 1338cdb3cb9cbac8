import FoundationEssentials

extension Data {
    /// Returns the value as an integer, least significant byte first, as in GATT. The length must be that of the
    /// integer.
    ///
    /// - Throws: `BluetoothError.Code.invalidData` for any other length.
    public func littleEndian<Integer: FixedWidthInteger>(
        as type: Integer.Type = Integer.self
    ) throws(BluetoothError) -> Integer {
        try integer(from: reversed())
    }

    /// Returns the value as an integer, most significant byte first. The length must be that of the integer.
    ///
    /// - Throws: `BluetoothError.Code.invalidData` for any other length.
    public func bigEndian<Integer: FixedWidthInteger>(
        as type: Integer.Type = Integer.self
    ) throws(BluetoothError) -> Integer {
        try integer(from: Array(self))
    }

    private func integer<Integer: FixedWidthInteger>(from bytes: [UInt8]) throws(BluetoothError) -> Integer {
        guard bytes.count * 8 == Integer.bitWidth else {
            let expected = Integer.bitWidth / 8
            throw BluetoothError(
                .invalidData, "The value has \(bytes.count) bytes, but \(Integer.self) has \(expected)")
        }
        // A shift by the whole width results in zero, so one byte needs no special case.
        return bytes.reduce(0) { $0 << 8 | Integer(truncatingIfNeeded: $1) }
    }
}

extension UInt16 {
    /// Creates a number from two bytes.
    public init(lowByte: UInt8, highByte: UInt8) {
        self = UInt16(highByte) << 8 | UInt16(lowByte)
    }
}
