import ArgumentParser
import BlueZAdvertisements
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
            it advertises something new, and with --decode, whenever that means something new.

            --live shows the devices as a table, until q or Ctrl-C.

            Examples:
              gatt scan --duration 5
              gatt scan --service 180F --json
              gatt scan --decode --keys keys.txt
              gatt scan --live --decode
              gatt scan Thermometer --count 1 --duration 10m
                                       waits until the device appears
            """)

    @Argument(
        help: ArgumentHelp(
            "Lists only devices whose address, name or alias begins with this text.", valueName: "device"),
        completion: .device)
    var device: String?

    @Option(
        help: ArgumentHelp(
            "The duration of the scan: seconds, 500ms or 2m; 10 by default, and without an end with --live.",
            valueName: "time"),
        transform: Duration.init(typed:))
    var duration: Duration?

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

    @Flag(help: "Shows a table on the terminal, in which the devices are updated in place.")
    var live = false

    @OptionGroup var decoding: DecodingOptions
    @OptionGroup var adapter: AdapterOptions
    @OptionGroup var output: OutputOptions

    var isStreaming: Bool { true }

    func validate() throws {
        if let count, count < 1 { throw ValidationError("Give --count a number of at least 1") }
        if let rssi, !(-127...20).contains(rssi) {
            throw ValidationError("Give --rssi a number from -127 to 20, such as -70")
        }
        if live, output.json { throw ValidationError("--live shows a table: leave out --json") }
        for text in service where BluetoothUUID(typed: text) == nil {
            throw ValidationError("\"\(text)\" is not a UUID: write 4, 8 or 32 hexadecimal digits")
        }
    }

    @BluetoothActor func run(in session: Session) async throws {
        let decoder = try decoding.decoder()
        if live {
            guard TerminalScreen.isAvailable else {
                throw CommandFailure(.usage, "--live needs a terminal: without one, leave it out")
            }
            try TerminalScreen.silenceLog(isTraced: adapter.trace)
        }
        let central = try await session.central(adapter)
        let services = service.isEmpty ? nil : service.compactMap { BluetoothUUID(typed: $0) }
        let duration = duration ?? (live ? nil : .seconds(10))
        let options = ScanOptions(allowDuplicates: duplicates || live, minimumRSSI: rssi, duration: duration)
        if live { return try await show(decoder, central, services, options) }
        let listing = ScanListing(device.map { DeviceName($0) }, decoder, count: count)
        var failure: CommandFailure?
        let limit = (duration ?? .zero).roundedText
        try await Progress.during("Scanning for \(limit)") {
            try await central.scanForPeripherals(withServices: services, options: options) { peripheral, _, rssi in
                guard failure == nil, let line = listing.add(peripheral) else { return }
                do throws(CommandFailure) {
                    if output.json {
                        var record = Record(advertisementOf: peripheral, rssi)
                        record.identity = line.identity
                        record.decoded = line.advertisement?.json
                        try session.output.record(record)
                    } else if line.isNew || duplicates {
                        try session.output.line(Self.line(peripheral, rssi, line))
                    }
                } catch {
                    failure = error
                }
                if failure != nil || listing.isFull { central.stopScan() }
            }
        }
        if let failure { throw failure }
        if let count, !listing.isFull {
            throw CommandFailure(.timedOut, "Found \(listing.found) of \(count) devices within \(limit)")
        }
        if listing.found == 0 { Progress.report("No device was found within \(limit)") }
    }

    /// Shows the table.
    @BluetoothActor private func show(
        _ decoder: AdvertisementDecoder?, _ central: CentralManager, _ services: [BluetoothUUID]?,
        _ options: ScanOptions
    ) async throws {
        let listing = ScanListing(device.map { DeviceName($0) }, decoder, count: count)
        let start = ContinuousClock.now
        var table = DeviceTable<ScanListing.Device>([
            .init("NAME", width: 20, .strong), .init("WHAT", width: 16), .init("VALUE", .good),
        ])
        var failure: CommandFailure?
        let screen = try TerminalScreen({ size in table.lines(now: start.duration(to: .now) / .seconds(1), size: size) }
        ) {
            failure = failure ?? CommandFailure(any: $0)
            central.stopScan()
        }
        defer { screen.close() }
        screen.keyHandler = { key in if key == "q" || key == "Q" { central.stopScan() } }
        try await central.scanForPeripherals(withServices: services, options: options) { peripheral, _, rssi in
            guard let line = listing.add(peripheral) else { return }
            table.add(
                [
                    line.name(of: peripheral) ?? peripheral.address?.description ?? "?",
                    line.formats ?? Self.senders(peripheral), line.advertisement?.shortText ?? "",
                ],
                rssi: rssi, of: line.device, at: start.duration(to: .now) / .seconds(1))
        }
        if let failure { throw failure }
    }

    @BluetoothActor private static func line(
        _ peripheral: Peripheral, _ rssi: Int?, _ line: ScanListing.Line
    ) -> String {
        let fields = [
            peripheral.address?.description ?? "?", rssi.map { "\($0)" } ?? "?", line.name(of: peripheral) ?? "",
            line.text ?? senders(peripheral),
        ]
        return fields.map { $0.escapedForTerminal() }.joined(separator: "\t")
    }

    /// The services and companies of what a device advertises.
    @BluetoothActor private static func senders(_ peripheral: Peripheral) -> String {
        let advertisement = peripheral.advertisement
        let companies = advertisement.manufacturerData.keys.sorted().map {
            AssignedNumbers.companyName($0) ?? CharacteristicMatch.hexadecimal($0)
        }
        return (advertisement.serviceUUIDs.map { $0.name ?? $0.description } + companies).joined(separator: ", ")
    }
}
