import Testing

@testable import BlueZAdvertisements

@Suite("The cryptography of advertisements")
struct CryptographyTests {
    @Test(
        "AES encrypts as in the appendices of FIPS 197",
        arguments: [
            // Appendix B.
            (
                "2b7e151628aed2a6abf7158809cf4f3c", "3243f6a8885a308d313198a2e0370734",
                "3925841d02dc09fbdc118597196a0b32"
            ),
            // Appendix C.1.
            (
                "000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff",
                "69c4e0d86a7b0430d8cdb78070b4c55a"
            ),
        ])
    func aes(key: String, block: String, encrypted: String) throws {
        let cipher = try #require(AES128(key: bytes(key)))
        #expect(cipher.encrypt(SIMD16(bytes(block))).bytes == bytes(encrypted))
    }

    @Test("The round keys are those of FIPS 197, appendix A.1")
    func roundKeys() throws {
        let cipher = try #require(AES128(key: bytes("2b7e151628aed2a6abf7158809cf4f3c")))
        #expect(cipher.roundKeys.count == 11)
        #expect(cipher.roundKeys[1].bytes == bytes("a0fafe1788542cb123a339392a6c7605"))
        #expect(cipher.roundKeys[10].bytes == bytes("d014f9a8c9ee2589e13f0cc8b6630ca6"))
    }

    @Test("The substitution is a permutation that maps 53 to ed, as in FIPS 197, 5.1.1")
    func substitution() {
        #expect(Set(AES128.substitution).count == 256)
        #expect(AES128.substitution[0x53] == 0xED)
        #expect(AES128.substitution[0] == 0x63)
    }

    @Test("A key has 16 bytes", arguments: [0, 15, 17])
    func keyLength(count: Int) {
        #expect(AES128(key: [UInt8](repeating: 1, count: count)) == nil)
    }

    /// SP 800-38C, examples 1 to 3, with the key 40 to 4f.
    static let examples = [
        (4, "10111213141516", "0001020304050607", "20212223", "7162015b4dac255d"),
        (
            6, "1011121314151617", "000102030405060708090a0b0c0d0e0f", "202122232425262728292a2b2c2d2e2f",
            "d2a1f0e051ea5f62081a7792073d593d1fc64fbfaccd"
        ),
        (
            8, "101112131415161718191a1b", "000102030405060708090a0b0c0d0e0f10111213",
            "202122232425262728292a2b2c2d2e2f3031323334353637",
            "e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5484392fbc1b09951"
        ),
    ]

    @Test("CCM encrypts and decrypts as in SP 800-38C, and finds every changed bit", arguments: examples)
    func ccm(tagLength: Int, nonce: String, associatedData: String, plaintext: String, sealed: String) throws {
        let cipher = try #require(AES128(key: bytes("404142434445464748494a4b4c4d4e4f")))
        let mode = try #require(CCM(cipher, tagLength: tagLength))
        let (nonce, data) = (bytes(nonce), bytes(associatedData))
        #expect(mode.seal(bytes(plaintext), nonce: nonce, authenticating: data) == bytes(sealed))
        #expect(mode.open(bytes(sealed), nonce: nonce, authenticating: data) == bytes(plaintext))
        for bit in 0..<bytes(sealed).count * 8 {
            var changed = bytes(sealed)
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(mode.open(changed, nonce: nonce, authenticating: data) == nil)
        }
        #expect(mode.open(bytes(sealed), nonce: nonce, authenticating: data + [0]) == nil)
    }

    @Test("CCM refuses lengths that it can't have")
    func ccmLengths() throws {
        let cipher = AES128(key: SIMD16())
        for length in [0, 2, 5, 18] { #expect(CCM(cipher, tagLength: length) == nil) }
        let mode = try #require(CCM(cipher))
        for count in [0, 6, 14] { #expect(mode.seal([1], nonce: [UInt8](repeating: 0, count: count)) == nil) }
        let nonce = [UInt8](repeating: 0, count: 13)
        #expect(mode.seal([UInt8](repeating: 0, count: 65536), nonce: nonce) == nil)
        #expect(mode.seal([], nonce: nonce, authenticating: [UInt8](repeating: 0, count: 0xFF00)) == nil)
        #expect(mode.open([1, 2, 3], nonce: nonce) == nil)
        #expect(mode.open(try #require(mode.seal([], nonce: nonce)), nonce: nonce) == [])
    }

    @Test("A private address is resolved by its key, as in the Core Specification, volume 3, part H, D.7")
    func resolving() throws {
        let key = try #require(AES128(key: bytes("ec0234a357c8ad05341010a60a397d9b")))
        #expect(BluetoothAddress.hash(key, bytes("708194")) == bytes("0dfbaa"))
        #expect(try #require(BluetoothAddress("70:81:94:0D:FB:AA")).isResolved(by: key))
        for other in ["70:81:94:0D:FB:AB", "70:81:95:0D:FB:AA"] {
            #expect(try #require(BluetoothAddress(other)).isResolved(by: key) == false)
        }
        let notPrivate = bytes("f08194") + BluetoothAddress.hash(key, bytes("f08194"))
        #expect(try #require(BluetoothAddress(bytes: notPrivate)).isResolved(by: key) == false)
    }

    @Test(
        "Only addresses with 01 in their upper bits are resolvable",
        arguments: [("3F", false), ("40", true), ("80", false)])
    func resolvable(first: String, expected: Bool) throws {
        let address = try #require(BluetoothAddress("\(first):00:00:00:00:00"))
        #expect(address.isResolvable == expected)
        #expect(BluetoothAddress(bytes: address.bytes) == address)
        #expect(BluetoothAddress(bytes: [1, 2, 3, 4, 5]) == nil)
    }
}
