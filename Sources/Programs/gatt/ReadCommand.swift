import ArgumentParser
import CoreBlueZ

/// `gatt read`
struct ReadCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Reads a characteristic or a descriptor.",
        discussion: """
            Examples:
              gatt read Thermometer "battery level" --format u8
              gatt read BC:6A:29:AB:CD:EF 180A/2A26 -f utf8
              gatt read Thermometer @0x0025 --format raw > value.bin
              gatt read Thermometer 2A6E/2901 -f utf8    a descriptor
            """)

    @Argument(help: .device, completion: .device)
    var device: String

    @Argument(help: .attribute)
    var characteristic: String

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: ValueOutputOptions

    @BluetoothActor func run(in session: Session) async throws {
        let peripheral = try await session.services(device, connection)
        let attribute = try await Attribute.find(characteristic, for: .reading, on: peripheral)
        try attribute.check(.reading)
        let value = try await session.access("Reading \(characteristic)", peripheral) {
            try await attribute.read()
        }
        try output.write(value, of: attribute, "read", session)
    }
}
