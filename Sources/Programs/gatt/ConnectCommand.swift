import ArgumentParser
import CoreBlueZ

/// `gatt connect`
struct ConnectCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect",
        abstract: "Connects a device and leaves it connected, so that later commands are faster.",
        discussion: """
            gatt disconnect ends the link. Until then, DEVICE means this device, even if BlueZ replaces the name that \
            it advertised by the one that it reads from the device.

            Example:
              gatt connect Thermometer
            """)

    @Argument(help: .device, completion: .device)
    var device: String

    @OptionGroup var connection: ConnectionOptions

    @BluetoothActor func run(in session: Session) async throws {
        session.keep(try await session.services(device, connection), as: device)
    }
}

/// `gatt disconnect`
struct DisconnectCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "disconnect",
        abstract: "Ends the link to a device, no matter which program made it.",
        discussion: """
            BlueZ must know the device; otherwise the status is 66. The beginning of a name or address is not enough.

            Example:
              gatt disconnect Thermometer
            """)

    @Argument(help: .knownDevice, completion: .device)
    var device: String

    @OptionGroup var adapter: AdapterOptions

    @BluetoothActor func run(in session: Session) async throws {
        let peripheral = try await session.known(device, adapter)
        if peripheral.isConnected { try await peripheral.disconnect() }
    }
}
