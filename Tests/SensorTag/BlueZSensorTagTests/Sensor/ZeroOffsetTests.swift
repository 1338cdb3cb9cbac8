import Testing

@testable import BlueZSensorTag

@Suite("The zero point of magnetometer and gyroscope")
struct ZeroOffsetTests {
    let first = GyroscopeReading(x: 1, y: -2, z: 3)
    let second = GyroscopeReading(x: 1.5, y: -2, z: 2)

    @Test("Readings pass unchanged before a calibration")
    func unchanged() {
        var offset = ZeroOffset<GyroscopeReading>()
        let reading = offset.correct(first)
        #expect(reading == first)
        #expect(offset.offset == nil)
    }

    @Test("A calibration makes the latest reading zero")
    func calibrated() {
        var offset = ZeroOffset<GyroscopeReading>()
        _ = offset.correct(first)
        let calibrated = offset.calibrate()
        #expect(calibrated)
        let readings = [offset.correct(first), offset.correct(second)]
        #expect(readings == [GyroscopeReading(x: 0, y: 0, z: 0), GyroscopeReading(x: 0.5, y: 0, z: -1)])
    }

    @Test("A second calibration in the same position does not undo the first")
    func calibratedTwice() {
        var offset = ZeroOffset<GyroscopeReading>()
        _ = offset.correct(first)
        offset.calibrate()
        _ = offset.correct(first)
        offset.calibrate()
        #expect(offset.offset == first)
        let reading = offset.correct(first)
        #expect(reading == GyroscopeReading(x: 0, y: 0, z: 0))
    }

    @Test("A calibration without a reading changes nothing and says so")
    func nothingToCalibrate() {
        var offset = ZeroOffset<MagnetometerReading>()
        let calibrated = offset.calibrate()
        #expect(!calibrated)
        #expect(offset == ZeroOffset())
    }

    @Test("A reset forgets the offset and the reading")
    func reset() {
        var offset = ZeroOffset<GyroscopeReading>()
        _ = offset.correct(first)
        offset.calibrate()
        offset.reset()
        #expect(offset == ZeroOffset())
        let reading = offset.correct(second)
        #expect(reading == second)
    }

    @Test("The magnitude is the length of the vector")
    func magnitude() {
        #expect(AccelerometerReading(x: 2, y: -3, z: 6).magnitude == 7)
    }
}
