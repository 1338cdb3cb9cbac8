import Testing

@testable import BlueZAdvertisements

@Suite("The keys of advertisements")
struct AdvertisementKeysTests {
    private let text = """
        # Comments and empty lines are left out.

        \ta4:c1:38:8d:18:b2  bindkey\t231d39c1d7cc1ab1aee224cd096db932
        living room bindkey b853075158487ca39a5b5ea9
        watch irk EC0234A357C8AD05341010A60A397D9B
        C0-FF-EE-00-11-22 irk 000102030405060708090a0b0c0d0e0f
        """

    @Test("A file has bind keys by address or name, and keys that resolve addresses", arguments: ["\n", "\r\n"])
    func file(newline: String) throws {
        let keys = try AdvertisementKeys(text: text.split(separator: "\n").joined(separator: newline))
        let key = bytes("231d39c1d7cc1ab1aee224cd096db932")
        #expect(keys.bindKey(of: BluetoothAddress("A4:C1:38:8D:18:B2")) == key)
        #expect(keys.bindKey(of: BluetoothAddress("A4:C1:38:8D:18:B3")) == nil)
        #expect(keys.bindKey(of: nil, name: "living room")?.count == 12)
        #expect(keys.bindKey(of: nil, name: "room") == nil)
        #expect(keys.identity(of: try #require(BluetoothAddress("70:81:94:0D:FB:AA"))) == "watch")
        #expect(keys.identity(of: try #require(BluetoothAddress("70:81:94:0D:FB:AB"))) == nil)
        let other = try #require(AES128(key: bytes("000102030405060708090a0b0c0d0e0f")))
        let address = bytes("400000") + BluetoothAddress.hash(other, bytes("400000"))
        #expect(keys.identity(of: try #require(BluetoothAddress(bytes: address))) == "C0:FF:EE:00:11:22")
    }

    @Test(
        "A wrong line is an error with its number, and without the key",
        arguments: [
            ("a4:c1:38:8d:18:b2 231d39c1d7cc1ab1aee224cd096db932", "Line 2 of the keys needs a device"),
            ("device password 231d39c1d7cc1ab1aee224cd096db932", "Line 2 of the keys has another kind"),
            ("device bindkey 231d39c1d7cc1ab1aee224cd096db9", "Line 2 of the keys needs 32"),
            ("device bindkey 231d39c1d7cc1ab1aee224cd096db93g", "Line 2 of the keys needs 32"),
            ("device irk b853075158487ca39a5b5ea9", "Line 2 of the keys needs 32"),
        ])
    func wrong(line: String, message: String) throws {
        let error = #expect(throws: AdvertisementKeysError.self) {
            try AdvertisementKeys(text: "#\n\(line)\ndevice bindkey b853075158487ca39a5b5ea9\n")
        }
        #expect(error?.line == 2)
        #expect(error?.description.hasPrefix(message) == true && error?.description.contains("231d") == false)
    }
}
