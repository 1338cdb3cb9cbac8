import ArgumentParser
import CoreBlueZ

/// Selects an adapter.
struct AdapterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The adapter: its name (hci0) or its address. The default is the first one that is on.",
            valueName: "adapter"))
    var adapter: String?

    @Flag(help: .trace)
    var trace = false
}

/// Machine-readable output.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Prints JSON, one object per line. Documentation/gatt.md describes its fields.")
    var json = false
}

/// How to reach a device.
struct ConnectionOptions: ParsableArguments {
    @OptionGroup var adapter: AdapterOptions

    @Option(
        help: ArgumentHelp(
            "The timeout for finding, connecting and the operation in total: seconds, or 500ms, 2m.",
            valueName: "time"),
        transform: Duration.init(typed:))
    var timeout = Duration.seconds(45)

    @Option(
        help: ArgumentHelp(
            "How many times to try again if the device cannot be connected, 0 to 1000.", valueName: "number"))
    var retries = 3

    @Flag(help: "Pairs with the device first if it is not paired; see gatt help pair.")
    var pair = false

    func validate() throws {
        guard (0...1000).contains(retries) else { throw ValidationError("Give --retries a number from 0 to 1000") }
    }
}

extension ArgumentHelp {
    static let trace = ArgumentHelp("Prints every message between the command and bluetoothd on the standard error.")
    static let device = ArgumentHelp(
        "The device: its address, its name or alias, or the beginning of one. Only an address cannot be mistaken.",
        valueName: "device")
    static let knownDevice = ArgumentHelp("The device: its address, or its name or alias.", valueName: "device")
    static let characteristic = ArgumentHelp(
        """
        The characteristic: a UUID (2A19), an assigned name ("battery level") or its beginning ("batt"), \
        service/characteristic, or @handle.
        """,
        valueName: "characteristic")
    static let attribute = ArgumentHelp(
        """
        The characteristic: a UUID (2A19), an assigned name ("battery level") or its beginning ("batt"), \
        service/characteristic, or @handle. A descriptor: characteristic/descriptor, or @handle.
        """,
        valueName: "characteristic")
}

extension CompletionKind {
    /// The names and addresses of the devices that BlueZ knows.
    static let device = CompletionKind.custom { _, _, _ in await KnownDevices.words() }
}

@BluetoothActor private enum KnownDevices {
    static func words() async -> [String] {
        let words = try? await Deadline(.seconds(1)).run("Asking for devices") {
            let central = CentralManager()
            try await central.waitUntilPoweredOn()
            return central.retrieveKnownPeripherals().flatMap { peripheral in
                [peripheral.name.flatMap(harmless), peripheral.address?.description].compactMap { $0 }
            }
        }
        // zsh interprets text after a colon as a description.
        let isZsh = CompletionShell.requesting == .zsh
        return (words ?? []).sorted().map { word in
            isZsh ? word.split(separator: ":").joined(separator: "\\:") : word
        }
    }

    /// Any device in range can choose its name, and shells split and expand words.
    private static func harmless(_ name: String) -> String? {
        name.utf8.allSatisfy { byte in
            let character = Swift.Character(Unicode.Scalar(byte))
            return byte < 0x80 && (character.isLetter || character.isNumber || "-_.".contains(character))
        } ? name : nil
    }
}
