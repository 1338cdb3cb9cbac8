import Testing

@testable import BlueZSensorTag

@Suite("The generation of a tag")
struct SensorTagGenerationTests {
    private static func full(_ short: String) -> String { "F000\(short)-0451-4000-B000-000000000000" }

    @Test(
        "Discovered services decide",
        arguments: [
            (["AA00", "AA80"], SensorTagGeneration.cc2650), (["AA80", "AA10"], .cc2650), (["AA10"], .cc2541),
            (["AA00", "AA30"], .cc2541), (["AA50"], .cc2541), (["AA00", "AA20", "AA40"], nil), ([], nil),
        ])
    func services(shorts: [String], expected: SensorTagGeneration?) {
        #expect(SensorTagGeneration(services: shorts.map(Self.full)) == expected)
        #expect(SensorTagGeneration(services: shorts.map { Self.full($0).lowercased() }) == expected)
    }

    @Test("The advertised 16-bit form of AA80 is another UUID than the service")
    func sigBaseIsNoService() {
        #expect(SensorTagGeneration(services: ["0000AA80-0000-1000-8000-00805F9B34FB"]) == nil)
    }

    @Test(
        "Names hint at the generation, with and without a NUL",
        arguments: [
            ("SensorTag", SensorTagGeneration.cc2541), ("TI BLE Sensor Tag", .cc2541), ("TI BLE Sensor Tag\0", .cc2541),
            ("CC2650 SensorTag", .cc2650), ("SensorTag 2.0", .cc2650), ("SensorTag2", .cc2650),
            ("SensorTag2.0", .cc2650),
            ("CC2650 SensorTag LED", .cc2650), ("CC1350 SensorTag", .cc2650), ("SensorTag 2.0\0", .cc2650),
            ("SensorTag 000001", nil),
            ("sensortag", nil),
            ("", nil), ("\0SensorTag", nil),
        ])
    func names(name: String, expected: SensorTagGeneration?) {
        let none: [String] = []
        #expect(SensorTagGeneration(name: name, services: none, manufacturerData: [:]) == expected)
    }

    @Test("No name and no data is not a SensorTag")
    func nothing() {
        let none: [String] = []
        #expect(SensorTagGeneration(name: nil, services: none, manufacturerData: [:]) == nil)
    }

    @Test(
        "Manufacturer data of Texas Instruments with device 3 is a CC2650, whatever its name",
        arguments: [
            (UInt16(0x000D), bytes("030000"), SensorTagGeneration.cc2650), (0x000D, bytes("030003"), .cc2650),
            (0x000D, bytes("02"), .cc2541), (0x000D, [], .cc2541), (0x004C, bytes("030000"), .cc2541),
        ])
    func manufacturerData(company: UInt16, data: [UInt8], expected: SensorTagGeneration) {
        let none: [String] = []
        let found = SensorTagGeneration(name: "SensorTag", services: none, manufacturerData: [company: data])
        #expect(found == expected)
    }

    @Test(
        "An advertised AA80 is a renamed CC2650",
        arguments: ["AA80", "aa80", "0000AA80-0000-1000-8000-00805F9B34FB", "f000aa80-0451-4000-b000-000000000000"])
    func advertisedService(uuid: String) {
        #expect(SensorTagGeneration(name: "Kitchen", services: ["180f", uuid], manufacturerData: [:]) == .cc2650)
    }

    @Test("Another advertised service says nothing")
    func otherService() {
        #expect(SensorTagGeneration(name: "Kitchen", services: ["180F"], manufacturerData: [:]) == nil)
    }

    @Test("A generation is called by its chip")
    func description() {
        #expect(SensorTagGeneration.allCases.map(\.description) == ["CC2541", "CC2650"])
    }
}
