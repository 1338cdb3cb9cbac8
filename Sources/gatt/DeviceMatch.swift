import CommandLineSupport
import CoreBlueZ

/// Finds the devices that match DEVICE.
@BluetoothActor enum DeviceMatch {
    /// The best matches: by address, by name, by name ignoring case, or by the beginning of either.
    static func best(_ text: String, among peripherals: [Peripheral]) -> [Peripheral] {
        if let address = BluetoothAddress(text) { return peripherals.filter { $0.address == address } }
        let folded = text.lowercased()
        let levels: [(Peripheral) -> Bool] = [
            { $0.name == text },
            { $0.name?.lowercased() == folded },
            { begins($0, with: folded) },
        ]
        for level in levels {
            let fitting = peripherals.filter(level)
            if !fitting.isEmpty { return fitting }
        }
        return []
    }

    private static func begins(_ peripheral: Peripheral, with folded: String) -> Bool {
        let name = peripheral.name?.lowercased() ?? ""
        let address = peripheral.address?.description.lowercased() ?? ""
        return name.hasPrefix(folded) || address.hasPrefix(folded.replacing("-", with: ":"))
    }

    static func ambiguous(_ text: String, _ peripherals: [Peripheral]) -> CommandFailure {
        let lines = peripherals.map { "  \($0.address?.description ?? "?")  \($0.name ?? "")" }
        return CommandFailure(
            .usage,
            "\"\(text)\" matches several devices; give one's address:\n" + lines.sorted().joined(separator: "\n"))
    }
}
