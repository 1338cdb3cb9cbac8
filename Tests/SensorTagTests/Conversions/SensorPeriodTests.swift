import Testing

@testable import SensorTag

@Suite("The period of a sensor")
struct SensorPeriodTests {
    @Test(
        "Milliseconds become steps of 10 ms, rounded to the nearest",
        arguments: [
            (100, UInt8(10)), (104, 10), (105, 11), (1000, 100), (1280, 128), (2000, 200), (2544, 254), (2545, 255),
            (2550, 255),
        ])
    func encoded(milliseconds: Int, byte: UInt8) throws {
        #expect(try SensorPeriod(milliseconds: milliseconds, limits: .standard).byte == byte)
    }

    @Test(
        "A period outside of the limits is an error", arguments: [Int.min, -10, 0, 1, 99, 2551, 2560, 65536, Int.max])
    func refused(milliseconds: Int) {
        for limits in [SensorPeriod.Limits.standard, .temperature, .magnetometer, .optical] {
            let error = SensorTagDataError.periodOutOfRange(milliseconds: milliseconds, allowed: limits.allowed)
            #expect(throws: error) { try SensorPeriod(milliseconds: milliseconds, limits: limits) }
        }
    }

    @Test("The IR thermometer needs 300 ms")
    func temperature() throws {
        #expect(try SensorPeriod(milliseconds: 300, limits: .temperature).byte == 30)
        #expect(throws: SensorTagDataError.periodOutOfRange(milliseconds: 299, allowed: 300...2550)) {
            try SensorPeriod(milliseconds: 299, limits: .temperature)
        }
    }

    @Test("The defaults are those of the firmware")
    func defaults() {
        let limits: [SensorPeriod.Limits] = [.standard, .temperature, .magnetometer, .optical]
        #expect(limits.map(\.defaultMilliseconds) == [1000, 1000, 2000, 800])
    }

    @Test("Two seconds are read as two seconds, not as a negative number")
    func unsigned() throws {
        #expect(try SensorPeriod(from: [0xC8]).milliseconds == 2000)
    }
}
