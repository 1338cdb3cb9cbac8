import CoreBlueZ
import Testing

@testable import BlueZSensorTag

@Suite("Keys, LEDs and buzzer", .timeLimit(.minutes(10)))
struct KeysAndOutputsTests {
    @Test(
        "Bit 0 is the left key, bit 1 the right one, bit 2 the third; others are no keys",
        arguments: [
            (0, []), (1, .left), (2, .right), (3, [.left, .right]), (4, .side),
            (4, .reedRelay),
            (7, [.left, .right, .side]), (0x80, []),
            (0xFF, [.left, .right, .reedRelay]),
        ] as [(UInt8, SimpleKeys)])
    func keyBits(byte: UInt8, expected: SimpleKeys) throws {
        #expect(try SimpleKeys(from: [byte]) == expected)
    }

    @Test("Keys are read without a configuration, and releasing them is a reading")
    func keys() async throws {
        try await FakeTagFixture.run { fixture in
            let received = Received<SimpleKeys>()
            fixture.tag.keys.readingHandler = received.take
            try await fixture.tag.keys.turnOn()
            await fixture.notify("ffe1", [3])
            await fixture.notify("ffe1", [0])
            try await fixture.wait { received.count == 2 }
            #expect(received.values == [[.left, .right], []])
        }
    }

    @Test("No byte sets an output beyond the buzzer, least of all bit 3", arguments: UInt8.min...UInt8.max)
    func anyOutputs(byte: UInt8) {
        let outputs = IOOutputs(rawValue: byte)
        #expect(outputs.rawValue == byte & 0b111)
        #expect(outputs.union(IOOutputs(rawValue: ~byte)).rawValue & 0b1000 == 0)
    }

    @Test("The outputs have their bits")
    func outputBits() {
        #expect(IOOutputs.redLED.rawValue == 1)
        #expect(IOOutputs.greenLED.rawValue == 2)
        #expect(IOOutputs.buzzer.rawValue == 4)
    }

    @Test("The IO mode is 0, 1 or 2", arguments: UInt8.min...UInt8.max)
    func mode(byte: UInt8) throws {
        switch byte {
        case 0: #expect(try IOMode(from: [byte]) == .local)
        case 1: #expect(try IOMode(from: [byte]) == .remote)
        case 2: #expect(try IOMode(from: [byte]) == .selfTest)
        default:
            #expect(throws: SensorTagDataError.unknownValue(.ioMode, byte)) { try IOMode(from: [byte]) }
        }
    }

    @Test("Outputs are cleared before the tag is put into remote mode")
    func outputs() async throws {
        try await FakeTagFixture.run(.cc2650(firmware: "1.50 (x)")) { fixture in
            let mark = await fixture.mark()
            try await fixture.tag.io.setOutputs([.redLED, .buzzer])
            try await fixture.tag.io.setOutputs(.greenLED)
            try await fixture.tag.io.releaseOutputs()
            #expect(
                await fixture.log(after: mark) == [
                    "write aa65 00", "write aa66 01", "write aa65 05", "write aa65 02", "write aa65 00",
                    "write aa66 00",
                ])
        }
    }
}
