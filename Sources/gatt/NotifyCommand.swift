import ArgumentParser
import CommandLineSupport
import CoreBlueZ

/// `gatt notify`
struct NotifyCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "notify",
        abstract: "Prints the values that a characteristic notifies or indicates, as they come.",
        discussion: """
            Goes on until --count, --duration, Ctrl-C, or the end of the link (status 68).

            Examples:
              gatt notify Strap "heart rate measurement" --json
              gatt notify Button FFE1 --count 1 --duration 1h    status 75 where it was not pressed
            """)

    @Argument(help: .device, completion: .device)
    var device: String

    @Argument(help: .characteristic)
    var characteristic: String

    @Option(help: ArgumentHelp("End after so many values; status 75 where there were fewer.", valueName: "number"))
    var count: Int?

    @Option(help: ArgumentHelp("End after this time.", valueName: "time"))
    var duration: Seconds?

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: ValueOutputOptions

    var isStreaming: Bool { true }

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count takes a number from 1 on.") }
    }

    @BluetoothActor func run(in session: Session) async throws {
        let limit = TimeLimit(connection.timeout.duration)
        let peripheral = try await session.services(device, connection, limit)
        let characteristic = try CharacteristicMatch.find(characteristic, on: peripheral)
        let values = try await session.access("Subscribing to \(self.characteristic)", peripheral, limit) {
            try await characteristic.notifications(bufferingUpTo: 4096)
        }
        session.willNotify(characteristic)
        var received = 0
        let clock = duration.map { duration in
            Task { @BluetoothActor in
                if (try? await BluetoothActor.sleep(for: duration.duration)) != nil {
                    try? await characteristic.setNotifyValue(false)
                }
            }
        }
        defer { clock?.cancel() }
        for try await value in values {
            try output.write(value, of: .characteristic(characteristic), "notify", session)
            received += 1
            if received == count { return }
        }
        try Task.checkCancellation()
        guard let count, let duration else { return }
        throw CommandFailure(.timedOut, "Received \(received) of \(count) values within \(duration.duration)")
    }
}
