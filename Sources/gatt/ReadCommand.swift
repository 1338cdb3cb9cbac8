import ArgumentParser
import CoreBlueZ

/// `gatt read`
struct ReadCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Reads a characteristic.",
        discussion: """
            Examples:
              gatt read Thermometer "battery level" --format u8
              gatt read BC:6A:29:AB:CD:EF 180A/2A26 -f utf8
              gatt read Thermometer @0x0025 --format raw > value.bin
            """)

    @Argument(help: .device, completion: .device)
    var device: String

    @Argument(help: .characteristic)
    var characteristic: String

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: ValueOutputOptions

    @BluetoothActor func run(in session: Session) async throws {
        let limit = TimeLimit(connection.timeout.duration)
        let peripheral = try await session.services(device, connection, limit)
        let characteristic = try CharacteristicMatch.find(characteristic, on: peripheral)
        let value = try await session.access("Reading \(self.characteristic)", peripheral, limit) {
            try await characteristic.readValue()
        }
        try output.write(value, of: characteristic, "read", session)
    }
}
