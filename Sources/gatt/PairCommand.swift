import ArgumentParser
import CoreBlueZ

/// `gatt pair`
struct PairCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Pairs with a device; connects first if there is no link.",
        discussion: """
            On a terminal it asks for the device's passkey, or whether the device shows the same number, or shows the \
            passkey to type on the device. Elsewhere it pairs without questions ("Just Works"), and refuses \
            devices that want more.
            """)

    @Argument(help: .device, completion: .device)
    var device: String

    @OptionGroup var connection: ConnectionOptions

    @BluetoothActor func run(in session: Session) async throws {
        var connection = connection
        connection.pair = true
        _ = try await session.connect(device, connection, TimeLimit(connection.timeout.duration))
    }
}

/// `gatt unpair`
struct UnpairCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpair",
        abstract: "Makes BlueZ forget a device: its pairing, its link, and everything known about it.")

    @Argument(help: .device, completion: .device)
    var device: String

    @OptionGroup var adapter: AdapterOptions

    @BluetoothActor func run(in session: Session) async throws {
        let peripheral = try await session.known(device, adapter)
        try await peripheral.central?.forgetPeripheral(peripheral)
    }
}

/// `gatt trust`
struct TrustCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Lets a device connect and use services without being asked about.")

    @Argument(help: .device, completion: .device)
    var device: String

    @Flag(help: "Withdraw the trust.")
    var off = false

    @Option(help: ArgumentHelp("How long to look for a device that BlueZ does not know.", valueName: "time"))
    var timeout = Seconds(45)

    @OptionGroup var adapter: AdapterOptions

    @BluetoothActor func run(in session: Session) async throws {
        let peripheral = try await session.find(device, adapter, TimeLimit(timeout.duration))
        try await peripheral.setTrusted(!off)
    }
}
