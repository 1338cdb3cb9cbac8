import Testing

@testable import BlueZAdvertisements

extension Vector {
    static let all = btHome + ruuvi + ruuviFields + beacons + eddystone + named
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
