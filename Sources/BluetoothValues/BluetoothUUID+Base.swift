extension BluetoothUUID {
    /// The UUID with its third and fourth bytes replaced by `offset`: how vendors number the attributes of one base
    /// address. `F0000000-0451-4000-B000-000000000000` with offset 0xAA01 is `F000AA01-0451-4000-B000-000000000000`.
    public func replacingShort(with offset: UInt16) -> BluetoothUUID {
        BluetoothUUID(high: high & 0xFFFF_0000_FFFF_FFFF | UInt64(offset) << 32, low: low)
    }

    /// The UUID plus `offset`, added as 128-bit numbers, with carry; the sum wraps around.
    public func adding(_ offset: UInt64) -> BluetoothUUID {
        let (low, carries) = low.addingReportingOverflow(offset)
        return BluetoothUUID(high: carries ? high &+ 1 : high, low: low)
    }

    /// The UUID at an offset in the third and fourth byte of a service's base. On a base of zero it is the SIG's.
    package func declaring(_ offset: UInt16) -> BluetoothUUID {
        isZero ? BluetoothUUID(offset) : replacingShort(with: offset)
    }

    /// The UUID at an offset that is added to a service's base. On a base of zero, one of up to 32 bits is the SIG's.
    package func declaring(adding offset: UInt64) -> BluetoothUUID {
        isZero ? UInt32(exactly: offset).map { BluetoothUUID($0) } ?? adding(offset) : adding(offset)
    }

    private var isZero: Bool { high == 0 && low == 0 }
}
