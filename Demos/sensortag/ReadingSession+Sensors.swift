import CoreBlueZ
import SensorTag

extension ReadingSession {
    /// Switches the chosen sensors on, as far as the tag has them.
    func turnOn(_ tag: SensorTag) async throws {
        var isAnyOn = false
        for sensor in tag.sensors where isChosen(sensor) {
            guard !stopper.isStopped else { return }
            guard sensor.isDiscovered else {
                if !options.sensors.contains(.all) { Progress.say("This tag has no \(sensor.name) sensor.") }
                continue
            }
            report(sensor)
            if let barometer = sensor as? BarometerService, barometer.needsCalibration {
                Progress.say("Calibrating the barometer...")
                try await barometer.calibrate()
            }
            try await sensor.turnOn()
            isAnyOn = true
        }
        guard isAnyOn else { throw CommandFailure(.notFound, "This tag has none of the sensors that were asked for") }
    }

    /// Switches all sensors off and disconnects, whatever state they are in.
    func leave(_ tag: SensorTag) async {
        guard tag.isConnected else { return }
        Progress.say("Switching off...")
        for sensor in tag.sensors where sensor.isOn {
            do throws(BluetoothError) {
                try await sensor.turnOff()
            } catch {
                Progress.error("\(error)")
            }
        }
        do throws(BluetoothError) {
            try await tag.disconnect()
        } catch {
            Progress.error("\(error)")
        }
    }

    private func isChosen(_ sensor: SensorTagService) -> Bool {
        if options.sensors.contains(.all) { return SensorChoice(rawValue: sensor.name) != nil }
        return options.sensors.contains { $0.rawValue == sensor.name }
    }

    private func report(_ sensor: SensorTagService) {
        switch sensor {
        case let sensor as TemperatureService: sensor.readingHandler = handler { Report($0) }
        case let sensor as HumidityService: sensor.readingHandler = handler { Report($0) }
        case let sensor as BarometerService: sensor.readingHandler = handler { Report($0) }
        case let sensor as AccelerometerService: sensor.readingHandler = handler { Report($0) }
        case let sensor as MagnetometerService: sensor.readingHandler = handler { Report($0) }
        case let sensor as GyroscopeService: sensor.readingHandler = handler { Report($0) }
        case let sensor as MovementService: sensor.readingHandler = handler { Report($0) }
        case let sensor as OpticalService: sensor.readingHandler = handler { Report($0) }
        case let sensor as SimpleKeysService: sensor.readingHandler = handler { Report($0) }
        case let sensor as BatteryService: sensor.readingHandler = handler { Report($0) }
        default: break
        }
    }

    /// The end of the link is told once, by the tag's own handler.
    private func handler<Reading>(
        _ report: @escaping @BluetoothActor (Reading) -> Report
    ) -> @BluetoothActor (Reading?, BluetoothError?) -> Void {
        { [weak self] reading, error in
            if let reading { self?.write(report(reading)) }
            if let error, error.code != .disconnected { Progress.error("\(error)") }
        }
    }
}
