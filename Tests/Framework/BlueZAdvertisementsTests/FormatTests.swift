import BlueZPrintableText
import Testing

@testable import BlueZAdvertisements

extension Vector {
    static let all = btHome + ruuvi + ruuviFields + beacons + eddystone + miBeacon + miBeaconObjects + atc + named
}

@Suite("The formats of advertisements")
struct FormatTests {
    @Test("BTHome v2", arguments: Vector.btHome)
    func btHome(vector: Vector) throws { try vector.check() }

    @Test("RuuviTag 3 and 5, Ruuvi 6 and E1", arguments: Vector.ruuvi + Vector.ruuviFields)
    func ruuvi(vector: Vector) throws { try vector.check() }

    @Test("iBeacon and AltBeacon", arguments: Vector.beacons)
    func beacons(vector: Vector) throws { try vector.check() }

    @Test("Eddystone", arguments: Vector.eddystone)
    func eddystone(vector: Vector) throws { try vector.check() }

    @Test("MiBeacon", arguments: Vector.miBeacon)
    func miBeacon(vector: Vector) throws { try vector.check() }

    @Test("The objects that MiBeacon defines", arguments: Vector.miBeaconObjects)
    func miBeaconObjects(vector: Vector) throws { try vector.check() }

    @Test("ATC, encrypted as the code of pvvx does it")
    func encryptedATC() throws {
        let address = try #require(BluetoothAddress("A4:C1:38:8D:18:B2"))
        let key = "b9ea895fac7eea6d30532432a516f3a3"
        let cipher = try #require(AES128(key: bytes(key)))
        // The length of the structure, its type, the service and the counter.
        let nonce = address.bytes.reversed() + bytes("0b161a1811")
        // 61 means -9.5 °C; the upper bit of the battery is the output.
        let sealed = try #require(CCM(cipher)?.seal([61, 91, 0x80 | 87], nonce: nonce, authenticating: [0x11]))
        try Vector.atc(
            "custom_beacon.c", "11" + String(hexadecimal: sealed), "ATC",
            "temperature -9.5 °C, humidity 45.5 %, battery 87 %", counter: 0x11,
            address: address.description, key: key
        ).check()
    }

    @Test("ATC and pvvx", arguments: Vector.atc)
    func atc(vector: Vector) throws { try vector.check() }

    @Test("Formats by name", arguments: Vector.named)
    func named(vector: Vector) throws { try vector.check() }

    @Test("What makers don't publish is called reverse-engineered")
    func reverseEngineered() throws {
        for vector in Vector.all {
            let part = try #require(try vector.decoded().parts.last)
            let isExpected = ["MiBeacon", "ATC", "pvvx"].contains(part.format) || part.format.hasPrefix("Apple ")
            #expect(part.isReverseEngineered == isExpected, "\(vector.testDescription)")
        }
    }
}
