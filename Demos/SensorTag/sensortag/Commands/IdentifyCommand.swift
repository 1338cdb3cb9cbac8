import ArgumentParser
import BlueZPrintableText
import BlueZScript
import BlueZSensorTag
import CoreBlueZ
import SensorTagProgram

/// `sensortag identify`: switches a tag's LEDs and buzzer on and off.
struct IdentifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identify",
        abstract: "Makes a tag blink and beep, so that you can find it.",
        discussion: """
            A CC2650 blinks red and green alternately, and beeps at each change. A CC2541 does not let programs use \
            its LED or its buzzer: the status is then 69.

            Examples:
              sensortag identify B0:B4:48:AB:CD:EF
              sensortag identify --quiet --duration 60
              sensortag identify --simulate=cc2650

            \(ExitStatus.manual)
            """
    )

    @OptionGroup var device: DeviceOptions

    @Flag(help: "Uses the LEDs only.")
    var quiet = false

    @Option(help: ArgumentHelp("How long to blink.", valueName: "time"), transform: Duration.init(typed:))
    var duration = Duration.seconds(5)

    private static let half = Duration.milliseconds(400)
    private static let beep = Duration.milliseconds(100)

    func validate() throws {
        guard duration > .zero else { throw ValidationError("Give --duration more than 0 seconds") }
    }

    func run() async throws {
        try await perform {
            let session = TagSession(device.selected)
            try await session.runWithTag { tag in
                guard tag.io.isDiscovered else {
                    let generation = tag.generation?.description ?? "tag"
                    throw CommandFailure(
                        .unavailable,
                        """
                        This \(generation) does not let programs use its LED or its buzzer. Recognize it by its keys \
                        instead: sensortag monitor \(tag.deviceText) --sensor keys
                        """)
                }
                session.say("Blinking for \(duration.roundedText)...")
                let result = await Self.result { try await blink(tag.io, session.stopper) }
                // After a failure too, the outputs must be off and returned to the tag.
                if tag.isConnected { try await tag.io.releaseOutputs() }
                try result.get()
            }
        }
    }

    @BluetoothActor private func blink(_ io: IOService, _ stopper: Stopper) async throws {
        let end = ContinuousClock.now + duration
        var led = IOOutputs.redLED
        while ContinuousClock.now < end, !stopper.isStopped {
            if !quiet {
                try await io.setOutputs([led, .buzzer])
                try await Task.sleep(for: Self.beep)
            }
            try await io.setOutputs(led)
            try await Task.sleep(for: quiet ? Self.half : Self.half - Self.beep)
            led = led == .redLED ? .greenLED : .redLED
        }
    }

    @BluetoothActor private static func result(
        _ body: @BluetoothActor () async throws -> Void
    ) async -> Result<Void, any Error> {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
}
