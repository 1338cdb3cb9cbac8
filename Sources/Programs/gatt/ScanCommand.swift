import ArgumentParser
import BlueZPrintableText
import BlueZScript
import CoreBlueZ

/// `gatt scan`
struct ScanCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Lists the devices in range: address, signal strength in dBm, name, and what they advertise.",
        discussion: """
            A device is listed when it is found, and again when its name is known. With --json, it is listed whenever \
            it advertises something new.

            Examples:
              gatt scan --duration 5
              gatt scan --service 180F --json
              gatt scan Thermometer --count 1 --duration 10m
                                       waits until the device appears
            """)

    @Argument(
        help: ArgumentHelp(
            "Lists only devices whose address, name or alias begins with this text.", valueName: "device"),
        completion: .device)
    var device: String?

    @Option(
        help: ArgumentHelp("The duration of the scan: seconds, 500ms or 2m.", valueName: "time"),
        transform: Duration.init(typed:))
    var duration = Duration.seconds(10)

    @Option(
        help: ArgumentHelp(
            "Ends after this many devices. If --duration ends earlier, the status is 75.", valueName: "number"))
    var count: Int?

    @Option(
        help: ArgumentHelp(
            "Lists only devices that advertise this service, a UUID. May be repeated: one of the services is enough.",
            valueName: "uuid"))
    var service: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Lists only devices with at least this signal strength, -127 to 20, such as -70.", valueName: "dBm"))
    var rssi: Int?

    @Flag(help: "Lists every advertisement.")
    var duplicates = false

    @OptionGroup var adapter: AdapterOptions
    @OptionGroup var output: OutputOptions

    var isStreaming: Bool { true }

    func validate() throws {
        if let count, count < 1 { throw ValidationError("Give --count a number of at least 1") }
        if let rssi, !(-127...20).contains(rssi) {
            throw ValidationError("Give --rssi a number from -127 to 20, such as -70")
        }
        for text in service where BluetoothUUID(typed: text) == nil {
            throw ValidationError("\"\(text)\" is not a UUID: write 4, 8 or 32 hexadecimal digits")
        }
    }

    @BluetoothActor func run(in session: Session) async throws {
        let central = try await session.central(adapter)
        let services = service.isEmpty ? nil : service.compactMap { BluetoothUUID(typed: $0) }
        let options = ScanOptions(allowDuplicates: duplicates, minimumRSSI: rssi, duration: duration)
        let name = device.map { DeviceName($0) }
        // Whether the device's name was known. A device may advertise two names in turn.
        var listed: [BluetoothAddress: Bool] = [:]
        var failure: CommandFailure?
        try await Progress.during("Scanning for \(duration.roundedText)") {
            try await central.scanForPeripherals(withServices: services, options: options) { peripheral, _, rssi in
                guard failure == nil, let address = peripheral.address,
                    listed[address] != nil || name.map({ $0.match(peripheral) != nil }) ?? true
                else { return }
                let isNew = listed[address].map { !$0 && peripheral.name != nil } ?? true
                if let count, listed.count >= count { return }
                listed[address] = listed[address] == true || peripheral.name != nil
                do throws(CommandFailure) {
                    if output.json {
                        try session.output.record(Record(advertisementOf: peripheral, rssi))
                    } else if isNew || duplicates {
                        try session.output.line(Self.line(peripheral, rssi))
                    }
                } catch {
                    failure = error
                }
                if failure != nil || count.map({ listed.count >= $0 }) == true { central.stopScan() }
            }
        }
        if let failure { throw failure }
        let limit = duration.roundedText
        if let count, listed.count < count {
            throw CommandFailure(.timedOut, "Found \(listed.count) of \(count) devices within \(limit)")
        }
        if listed.isEmpty { Progress.report("No device was found within \(limit)") }
    }

    @BluetoothActor private static func line(_ peripheral: Peripheral, _ rssi: Int?) -> String {
        let advertisement = peripheral.advertisement
        let companies = advertisement.manufacturerData.keys.sorted().map {
            AssignedNumbers.companyName($0) ?? CharacteristicMatch.hexadecimal($0)
        }
        let services = advertisement.serviceUUIDs.map { $0.name ?? $0.description }
        let fields = [
            peripheral.address?.description ?? "?", rssi.map { "\($0)" } ?? "?", peripheral.name ?? "",
            (services + companies).joined(separator: ", "),
        ]
        return fields.map { $0.escapedForTerminal() }.joined(separator: "\t")
    }
}

extension Record {
    @BluetoothActor init(advertisementOf peripheral: Peripheral, _ rssi: Int?) {
        self.init("advertisement", peripheral)
        addressType = peripheral.addressKind?.rawValue
        self.rssi = rssi
        describe(peripheral.advertisement)
    }

    mutating func describe(_ advertisement: AdvertisementData) {
        txPower = advertisement.txPowerLevel
        appearance = advertisement.appearance
        appearanceName = advertisement.appearance.flatMap { AssignedNumbers.appearanceName($0) }
        serviceUUIDs = advertisement.serviceUUIDs.map(\.description)
        var data: [String: String] = [:]
        var names: [String: String] = [:]
        for (company, bytes) in advertisement.manufacturerData {
            let key = CharacteristicMatch.hexadecimal(company)
            data[key] = ValueFormat.hex(bytes)
            names[key] = AssignedNumbers.companyName(company)
        }
        manufacturerData = data
        companies = names
        serviceData = Dictionary(
            advertisement.serviceData.map { ($0.key.description, ValueFormat.hex($0.value)) }, uniquingKeysWith: { $1 })
    }
}
