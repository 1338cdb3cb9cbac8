import ArgumentParser
import BlueZPrintableText
import BlueZScript
import CoreBlueZ
import PeripheralServer

/// `gatt advertise`
struct AdvertiseCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "advertise",
        abstract: "Advertises a name, services and data, until Ctrl-C.",
        discussion: """
            A legacy advertisement has 31 bytes, of which flags take 3; the name is in the scan response. The command \
            says what does not fit before it advertises, and what bluetoothd ignores. Without --timeout, it runs until \
            Ctrl-C (status 130) or SIGTERM (status 143).

            Examples:
              gatt advertise --name Lamp --service 1815
              gatt advertise --manufacturer 0x004C:0215 --not-connectable --timeout 1m
              gatt advertise --name Beacon --interval 100ms-200ms --tx-power -20
              gatt advertise --capabilities     shows what the adapter can do
            """)

    @Flag(help: "Prints what the adapter can advertise, and ends.")
    var capabilities = false

    @OptionGroup var content: AdvertisementOptions
    @OptionGroup var adapter: AdapterOptions
    @OptionGroup var output: OutputOptions

    var isStreaming: Bool { !capabilities }

    func validate() throws {
        if capabilities, !content.isEmpty {
            throw ValidationError("Give --capabilities without the content of an advertisement")
        }
        if output.json, !capabilities { throw ValidationError("Give --json with --capabilities") }
    }

    @BluetoothActor func run(in session: Session) async throws {
        let manager = PeripheralManager(try await session.central(adapter))
        if capabilities { return try write(try await manager.readAdvertisingCapabilities(), manager, session) }
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        var hasBegun = false
        manager.eventHandler = { [weak manager] event in
            guard let manager else { return }
            switch event {
            case .advertisingBegan(let instance):
                Progress.report(hasBegun ? "Advertising again" : Self.beginning(instance, manager))
                hasBegun = true
            case .advertisingEnded where manager.advertisements.isEmpty: continuation.finish()
            case .advertisingEnded:
                Progress.report("Not advertising: bluetoothd or the adapter is gone; waiting for it")
            case .advertisingFailed(_, let error): Progress.error(error.description)
            default: break
            }
        }
        let advertisement = try content.advertisement()
        try await manager.startAdvertising(advertisement)
        for await _ in ends {}
        await manager.withdrawAll(noting: Progress.report)
        try Task.checkCancellation()
    }

    @BluetoothActor private static func beginning(
        _ instance: AdvertisingInstance, _ manager: PeripheralManager
    ) -> String {
        let ignored: [(LocalAdvertisement.Ignored, String)] = [(.interval, "--interval"), (.txPower, "--tx-power")]
        let names = ignored.filter { instance.ignored.contains($0.0) }.map(\.1)
        let power = instance.selectedTxPower.map { ", with \($0) dBm" } ?? ""
        let adapter = manager.centralManager.adapter?.identifier ?? "the adapter"
        let note = "Advertising on \(adapter)\(power); Ctrl-C ends it"
        guard !names.isEmpty else { return note }
        return "This bluetoothd ignores \(names.joined(separator: " and ")): "
            + "it considers them from 5.77 on, or with --experimental\n\(note)"
    }

    @BluetoothActor private func write(
        _ capabilities: AdvertisingCapabilities, _ manager: PeripheralManager, _ session: Session
    ) throws {
        let adapter = manager.centralManager.adapter
        if output.json { return try session.output.record(Record(capabilities, adapter)) }
        for (name, value) in capabilities.lines { try session.output.line("\(name)\t\(value.escapedForTerminal())") }
    }
}

extension AdvertisingCapabilities {
    /// The lines for users.
    fileprivate var lines: [(String, String)] {
        let unknown = "not reported"
        let channels = secondaryChannels.map(\.rawValue).joined(separator: " ")
        return [
            ("active advertisements", "\(activeInstances)"), ("more advertisements", "\(supportedInstances)"),
            ("bytes", maximumLength.map { "\($0)" } ?? "\(unknown), 31 at least"),
            ("bytes of the scan response", maximumScanResponseLength.map { "\($0)" } ?? "\(unknown), 31 at least"),
            ("secondary channels", channels.isEmpty ? "none" : channels),
            ("transmit power", txPowers.map { "\($0.lowerBound) to \($0.upperBound) dBm" } ?? unknown),
            ("intervals and powers", considersIntervals ? "considered" : "ignored"),
            ("features", features.map { $0.isEmpty ? "none" : $0.joined(separator: " ") } ?? unknown),
        ]
    }
}

extension Record {
    @BluetoothActor fileprivate init(_ capabilities: AdvertisingCapabilities, _ adapter: Adapter?) {
        self.init("capabilities")
        self.adapter = adapter?.identifier
        device = adapter?.address?.description
        activeInstances = capabilities.activeInstances
        supportedInstances = capabilities.supportedInstances
        maximumLength = capabilities.maximumLength
        maximumScanResponseLength = capabilities.maximumScanResponseLength
        secondaryChannels = capabilities.secondaryChannels.map(\.rawValue)
        minimumTxPower = capabilities.txPowers?.lowerBound
        maximumTxPower = capabilities.txPowers?.upperBound
        features = capabilities.features
    }
}
