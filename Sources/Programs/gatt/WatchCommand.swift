import ArgumentParser
import BlueZAdvertisements
import BlueZPrintableText
import BlueZScript
import CoreBlueZ

/// `gatt watch`
struct WatchCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Prints the events of adapters, links and services, until Ctrl-C; or what a device advertises.",
        discussion: """
            With --decode, the command scans for the device, and prints what it advertises whenever that means \
            something new: a button's events, not their repetitions.

            The existing adapters and the connected devices are printed first. The events are available, unavailable, \
            adapter-added, adapter-on, adapter-off, adapter-removed, connected, disconnected, services-resolved and \
            services-changed.

            Examples:
              gatt watch --duration 1h
              gatt watch --json | jq -r 'select(.event == "connected") | .device'
              gatt watch --decode Button --keys keys.txt
            """)

    @Argument(
        help: ArgumentHelp(
            "With --decode: the device, by the beginning of its address, name or alias.", valueName: "device"),
        completion: .device)
    var device: String?

    @Option(
        help: ArgumentHelp(
            "Ends after this many events. If --duration ends earlier, the status is 75.", valueName: "number"))
    var count: Int?

    @Option(
        help: ArgumentHelp("Ends after this time: seconds, or 500ms, 2m, 1h.", valueName: "time"),
        transform: Duration.init(typed:))
    var duration: Duration?

    @OptionGroup var decoding: DecodingOptions
    @OptionGroup var adapter: AdapterOptions
    @OptionGroup var output: OutputOptions

    /// Managers report existing objects only if they exist before the connection.
    static let connectsEarly = false

    var isStreaming: Bool { true }

    func validate() throws {
        if let count, count < 1 { throw ValidationError("Give --count a number of at least 1") }
        guard decoding.decode == (device != nil) else {
            throw ValidationError(
                decoding.decode ? "--decode needs a device" : "Add --decode, which prints what a device advertises")
        }
    }

    @BluetoothActor func run(in session: Session) async throws {
        if let device, let decoder = try decoding.decoder() { return try await follow(device, decoder, session) }
        let central = CentralManager(adapter: adapter.adapter)
        let (records, continuation) = AsyncStream.makeStream(of: Record.self)
        // The first state arrives with the adapters. Only later changes are events.
        var isAvailable = true
        central.stateHandler = { central in
            let isLost = [.resetting, .unsupported, .unauthorized].contains(central.state)
            guard isLost == isAvailable, central.state != .unknown else { return }
            isAvailable = !isLost
            var record = Record(isAvailable ? "available" : "unavailable")
            record.error = central.stateError?.code.description
            continuation.yield(record)
        }
        central.eventHandler = { event in if let record = Record(event) { continuation.yield(record) } }
        let clock = duration.map { duration in
            Task { @BluetoothActor in
                if (try? await BluetoothActor.sleep(for: duration)) != nil { continuation.finish() }
            }
        }
        defer { clock?.cancel() }
        var seen = 0
        for await record in records {
            try write(record, session)
            seen += 1
            if seen == count { return }
        }
        try Task.checkCancellation()
        try checkCount(seen)
    }

    private func checkCount(_ seen: Int) throws(CommandFailure) {
        guard let count, let duration, seen < count else { return }
        throw CommandFailure(.timedOut, "Received \(seen) of \(count) events within \(duration.roundedText)")
    }

    /// Prints what a device advertises.
    @BluetoothActor private func follow(
        _ device: String, _ decoder: AdvertisementDecoder, _ session: Session
    ) async throws {
        let central = try await session.central(adapter)
        let listing = ScanListing(DeviceName(device), decoder)
        var seen = 0
        var failure: (any Error)?
        try await central.scanForPeripherals(options: ScanOptions(duration: duration)) { peripheral, _, rssi in
            guard failure == nil, seen != count, let line = listing.add(peripheral), line.isNew, let text = line.text
            else {
                return
            }
            var record = Record(advertisementOf: peripheral, rssi)
            record.identity = line.identity
            record.decoded = line.advertisement?.json
            do {
                if output.json {
                    try session.output.record(record)
                } else {
                    let fields = [record.time, record.device, line.name(of: peripheral), text]
                    try session.output.line(
                        fields.compactMap { $0 }.map { $0.escapedForTerminal() }.joined(separator: "\t"))
                }
            } catch {
                failure = error
            }
            seen += 1
            if failure != nil || seen == count { central.stopScan() }
        }
        if let failure { throw failure }
        try checkCount(seen)
    }

    @BluetoothActor private func write(_ record: Record, _ session: Session) throws {
        if output.json { return try session.output.record(record) }
        let fields = [record.time, record.event, record.adapter, record.device, record.deviceName, record.error]
        try session.output.line(fields.compactMap { $0 }.map { $0.escapedForTerminal() }.joined(separator: "\t"))
    }
}

extension Record {
    /// Creates a record of an event that a passive program can see; it neither scans nor connects.
    @BluetoothActor init?(_ event: CentralEvent) {
        switch event {
        case .adapterAdded(let adapter): self = Record("adapter-added", adapter)
        case .adapterPowerChanged(let adapter):
            self = Record(adapter.isPowered ? "adapter-on" : "adapter-off", adapter)
        case .adapterRemoved(let identifier):
            self = Record("adapter-removed")
            adapter = identifier
        case .connected(let peripheral): self = Record("connected", peripheral)
        case .disconnected(let peripheral): self = Record("disconnected", peripheral)
        case .servicesResolved(let peripheral): self = Record("services-resolved", peripheral)
        case .servicesChanged(let peripheral): self = Record("services-changed", peripheral)
        case .failedToConnect, .nameChanged, .scanBegan, .scanEnded: return nil
        }
    }
}
