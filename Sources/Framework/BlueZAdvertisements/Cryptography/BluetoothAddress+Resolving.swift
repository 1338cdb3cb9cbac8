extension BluetoothAddress {
    /// Whether a random address of this form is a resolvable private one, which its two upper bits indicate (Core
    /// Specification, volume 6, part B, 1.3.2.2).
    public var isResolvable: Bool { bytes[0] >> 6 == 0b01 }

    /// Returns whether the device that has a key made this private address, which changes from time to time.
    ///
    /// Its upper three bytes are random, the lower three their hash. One in 16 million addresses of other devices has
    /// the same.
    ///
    /// - Parameter key: the cipher with the device's Identity Resolving Key (IRK).
    public func isResolved(by key: any BlockCipher) -> Bool {
        let bytes = bytes
        return isResolvable && Self.hash(key, Array(bytes.prefix(3))) == Array(bytes.suffix(3))
    }

    /// The random address hash function `ah` (Core Specification, volume 3, part H, 2.2.2): the last three bytes of the
    /// encrypted number, which has three bytes.
    static func hash(_ key: any BlockCipher, _ number: [UInt8]) -> [UInt8] {
        key.encrypt(SIMD16(padding: [UInt8](repeating: 0, count: 13) + number)).bytes.suffix(3)
    }
}
