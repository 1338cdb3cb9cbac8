import BlueZPrintableText
import BlueZScript
import CoreBlueZ

/// Finds the characteristics that match CHARACTERISTIC.
@BluetoothActor enum CharacteristicMatch {
    static func find(_ text: String, for use: AttributeUse, on peripheral: Peripheral) throws -> Characteristic {
        guard
            let only = try only(of: fitting(text, on: peripheral), text, for: use)
                ?? only(of: beginning(text, on: peripheral), text, for: use)
        else { throw notFound(text, on: peripheral) }
        return only
    }

    /// The one matching characteristic, or the only one of several that permits the use; nil if none matches.
    static func only(
        of fitting: [Characteristic], _ text: String, for use: AttributeUse
    ) throws -> Characteristic? {
        guard fitting.count > 1 else { return fitting.first }
        let useful = fitting.filter { use.isPermitted(by: $0.properties) }
        if useful.count == 1 { return useful[0] }
        throw ambiguous(
            text, "characteristics", "service/characteristic",
            fitting.map { (handle: $0.handle, path: "\(path($0))  \($0.properties.names.joined(separator: ", "))") })
    }

    static func ambiguous(
        _ text: String,
        _ kind: String,
        _ hint: String,
        _ candidates: [(handle: UInt16, path: String)]
    ) -> CommandFailure {
        let lines = candidates.map { "  @\(hexadecimal($0.handle))  \($0.path)" }
        return CommandFailure(
            .usage,
            "\"\(text)\" matches several \(kind); give \(hint) or a handle:\n" + lines.joined(separator: "\n"))
    }

    /// All characteristics, ordered by handle.
    static func all(on peripheral: Peripheral) -> [Characteristic] {
        peripheral.services.filter(\.isDiscovered).sorted { $0.handle < $1.handle }
            .flatMap { $0.characteristics.filter(\.isDiscovered).sorted { $0.handle < $1.handle } }
    }

    static func notFound(_ text: String, on peripheral: Peripheral) -> CommandFailure {
        if keepsBattery(of: peripheral), begins(text, .battery, .batteryLevel) {
            let name = peripheral.displayName
            let level = peripheral.batteryLevel.map { ", and reports \($0) %" } ?? ""
            return CommandFailure(
                .notFound, "bluetoothd keeps the battery service of \(name) for itself\(level); see: gatt info \(name)")
        }
        return CommandFailure(
            .notFound,
            "\(peripheral.displayName) has no characteristic \(text); see: gatt inspect \(peripheral.displayName)")
    }

    /// Whether the device has the battery service, or bluetoothd its level, without exporting the service.
    private static func keepsBattery(of peripheral: Peripheral) -> Bool {
        guard !peripheral.services.contains(where: { $0.uuid == .battery && $0.isDiscovered }) else { return false }
        return peripheral.batteryLevel != nil || peripheral.advertisement.serviceUUIDs.contains(.battery)
    }

    /// All characteristics that match the text.
    static func fitting(_ text: String, on peripheral: Peripheral) throws -> [Characteristic] {
        let all = all(on: peripheral)
        if text.hasPrefix("@") {
            let handle = try handle(text)
            return all.filter { $0.handle == handle || $0.handle &+ 1 == handle }
        }
        return fitting(text, among: all, by: fits)
    }

    /// All characteristics whose assigned names, or service and name, begin with the text. Use it only if nothing else
    /// matches.
    static func beginning(_ text: String, on peripheral: Peripheral) -> [Characteristic] {
        text.hasPrefix("@") ? [] : fitting(text, among: all(on: peripheral), by: begins)
    }

    private static func fitting(
        _ text: String,
        among all: [Characteristic],
        by fits: @BluetoothActor (String, BluetoothUUID) -> Bool
    ) -> [Characteristic] {
        let direct = all.filter { fits(text, $0.uuid) }
        guard direct.isEmpty else { return direct }
        // Some assigned names contain a slash, so each may be the separator.
        return text.indices.filter { text[$0] == "/" }.flatMap { slash in
            let service = String(text[..<slash])
            let characteristic = String(text[text.index(after: slash)...])
            return all.filter {
                fits(characteristic, $0.uuid) && $0.service.map { fits(service, $0.uuid) } == true
            }
        }
    }

    /// `@0x0012` or, decimal, `@18`: the handle of the declaration, or of the value, which is one more.
    nonisolated static func handle(_ text: String) throws -> UInt16 {
        let digits = text.dropFirst()
        let handle =
            digits.lowercased().hasPrefix("0x") ? UInt16(digits.dropFirst(2), radix: 16) : UInt16(digits)
        guard let handle, handle > 0, digits.first?.isHexDigit == true else {
            throw CommandFailure(.usage, "\(text) is not a handle: write @0x0012, or @18")
        }
        return handle
    }

    static func fits(_ text: String, _ uuid: BluetoothUUID) -> Bool {
        if BluetoothUUID(typed: text) == uuid { return true }
        return uuid.name.map { folded($0) == folded(text) } ?? false
    }

    /// Whether the text means a characteristic, alone or with its service.
    private static func begins(_ text: String, _ service: BluetoothUUID, _ characteristic: BluetoothUUID) -> Bool {
        begins(text, characteristic)
            || text.indices.contains { slash in
                text[slash] == "/" && begins(String(text[..<slash]), service)
                    && begins(String(text[text.index(after: slash)...]), characteristic)
            }
    }

    private static func begins(_ text: String, _ uuid: BluetoothUUID) -> Bool {
        let beginning = folded(text)
        return fits(text, uuid) || !beginning.isEmpty && uuid.name.map { folded($0).hasPrefix(beginning) } == true
    }

    /// Case, hyphens and underscores do not matter, nor does the word "service" in names.
    private static func folded(_ name: String) -> String {
        var words = name.lowercased().split { $0 == " " || $0 == "-" || $0 == "_" }
        if words.count > 1, ["service", "characteristic"].contains(words[words.count - 1]) { words.removeLast() }
        return words.joined(separator: " ")
    }

    static func path(_ characteristic: Characteristic) -> String {
        let parts = [characteristic.service?.uuid, characteristic.uuid].compactMap { $0 }
        let names = parts.map { $0.name ?? "?" }
        let text = parts.map(\.description).joined(separator: "/")
        return names.contains { $0 != "?" } ? "\(text)  (\(names.joined(separator: "/")))" : text
    }

    nonisolated static func hexadecimal(_ number: UInt16) -> String {
        "0x" + String(hexadecimal: number, digits: 4)
    }
}
