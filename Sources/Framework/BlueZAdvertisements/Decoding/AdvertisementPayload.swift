/// One payload of an advertisement, and what is needed to decode it.
public struct AdvertisementPayload: Sendable {
    /// Where the payload is in the advertisement.
    public let source: AdvertisementSource
    /// The payload, without the number of the company or service.
    public let bytes: [UInt8]
    /// The device's address, if it is known.
    public let address: BluetoothAddress?
    /// The device's name, if it is known.
    public let name: String?
    private let keys: AdvertisementKeys

    init(
        _ source: AdvertisementSource, _ bytes: [UInt8], address: BluetoothAddress?, name: String?,
        keys: AdvertisementKeys
    ) {
        self.source = source
        self.bytes = bytes
        self.address = address
        self.name = name
        self.keys = keys
    }

    /// Decrypts bytes that end with a check value of four bytes, with CCM and the device's bind key.
    ///
    /// - Parameters:
    ///   - sealed: the encrypted bytes with the check value at their end.
    ///   - nonce: 7 to 13 bytes.
    ///   - associatedData: what the check value covers besides.
    /// - Throws: `AdvertisementProblem.encrypted` if the device has no key of 16 bytes, and `.wrongKey` if the check value
    ///   isn't that of its key.
    public func decrypt(
        _ sealed: [UInt8], nonce: [UInt8], authenticating associatedData: [UInt8] = []
    ) throws(AdvertisementProblem) -> [UInt8] {
        guard let mode = CCM(try cipher(try bindKey(size: 16))) else { throw .encrypted }
        guard let bytes = mode.open(sealed, nonce: nonce, authenticating: associatedData) else { throw .wrongKey }
        return bytes
    }

    /// The device's bind key of this size, or the problem that there is none.
    func bindKey(size: Int) throws(AdvertisementProblem) -> [UInt8] {
        guard let key = keys.bindKey(of: address, name: name), key.count == size else { throw .encrypted }
        return key
    }

    /// The cipher with a key of 16 bytes.
    func cipher(_ key: [UInt8]) throws(AdvertisementProblem) -> any BlockCipher {
        guard let block = SIMD16(exactly: key) else { throw .encrypted }
        return keys.cipher.init(key: block)
    }

    /// The bytes of the device's address, or the problem that it isn't known.
    func addressBytes() throws(AdvertisementProblem) -> [UInt8] {
        guard let address else { throw .addressNeeded }
        return address.bytes
    }
}
