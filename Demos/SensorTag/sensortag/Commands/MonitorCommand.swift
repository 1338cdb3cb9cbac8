import ArgumentParser
import BlueZScript
import BlueZSensorTag
import CoreBlueZ
import SensorTagProgram

/// `sensortag monitor`: shows all sensors on a live screen.
struct MonitorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitor",
        abstract: "Shows all sensors live on one screen.",
        discussion: """
            Each row shows a sensor's values, a graph of the last minute and the age of the last reading. The graph \
            shows the first value of the row, or the length of the vector of a sensor with three axes. If the output \
            is not a terminal, the command prints one line per reading instead.

            When the link is lost, the monitor reports it, reconnects, and switches on the sensors that were on. The \
            signal strength is that of the tag's last advertisement: a connected tag does not advertise.

            Keys:
              1 2 3 ...   switches the sensor of the row on or off
              c           calibrates: makes the current values of magnetometer and
                          gyroscope zero, and reads the barometer's calibration
                          again. Available on a CC2541 while one of these sensors
                          is on; a CC2650 needs no calibration
              m g b       calibrates only the magnetometer, the gyroscope or the
                          barometer
              q           switches all sensors off, disconnects and quits
              Ctrl-C      does the same, with status 130

            A terminal of 73 columns shows everything. On a smaller one, the last line but one reports what is hidden. \
            While the monitor switches the sensors off, it accepts no key except Ctrl-C.

            If the environment variable NO_COLOR is set, the monitor uses no colours.

            Examples:
              sensortag monitor --simulate
              sensortag monitor --simulate=cc2650
              sensortag monitor BC:6A:29:AB:CD:EF
              sensortag monitor "My tag" --sensor keys --sensor barometer

            \(ExitStatus.manual)
            """
    )

    @OptionGroup var device: DeviceOptions
    @OptionGroup var sensors: SensorOptions
    @OptionGroup var periods: PeriodOptions
    @OptionGroup var duration: DurationOptions

    func run() async throws {
        if TerminalScreen.isAvailable { try TerminalScreen.silenceLog(isTraced: device.tag.trace) }
        let chosen = SensorSelection(sensors.sensors, otherwise: [.all])
        try await perform {
            let session = TagSession(device.selected)
            try await session.run { bus in
                let finder = TagFinder(session.options, bus: bus) { session.say($0) }
                guard let tag = await session.interruptibly({ try await finder.find() }) else { return }
                let connection = session.connection(to: tag, chosen, periods.periods)
                if TerminalScreen.isAvailable {
                    await show(connection, of: session) { finder.rssi }
                } else {
                    await printLines(connection, of: session)
                }
            }
        }
    }

    @BluetoothActor private func show(
        _ connection: TagConnection, of session: TagSession, signalStrength: @escaping @BluetoothActor () -> Int?
    ) async {
        let view = ScreenView(signalStrength: signalStrength)
        view.found(connection.tag)
        session.say = { view.notice($0) }
        session.complain = { view.notice($0) }
        Messages.hold()
        defer { Messages.release() }
        let screen: TerminalScreen
        do throws(CommandFailure) {
            screen = try TerminalScreen({ view.lines($0) }, failed: { session.outputFailed($0) })
        } catch {
            return session.stopper.stop(.failed(error))
        }
        screen.keyHandler = { key in
            // A sensor that is switched on now would stay on after the command.
            guard !session.stopper.isStopped else { return }
            switch key {
            case "q", "Q": session.stopper.stop(.finished)
            case "c", "C":
                guard view.canCalibrate else { return }
                Task { await calibrate(nil, connection, view) }
            case "m", "M": Task { await calibrate(connection.tag.magnetometer, connection, view) }
            case "g", "G": Task { await calibrate(connection.tag.gyroscope, connection, view) }
            case "b", "B": Task { await calibrate(connection.tag.barometer, connection, view) }
            default:
                guard let sensor = view.sensor(for: key) else { return }
                Task { await connection.toggle(sensor) }
            }
        }
        session.stopper.whenStopped { view.linkChanged(.ending) }
        await run(connection, of: session, in: view)
        screen.close()
    }

    @BluetoothActor private func calibrate(
        _ sensor: SensorTagService?, _ connection: TagConnection, _ view: ScreenView
    ) async {
        do throws(BluetoothError) {
            let done = try await connection.calibrate(sensor?.name)
            view.notice(
                done.isEmpty ? "There is nothing to calibrate now." : "Calibrated: \(done.joined(separator: ", ")).")
        } catch {
            view.notice(error.message)
        }
    }

    @BluetoothActor private func printLines(_ connection: TagConnection, of session: TagSession) async {
        do throws(CommandFailure) {
            let writer = try ReportWriter(.text) { session.outputFailed($0) }
            await run(connection, of: session, in: LinesView(writer) { Messages.error($0.message) })
        } catch {
            session.stopper.stop(.failed(error))
        }
    }

    @BluetoothActor private func run(_ connection: TagConnection, of session: TagSession, in view: any TagView) async {
        session.stop(after: duration.duration)
        view.linkChanged(.connecting)
        await session.using([connection.tag]) { try await connection.run(in: view) }
    }
}
