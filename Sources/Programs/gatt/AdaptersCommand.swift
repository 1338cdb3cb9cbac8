import ArgumentParser
import BlueZPrintableText
import BlueZScript
import CoreBlueZ

/// `gatt adapters`
struct AdaptersCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "adapters",
        abstract: "Lists the Bluetooth adapters of this computer.",
        discussion: """
            Each line has the adapter's identifier, its address, its state (on, off, or blocked by rfkill) and its \
            name, separated by tabs. If there is no adapter, the status is 69.

            Examples:
              gatt adapters
              gatt adapters --json | jq -r 'select(.isPowered) | .adapter'
            """)

    @OptionGroup var output: OutputOptions

    @Flag(help: .trace)
    var trace = false

    @BluetoothActor func run(in session: Session) async throws {
        let central = CentralManager()
        do {
            try await central.waitUntilPoweredOn()
        } catch {
            // An adapter that is off is listed too.
            guard [.adapterOff, .adapterGone].contains(error.code) else { throw error }
        }
        for adapter in central.adapters {
            if output.json {
                try session.output.record(Record("adapter", adapter))
            } else {
                let state = adapter.isPowered ? "on" : adapter.isBlocked ? "blocked by rfkill" : "off"
                let fields = [adapter.identifier, adapter.address?.description ?? "?", state, adapter.name ?? ""]
                try session.output.line(fields.map { $0.escapedForTerminal() }.joined(separator: "\t"))
            }
        }
        guard central.adapters.isEmpty else { return }
        throw CommandFailure(.unavailable, central.stateError?.description ?? "There is no Bluetooth adapter")
    }
}

extension Record {
    init(_ event: String, _ adapter: Adapter) {
        self.init(event)
        self.adapter = adapter.identifier
        device = adapter.address?.description
        deviceName = adapter.name
        isPowered = adapter.isPowered
        isBlocked = adapter.isBlocked
        isDiscovering = adapter.isDiscovering
    }
}
