import ArgumentParser
import CoreBlueZ
import Foundation

/// `many-radios client`: connects to the counters on the bus given by the environment, subscribes to them, and writes
/// numbers that never repeat.
struct ClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client",
        abstract: "Connects to the peripherals of many radios, subscribes to them, and writes numbers.",
        discussion: """
            The command prints one JSON object per second, and one for each write. It ends at the end of the standard \
            input.

            Example:
              many-radios client --radios 2 --devices 3 --writes 5
            """)

    @OptionGroup var scale: RadioOptions

    @Option(help: "The number of writes per second to each peripheral: 0, or 0.001 to 10000.")
    var writes = 0.0

    @Option(help: "The first number that is written; each write adds 1.")
    var first: UInt64 = 1

    @Flag(inversion: .prefixedNo, help: "Subscribes to each peripheral.")
    var notify = true

    func validate() throws {
        guard writes == 0 || (0.001...10_000).contains(writes) else {
            throw ValidationError("Give --writes 0, or a number from 0.001 to 10000")
        }
    }

    func run() async throws {
        let client = await CountingClient(self)
        let input = Task.detached { while readLine() != nil {} }
        await BluetoothActor.run { client.start() }
        await input.value
        await BluetoothActor.run { await client.end() }
    }
}

/// The values received since the last report.
struct Counts {
    var values = 0
    var latencies: [UInt64] = []

    /// The latency in milliseconds below which this share of the values lies, 0 to 1.
    func latency(at share: Double) -> Double {
        guard !latencies.isEmpty else { return 0 }
        let sorted = latencies.sorted()
        return Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]) / 1e6
    }
}

/// The client's peripherals.
@BluetoothActor final class CountingClient {
    private static let service: BluetoothUUID = "C0B1F000-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    private static let writing: BluetoothUUID = "C0B1F001-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    private static let notifying: BluetoothUUID = "C0B1F002-7A6B-4D5E-8F90-1A2B3C4D5E6F"

    private let options: ClientCommand
    private let central = CentralManager()
    private var kept: [KeptConnection<Peripheral>] = []
    private var writers: [String: Task<Void, Never>] = [:]
    private var ticker: Task<Void, Never>?
    private var counts = Counts()
    private var next: UInt64
    /// How often the completion of each write has run.
    private var completions: [UInt64: Int] = [:]

    init(_ options: ClientCommand) {
        self.options = options
        next = options.first
    }

    func start() {
        let policy = ReconnectPolicy(firstDelay: .milliseconds(200), factor: 1.5, longestDelay: .seconds(3))
        for radio in 0..<options.scale.radios {
            for device in 0..<options.scale.devices {
                let text = [0xC0, 0, 0, radio, 0, device].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
                guard let address = BluetoothAddress(text.joined(separator: ":")) else { continue }
                kept.append(
                    central.keepConnected(to: address, policy: policy) { [weak self] state in
                        self?.changed(address, state)
                    } setUp: { [weak self] peripheral in
                        try await self?.setUp(peripheral, address)
                    })
            }
        }
        ticker = Task { @BluetoothActor [weak self] in
            while (try? await BluetoothActor.sleep(for: .seconds(1))) != nil { self?.report() }
        }
    }

    func end() async {
        ticker?.cancel()
        for writer in writers.values { writer.cancel() }
        for connection in kept { try? await connection.stop() }
        for (number, count) in completions where count != 1 {
            say(["number": number, "completions": count])
        }
        say(["ended": true, "writes": completions.count])
    }

    private func changed(_ address: BluetoothAddress, _ state: KeptConnection<Peripheral>.State) {
        let key = address.description
        switch state {
        case .connected(let peripheral):
            writers[key]?.cancel()
            writers[key] = Task { @BluetoothActor [weak self] in await self?.use(peripheral, key) }
        case .disconnected, .stopped, .unavailable:
            writers.removeValue(forKey: key)?.cancel()
        default: break
        }
    }

    /// Subscribes.
    private func setUp(_ peripheral: Peripheral, _ address: BluetoothAddress) async throws {
        do {
            for service in try await peripheral.discoverServices([Self.service]) {
                try await service.discoverCharacteristics()
            }
            guard options.notify else { return }
            try await peripheral.service(Self.service).characteristic(Self.notifying)
                .startNotifying { [weak self] value, _ in self?.received(value) }
        } catch {
            say(["device": address.description, "failed": "\(error)"])
            throw error
        }
    }

    /// Writes until the link is lost.
    private func use(_ peripheral: Peripheral, _ key: String) async {
        guard options.writes > 0 else { return }
        while !Task.isCancelled {
            write(to: peripheral, key)
            try? await BluetoothActor.sleep(for: .seconds(1 / options.writes))
        }
    }

    private func write(to peripheral: Peripheral, _ key: String) {
        let number = next
        next += 1
        completions[number] = 0
        let value = Data(MonotonicTime.bytes(of: number))
        peripheral.service(Self.service).characteristic(Self.writing).writeValue(value) { [self] error in
            completions[number, default: 0] += 1
            say(["device": key, "number": number, "error": error.map { "\($0.code)" } ?? "none"])
        }
    }

    private func received(_ value: Data?) {
        guard let value else { return }
        counts.values += 1
        counts.latencies.append(MonotonicTime.now() &- MonotonicTime.number(value))
    }

    private func report() {
        let connected = central.peripherals.count { $0.isConnected }
        say([
            "connected": connected, "values": counts.values, "median": counts.latency(at: 0.5),
            "p99": counts.latency(at: 0.99), "cpu": Double(clock()) / Double(CLOCKS_PER_SEC),
        ])
        counts = Counts()
    }

    private nonisolated func say(_ object: [String: any Sendable]) {
        guard let data = try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys) else { return }
        // The reader may have closed the output.
        try? FileHandle.standardOutput.write(contentsOf: data + Data("\n".utf8))
    }
}
