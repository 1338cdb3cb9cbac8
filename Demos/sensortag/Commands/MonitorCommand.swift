import ArgumentParser
import CommandLineSupport
import CoreBlueZ
import SensorTag

/// One live screen.
struct MonitorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitor",
        abstract: "Show all sensors live on one screen.",
        discussion: """
            Each row has a sensor's values, a graph of the last minute and the age of the last reading. The graph shows the \
            first value of the row, or the length of the vector of a sensor with three axes. Where the output is no \
            terminal, a line is printed for each reading instead.

            When the link is lost, the monitor says so, connects again, and switches the sensors on that were on. The signal \
            strength is that of the tag's last advertisement: a connected tag sends none.

            Keys:
              1 2 3 ...   switch the sensor of the row on or off
              c           calibrate: what magnetometer and gyroscope measure now
                          becomes zero, and the barometer's calibration is read
                          again (CC2541; the CC2650 needs none); only offered
                          while one of these sensors is on
              q, Ctrl-C   switch everything off, disconnect and quit

            A terminal of 73 columns shows everything; on a smaller one, the last line but one says what is hidden. While the \
            monitor switches off, it takes no keys but Ctrl-C.

            Colours are left out where the environment variable NO_COLOR is set.

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
    @OptionGroup var duration: DurationOptions

    func run() async throws {
        if TerminalScreen.isAvailable { try TerminalScreen.silenceLog(isTraced: device.tag.trace) }
        let chosen = SensorSelection(sensors.sensors, otherwise: [.all])
        try await perform { () async throws(CommandFailure) in
            let session = Session(device.selected)
            try await session.run { bus in
                let finder = TagFinder(session.options, bus: bus) { session.say($0) }
                guard let tag = await session.interruptibly({ try await finder.find() }) else { return }
                let monitor = MonitorSession(session, chosen, finder, tag)
                if TerminalScreen.isAvailable {
                    await show(monitor, rssi: finder.rssi)
                } else {
                    await printLines(monitor)
                }
            }
        }
    }

    @BluetoothActor private func show(_ monitor: MonitorSession, rssi: Int?) async {
        let session = monitor.session
        let view = ScreenView()
        view.found(monitor.tag, rssi: rssi)
        session.say = { view.notice($0) }
        session.complain = { view.notice($0) }
        let screen: TerminalScreen
        do throws(CommandFailure) {
            screen = try TerminalScreen({ view.lines($0) }, failed: { session.outputFailed($0) })
        } catch {
            return session.stopper.stop(.failed(error))
        }
        screen.keyHandler = { key in
            // A sensor that was switched on now would remain on after the command's end.
            guard !session.stopper.isStopped else { return }
            switch key {
            case "q", "Q": session.stopper.stop(.finished)
            case "c", "C":
                guard view.canCalibrate else { return }
                Task { await monitor.calibrate() }
            default:
                guard let sensor = view.sensor(for: key) else { return }
                Task { await monitor.toggle(sensor) }
            }
        }
        session.stopper.whenStopped { view.linkChanged(.ending) }
        await run(monitor, in: view)
        screen.close()
    }

    @BluetoothActor private func printLines(_ monitor: MonitorSession) async {
        let session = monitor.session
        do throws(CommandFailure) {
            let writer = try ReportWriter(.text) { session.outputFailed($0) }
            await run(monitor, in: LinesView(writer))
        } catch {
            session.stopper.stop(.failed(error))
        }
    }

    @BluetoothActor private func run(_ monitor: MonitorSession, in view: any MonitorView) async {
        let session = monitor.session
        if let limit = duration.duration {
            let timer = Task {
                try await Task.sleep(for: .seconds(limit))
                session.stopper.stop(.finished)
            }
            session.stopper.whenStopped { timer.cancel() }
        }
        view.linkChanged(.connecting)
        await session.using(monitor.tag) { try await monitor.run(in: view) }
    }
}
