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
            if let period = period(of: sensor, periods) { try await sensor.setPeriod(milliseconds: period) }
            try await sensor.turnOn()
        }
    }

    /// The requested period in milliseconds, within the sensor's limits; nil if there is none to set.
    private func period(of sensor: SensorTagService, _ periods: [PeriodChoice]) -> Int? {
        guard let choice = periods.last(where: { $0.isFor(sensor.name) }) else { return nil }
        guard sensor.hasPeriod else {
            if choice.sensor != nil { say("This tag's \(sensor.name) sensor has no period to set") }
            return nil
        }
        let milliseconds = choice.milliseconds(within: sensor.periodLimits.allowed)
        if let wanted = choice.milliseconds, wanted != milliseconds {
            say("The period of the \(sensor.name) sensor is \(milliseconds) ms; it does not support \(wanted) ms")
        }
        return milliseconds
    }

    /// A connection that keeps those of the selected sensors on that the tag has, with the requested periods.
    func connection(to tag: SensorTag, _ chosen: SensorSelection, _ periods: [PeriodChoice]) -> TagConnection {
        let connection = TagConnection(
            tag, until: stopper,
            choosing: { [self] tag throws(CommandFailure) in
                if let index = tags.firstIndex(where: { $0.address == tag.address }) { tags[index] = tag }
                return try chosen.sensors(of: tag, say: say)
            })
        connection.firstPeriod = { [self] in period(of: $0, periods) }
        return connection
    }

    /// Keeps connected tags connected until the session ends.
    ///
    /// - Parameters:
    ///   - view: returns what shows the next tag.
    ///   - begin: called once, after the sensors of all tags were switched on.
    func keepConnected(
        _ tags: [SensorTag], _ chosen: SensorSelection, _ periods: [PeriodChoice],
        in view: @BluetoothActor () -> any TagView,
        begin: @escaping @BluetoothActor () -> Void
    ) async throws {
        var missing = Set(tags.map(\.deviceText))
        try await withThrowingTaskGroup { group in
            for tag in tags {
                // A loss is no longer the end.
                tag.disconnectHandler = nil
                let (connection, view, device) = (connection(to: tag, chosen, periods), view(), tag.deviceText)
                connection.setUpHandler = {
                    if missing.remove(device) != nil, missing.isEmpty { begin() }
                }
                group.addTask { try await connection.run(in: view) }
            }
            try await group.waitForAll()
        }
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
