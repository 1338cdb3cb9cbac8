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

    /// The one device that matches; nil if none does.
    static func only(_ text: String, among peripherals: [Peripheral]) throws(CommandFailure) -> Peripheral? {
        let fitting = best(text, among: peripherals)
        guard fitting.count > 1 else { return fitting.first }
        let lines = fitting.map { "  \($0.address?.description ?? "?")  \($0.name ?? "")" }
        throw CommandFailure(
            .usage,
            "\"\(text)\" matches several devices; give the address of one:\n" + lines.sorted().joined(separator: "\n"))
    }
}
