import ArgumentParser
import BlueZPrintableText
import CoreBlueZ

/// `gatt info`
struct InfoCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Shows what is known about a device, without connecting to it.",
        discussion: """
            Examples:
              gatt info Thermometer
              gatt info BC:6A:29:AB:CD:EF --json
            """)

    @Argument(help: .device, completion: .device)
    var device: String

    @Option(
        help: ArgumentHelp("How long to scan for a device that BlueZ does not know.", valueName: "time"),
        transform: Duration.init(typed:))
    var timeout = Duration.seconds(45)

    @OptionGroup var adapter: AdapterOptions
    @OptionGroup var output: OutputOptions

    @BluetoothActor func run(in session: Session) async throws {
        let peripheral = try await session.find(device, adapter, within: timeout)
        var record = Record("device", peripheral)
        record.addressType = peripheral.addressKind?.rawValue
        record.alias = peripheral.alias
        record.rssi = peripheral.rssi
        record.isConnected = peripheral.isConnected
        record.isPaired = peripheral.isPaired
        record.isBonded = peripheral.isBonded
        record.isTrusted = peripheral.isTrusted
        record.isBlocked = peripheral.isBlocked
        record.batteryLevel = peripheral.batteryLevel
        record.describe(peripheral.advertisement)
        if output.json { return try session.output.record(record) }
        for (name, value) in lines(record, peripheral) {
            try session.output.line("\(name)\t\(value.escapedForTerminal())")
        }
    }

    @BluetoothActor private func lines(_ record: Record, _ peripheral: Peripheral) -> [(String, String)] {
        let yes = { (value: Bool?) in value == true ? "yes" : "no" }
        var lines: [(String, String?)] = [
            ("address", record.device), ("address type", record.addressType), ("name", record.deviceName),
            ("alias", record.alias), ("adapter", record.adapter), ("connected", yes(record.isConnected)),
            ("paired", yes(record.isPaired)), ("bonded", yes(record.isBonded)), ("trusted", yes(record.isTrusted)),
            ("blocked", yes(record.isBlocked)), ("battery", record.batteryLevel.map { "\($0) %" }),
            ("rssi", record.rssi.map { "\($0) dBm" }), ("tx power", record.txPower.map { "\($0) dBm" }),
            ("appearance", record.appearance.map { record.appearanceName ?? "\($0)" }),
        ]
        for uuid in peripheral.advertisement.serviceUUIDs {
            lines.append(("service", uuid.name.map { "\(uuid) \($0)" } ?? uuid.description))
        }
        for (company, data) in peripheral.advertisement.manufacturerData.sorted(by: { $0.key < $1.key }) {
            let name = AssignedNumbers.companyName(company) ?? CharacteristicMatch.hexadecimal(company)
            lines.append(("manufacturer data", "\(ValueFormat.hex(data)) (\(name))"))
        }
        for (uuid, data) in peripheral.advertisement.serviceData.sorted(by: { $0.key < $1.key }) {
            lines.append(("service data", "\(ValueFormat.hex(data)) (\(uuid.name ?? uuid.description))"))
        }
        return lines.compactMap { name, value in value.map { (name, $0) } }
    }
}
