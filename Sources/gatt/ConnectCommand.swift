import ArgumentParser
import CoreBlueZ

/// `gatt connect`
struct ConnectCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect",
        abstract: "Connects a device and leaves it connected, which makes later commands faster.")

    @Argument(help: .device, completion: .device)
    var device: String

    @OptionGroup var connection: ConnectionOptions

    @BluetoothActor func run(in session: Session) async throws {
        let limit = TimeLimit(connection.timeout.duration)
        session.keep(try await session.services(device, connection, limit))
    }
}

/// `gatt disconnect`
struct DisconnectCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "disconnect",
        abstract: "Ends the link to a device, no matter who made it.")

    @Argument(help: .device, completion: .device)
    var device: String

    @OptionGroup var adapter: AdapterOptions

    @BluetoothActor func run(in session: Session) async throws {
        let peripheral = try await session.known(device, adapter)
        if peripheral.isConnected { try await peripheral.disconnect() }
    }
}
