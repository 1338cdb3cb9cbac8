import BlueZSimulator
import Testing

@testable import CoreBluetooth

/// The identifiers of peripherals.
@Suite struct IdentifierTests {
    // The examples of FIPS 180-4, and the edges of its blocks, as sha1sum has them.
    @Test(
        "The digest is SHA-1",
        arguments: [
            ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ),
            (String(repeating: "a", count: 55), "c1c8bbdc22796e28c0e15163d20899b65621d65a"),
            (String(repeating: "a", count: 64), "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
        ])
    func digest(text: String, digest: String) {
        let bytes = SHA1.digest(Array(text.utf8))
        #expect(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == digest)
    }

    @Test("An identifier is a UUID of version 5 that both addresses determine")
    func identifiers() throws {
        let adapter = try #require(BluetoothAddress("00:AA:01:00:00:42"))
        let device = try #require(BluetoothAddress("BC:6A:29:00:00:01"))
        let identifier = PeripheralIdentifier.make(adapter: adapter, device: device)
        #expect(identifier.uuid.6 >> 4 == 5 && identifier.uuid.8 >> 6 == 0b10)
        #expect(PeripheralIdentifier.make(adapter: adapter, device: device) == identifier)
        #expect(PeripheralIdentifier.make(adapter: device, device: device) != identifier)
        #expect(PeripheralIdentifier.make(adapter: adapter, device: adapter) != identifier)
        #expect(PeripheralIdentifier.make(adapter: nil, device: device) != identifier)
    }
}
