import BlueZSimulator

extension SensorTagModel {
    /// The sensors, in the order of the attribute table.
    var designs: [SensorDesign] { isFirstGeneration ? firstGeneration : Self.secondGeneration }

    /// Firmware 1.3 has a period for the accelerometer and the magnetometer only, and forgets it when they are turned
    /// off.
    private var firstGeneration: [SensorDesign] {
        let isOld = !isRecentCC2541
        func period(_ number: UInt16) -> UInt16? { isOld ? nil : number }
        return [
            SensorDesign(
                service: 0xAA00, name: "IR Temp.", length: 4, period: period(0xAA03), minimumPeriod: 30,
                isSlowToStart: true),
            SensorDesign(service: 0xAA10, name: "Accel.", length: 3, period: 0xAA13, forgetsPeriod: isOld),
            SensorDesign(
                service: 0xAA20, name: "Humid.", length: 4, period: period(0xAA23), measuring: .milliseconds(40)),
            SensorDesign(
                service: 0xAA30, name: "Magnet.", length: 6, period: 0xAA33, defaultPeriod: 200, forgetsPeriod: isOld),
            SensorDesign(
                service: 0xAA40, name: "Barometer", length: 4, period: period(0xAA44), calibration: 0xAA43,
                measuring: .milliseconds(80)),
            SensorDesign(service: 0xAA50, name: "Gyro", length: 6, period: period(0xAA53)),
        ]
    }

    private static let secondGeneration = [
        SensorDesign(
            service: 0xAA00, name: "IR Temp.", length: 4, period: 0xAA03, minimumPeriod: 30, isSlowToStart: true),
        SensorDesign(service: 0xAA20, name: "Humid.", length: 4, period: 0xAA23),
        SensorDesign(service: 0xAA40, name: "Barometer", length: 6, period: 0xAA44),
        SensorDesign(service: 0xAA70, name: "Light", length: 2, period: 0xAA73, defaultPeriod: 80),
        SensorDesign(
            service: 0xAA80, name: "Movement", length: 18, period: 0xAA83,
            initialConfiguration: MovementSensor.initialConfiguration, clearsOnConfiguration: true),
    ]

    /// The sensors of a tag.
    @SimulatorActor func sensors(of tag: SimulatedSensorTag) -> [Sensor] {
        designs.compactMap { design in
            switch (design.service, isFirstGeneration) {
            case (0xAA00, true): InfraredSensor(design, of: tag)
            case (0xAA10, true): AccelerometerSensor(design, of: tag)
            case (0xAA20, true): HumiditySensor(design, of: tag)
            case (0xAA30, true): MagnetometerSensor(design, of: tag)
            case (0xAA40, true): BarometerSensor(design, of: tag)
            case (0xAA50, true): GyroscopeSensor(design, of: tag)
            case (0xAA00, false): InfraredSensor2(design, of: tag)
            case (0xAA20, false): HumiditySensor2(design, of: tag)
            case (0xAA40, false): BarometerSensor2(design, of: tag)
            case (0xAA70, false): OpticalSensor(design, of: tag)
            case (0xAA80, false): MovementSensor(design, of: tag)
            default: nil
            }
        }
    }
}
