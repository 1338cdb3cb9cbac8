extension BluetoothUUID {
    /// Returns the UUID with its third and fourth bytes replaced by `offset`. Vendors number the attributes of a base
    /// UUID like this. `F0000000-0451-4000-B000-000000000000` with offset 0xAA01 is
    /// `F000AA01-0451-4000-B000-000000000000`.
    public func replacingShort(with offset: UInt16) -> BluetoothUUID {
        BluetoothUUID(high: high & 0xFFFF_0000_FFFF_FFFF | UInt64(offset) << 32, low: low)
    }

    /// Returns the UUID plus `offset`, added as 128-bit numbers, with carry. The sum wraps around.
    public func adding(_ offset: UInt64) -> BluetoothUUID {
        let (low, carries) = low.addingReportingOverflow(offset)
        return BluetoothUUID(high: carries ? high &+ 1 : high, low: low)
    }

    /// Returns the UUID with an offset in the third and fourth byte of a service's base. If the base is zero, the
    /// result is one that the Bluetooth SIG assigned.
    package func declaring(_ offset: UInt16) -> BluetoothUUID {
        isZero ? BluetoothUUID(offset) : replacingShort(with: offset)
    }

    /// Returns the UUID with an offset that is added to a service's base. If the base is zero, a result of up to 32
    /// bits is one that the Bluetooth SIG assigned.
    package func declaring(adding offset: UInt64) -> BluetoothUUID {
        isZero ? UInt32(exactly: offset).map { BluetoothUUID($0) } ?? adding(offset) : adding(offset)
    }

    private var isZero: Bool { high == 0 && low == 0 }
}
