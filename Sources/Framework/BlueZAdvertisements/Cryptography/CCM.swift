/// Counter with CBC-MAC (NIST SP 800-38C): encryption with a check value, which sensors use for their advertisements.
public struct CCM: Sendable {
    private let cipher: any BlockCipher
    private let tagLength: Int

    /// Creates the mode for a key.
    ///
    /// - Parameters:
    ///   - cipher: the cipher with the key.
    ///   - tagLength: the number of bytes of the check value: 4, 6, 8, 10, 12, 14 or 16. Nil for any other.
    public init?(_ cipher: any BlockCipher, tagLength: Int = 4) {
        guard (4...16).contains(tagLength), tagLength % 2 == 0 else { return nil }
        self.cipher = cipher
        self.tagLength = tagLength
    }

    /// Encrypts bytes, and appends their check value.
    ///
    /// - Parameters:
    ///   - plaintext: the bytes; with a nonce of 13 bytes, less than 65536.
    ///   - nonce: 7 to 13 bytes that occur once with this key.
    ///   - associatedData: less than 65280 bytes that the check value covers and that aren't sent.
    /// - Returns: the encrypted bytes with the check value at their end; nil if a length isn't possible.
    public func seal(
        _ plaintext: [UInt8], nonce: [UInt8], authenticating associatedData: [UInt8] = []
    ) -> [UInt8]? {
        guard let tag = tag(of: plaintext, nonce, associatedData), let encrypted = crypt(plaintext, nonce: nonce)
        else { return nil }
        return encrypted + tag
    }

    /// Decrypts bytes, and compares their check value in a time that doesn't depend on where it differs.
    ///
    /// - Parameters:
    ///   - sealed: the encrypted bytes with the check value at their end.
    ///   - nonce: 7 to 13 bytes, as when they were encrypted.
    ///   - associatedData: what the check value covers besides, as when they were encrypted.
    /// - Returns: the bytes; nil if the check value is wrong, or a length isn't possible.
    public func open(_ sealed: [UInt8], nonce: [UInt8], authenticating associatedData: [UInt8] = []) -> [UInt8]? {
        guard sealed.count >= tagLength, let plaintext = crypt(Array(sealed.dropLast(tagLength)), nonce: nonce),
            let tag = tag(of: plaintext, nonce, associatedData)
        else { return nil }
        var difference: UInt8 = 0
        for (ours, theirs) in zip(tag, sealed.suffix(tagLength)) { difference |= ours ^ theirs }
        return difference == 0 ? plaintext : nil
    }

    /// Encrypts or decrypts bytes without a check value; nil if a length isn't possible.
    func crypt(_ bytes: [UInt8], nonce: [UInt8]) -> [UInt8]? {
        guard Self.isPossible(bytes.count, nonce) else { return nil }
        var result = bytes
        for start in stride(from: 0, to: bytes.count, by: 16) {
            let keystream = keystream(start / 16 + 1, nonce)
            for index in start..<min(start + 16, bytes.count) { result[index] ^= keystream[index - start] }
        }
        return result
    }

    /// The encrypted check value; nil if a length isn't possible (SP 800-38C, 6.1 and appendix A).
    private func tag(of plaintext: [UInt8], _ nonce: [UInt8], _ associatedData: [UInt8]) -> ArraySlice<UInt8>? {
        guard Self.isPossible(plaintext.count, nonce), associatedData.count < 0xFF00 else { return nil }
        let flags = (associatedData.isEmpty ? 0 : 0x40) + (tagLength - 2) / 2 * 8
        var sum = cipher.encrypt(Self.block(flags, nonce, number: plaintext.count))
        if !associatedData.isEmpty {
            let length = [UInt8(associatedData.count >> 8), UInt8(associatedData.count & 0xFF)]
            add(length + associatedData, to: &sum)
        }
        add(plaintext, to: &sum)
        return (sum ^ keystream(0, nonce)).bytes.prefix(tagLength)
    }

    private func add(_ bytes: [UInt8], to sum: inout SIMD16<UInt8>) {
        for start in stride(from: 0, to: bytes.count, by: 16) {
            sum = cipher.encrypt(sum ^ SIMD16(padding: bytes[start...].prefix(16)))
        }
    }

    private func keystream(_ counter: Int, _ nonce: [UInt8]) -> SIMD16<UInt8> {
        cipher.encrypt(Self.block(0, nonce, number: counter))
    }

    /// A block of flags, the nonce, and a number in what is left, whose size less one the flags end with.
    private static func block(_ flags: Int, _ nonce: [UInt8], number: Int) -> SIMD16<UInt8> {
        let size = 15 - nonce.count
        var block = SIMD16(padding: [UInt8(truncatingIfNeeded: flags + size - 1)] + nonce)
        for place in 0..<min(size, 8) { block[15 - place] = UInt8(truncatingIfNeeded: number >> (8 * place)) }
        return block
    }

    private static func isPossible(_ count: Int, _ nonce: [UInt8]) -> Bool {
        (7...13).contains(nonce.count) && count >> (8 * (15 - nonce.count)) == 0
    }
}
