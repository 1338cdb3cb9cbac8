/// A cipher with keys and blocks of 128 bits, in the encrypting direction, which is all that advertisements need.
///
/// `AES128` is one. Conform to this protocol to use that of another library, and set `AdvertisementKeys.cipher`.
public protocol BlockCipher: Sendable {
    /// Creates the cipher with a key, whose first byte is the most significant one of the specifications.
    init(key: SIMD16<UInt8>)

    /// Returns the encrypted block.
    func encrypt(_ block: SIMD16<UInt8>) -> SIMD16<UInt8>
}

extension BlockCipher {
    /// Creates the cipher with the bytes of a key; nil if they aren't 16.
    public init?(key: some Collection<UInt8>) {
        guard let block = SIMD16(exactly: key) else { return nil }
        self.init(key: block)
    }
}

extension SIMD16<UInt8> {
    /// Creates a block of these bytes; nil if they aren't 16.
    init?(exactly bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self.init(bytes)
    }

    /// Creates a block that begins with these bytes, at most 16, and ends with zeros.
    init(padding bytes: some Sequence<UInt8>) {
        self.init()
        for (index, byte) in zip(indices, bytes) { self[index] = byte }
    }

    /// The bytes of the block.
    var bytes: [UInt8] { indices.map { self[$0] } }
}
