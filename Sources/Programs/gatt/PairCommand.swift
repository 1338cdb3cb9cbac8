import ArgumentParser
import CoreBlueZ

/// `gatt pair`
struct PairCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Pairs with a device, and connects it first if there is no link.",
        discussion: """
            On a terminal, the command asks for the passkey that the device shows, asks whether the device shows the \
            same number, or shows the passkey to type on the device. Without a terminal, it pairs without questions \
            ("Just Works") and refuses devices that require more.

            If a command such as gatt read fails because the device is not paired, give it the option --pair.

            Examples:
              gatt pair Lock
              gatt pair BC:6A:29:AB:CD:EF --timeout 2m
            """)

    @Argument(help: .device, completion: .device)
    var device: String

    @OptionGroup var connection: ConnectionOptions

    @BluetoothActor func run(in session: Session) async throws {
        var connection = connection
        connection.pair = true
        _ = try await session.connect(device, connection)
    }
}

/// `gatt unpair`
struct UnpairCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpair",
        abstract: "Removes a device from BlueZ: its pairing, its link, and everything known about it.",
        discussion: """
            BlueZ must know the device; otherwise the status is 66. The beginning of a name or address is not enough.

            Example:
              gatt unpair Lock
            """)

    @Argument(help: .knownDevice, completion: .device)
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
        abstract: "Lets a device connect and use services without authorization.",
        discussion: """
            Examples:
              gatt trust Keyboard
              gatt trust Keyboard --off
            """)

    @Argument(help: .device, completion: .device)
    var device: String

    @Flag(help: "Withdraws the trust.")
    var off = false

    @Option(
        help: ArgumentHelp("How long to scan for a device that BlueZ does not know.", valueName: "time"),
        transform: Duration.init(typed:))
    var timeout = Duration.seconds(45)

    @OptionGroup var adapter: AdapterOptions

    @BluetoothActor func run(in session: Session) async throws {
        let peripheral = try await session.find(device, adapter, within: timeout)
        try await peripheral.setTrusted(!off)
    }
}
