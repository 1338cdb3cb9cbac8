import Testing

@testable import SensorTag

@Suite("Keys, outputs and other bits")
struct KeysAndOutputsTests {
    @Test(
        "Bit 0 is the left key, bit 1 the right one, bit 2 the third; others are no keys",
        arguments: [
            (0, []), (1, .left), (2, .right), (3, [.left, .right]), (4, .side),
            (4, .reedRelay),
            (7, [.left, .right, .side]), (0x80, []),
            (0xFF, [.left, .right, .reedRelay]),
        ] as [(UInt8, SimpleKeys)])
    func keys(byte: UInt8, expected: SimpleKeys) throws {
        #expect(try SimpleKeys(from: [byte]) == expected)
    }

    @Test("No byte sets an output beyond the buzzer, least of all bit 3", arguments: UInt8.min...UInt8.max)
    func outputs(byte: UInt8) {
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

    @Test(
        "The self-test of the CC2541 has a bit a sensor",
        arguments: [
            ("3f00", CC2541SelfTest.all), ("0100", .temperature), ("0200", .humidity), ("0400", .magnetometer),
            ("0800", .accelerometer), ("1000", .barometer), ("2000", .gyroscope), ("0000", []),
        ] as [(String, CC2541SelfTest)])
    func oldSelfTest(payload: String, expected: CC2541SelfTest) throws {
        #expect(try CC2541SelfTest(from: bytes(payload)) == expected)
    }

    @Test(
        "The self-test of the CC2650 has a bit a part",
        arguments: [
            (0x7F, CC2650SelfTest.all), (1, .temperature), (2, .humidity), (4, .optical), (8, .barometer),
            (16, .movement), (32, .magnetometer), (64, .flash), (0, []),
        ] as [(UInt8, CC2650SelfTest)])
    func newSelfTest(byte: UInt8, expected: CC2650SelfTest) throws {
        #expect(try CC2650SelfTest(from: [byte]) == expected)
    }

    @Test(
        "A configuration byte reads as off, on or failed",
        arguments: [
            (0, SensorConfiguration.off), (1, .on(1)), (7, .on(7)), (0xFE, .on(0xFE)), (0xFF, .failed),
        ] as [(UInt8, SensorConfiguration)])
    func configuration(byte: UInt8, expected: SensorConfiguration) throws {
        #expect(try SensorConfiguration(from: [byte]) == expected)
    }

    @Test("All axes of the gyroscope are 7")
    func gyroscopeAxes() {
        #expect(IMU3000.Axes.all.rawValue == 7)
        #expect([IMU3000.Axes.x, .y, .z].map(\.rawValue) == [1, 2, 4])
    }
}
