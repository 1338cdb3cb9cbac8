import BlueZPrintableText
import BlueZScript
import BlueZSensorTag
import CoreBlueZ
import SensorTagProgram

extension TagSession {
    /// Connects and prepares the tag. The loss of the link ends the session with an error.
    func connect(_ tag: SensorTag) async throws {
        say("Connecting to \(tag.displayName.escapedForTerminal()) (\(tag.deviceText))...")
        tag.disconnectHandler = { [stopper] _, error in
            guard let error else { return }
            stopper.stop(.failed(CommandFailure(error)))
        }
        try await tag.connect()
        let generation = try await tag.prepare()
        let firmware = tag.firmware.map { ", firmware \($0)" } ?? ""
        say("Connected: \(generation) SensorTag\(firmware)")
    }

    /// Switches on those of the selected sensors that the tag has, with the requested periods.
    ///
    /// - Throws: `notFound` if the tag has none of them.
    func turnOn(
        _ chosen: SensorSelection,
        of tag: SensorTag,
        periods: [PeriodChoice] = [],
        report: @escaping @BluetoothActor (Report) -> Void
    ) async throws {
        let sensors = try chosen.sensors(of: tag, say: say)
        for sensor in sensors {
            guard !stopper.isStopped else { return }
            sensor.setShownReadingHandler {
                report($0.report)
            } failure: { [self] error in
                complain("\(error)")
            }
            if let barometer = sensor as? BarometerService, barometer.needsCalibration {
                say("Calibrating the barometer...")
                try await barometer.calibrate()
            }
            try await setPeriod(of: sensor, periods)
            try await sensor.turnOn()
        }
    }

    private func setPeriod(of sensor: SensorTagService, _ periods: [PeriodChoice]) async throws {
        guard let choice = periods.last(where: { $0.isFor(sensor.name) }) else { return }
        guard sensor.hasPeriod else {
            if choice.sensor != nil { say("This tag's \(sensor.name) sensor has no period to set") }
            return
        }
        let milliseconds = choice.milliseconds(within: sensor.periodLimits.allowed)
        if let wanted = choice.milliseconds, wanted != milliseconds {
            say("The period of the \(sensor.name) sensor is \(milliseconds) ms; it does not support \(wanted) ms")
        }
        try await sensor.setPeriod(milliseconds: milliseconds)
    }

    /// Switches all sensors off and disconnects the tags.
    ///
    /// - Returns: the failures, if any.
    func leave() async -> CommandFailure? {
        guard tags.contains(where: \.isConnected) else { return nil }
        say("Switching off...")
        let endings = tags.map { tag in
            Task { await tag.leave() }
        }
        var failure: CommandFailure?
        for ending in endings { failure = await failure.adding(ending.value) }
        return failure
    }
}
