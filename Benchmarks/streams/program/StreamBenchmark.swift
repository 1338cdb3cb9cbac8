import ArgumentParser
import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials

/// The program that Benchmarks/streams/run and Benchmarks/streams/compare start.
@main struct StreamBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stream-benchmark",
        abstract: "Sends bytes through simulated serial devices, and verifies them.",
        discussion: """
            Benchmarks/streams/run and Benchmarks/streams/compare start this program.

            Examples:
              rm -f bus; StreamBenchmark peer --megabytes 1 > bus &
              until [ -s bus ]; do sleep 1; done; export "$(cat bus)"
              StreamBenchmark send --megabytes 1
            """,
        subcommands: [Peer.self, Send.self, Echo.self, AccessoryTransfer.self])

    /// The simulated device, in a separate process.
    struct Peer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Simulates the device until a signal ends it.")

        @Option(help: "The number of megabytes each way.") var megabytes = 100
        @Option(help: "The number of times that the link is lost.") var disconnections = 0

        @SimulatorActor func run() async throws {
            let bluez = try await SimulatedBlueZ(.init(timing: .instant))
            let peer = TransferPeer(total: megabytes * 1_000_000, seed: 2, disconnections: disconnections)
            let device = try SimulatedSerialDevice(in: bluez, script: peer)
            device.cutting = .random(upTo: 514)
            peer.use(device.peripheral)
            print("DBUS_SYSTEM_BUS_ADDRESS=" + bluez.address)
            try FileHandleOutput.flush()
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(86400)) }
            withExtendedLifetime(device) {}
        }
    }

    /// The transfer both ways.
    struct Send: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Transfers bytes both ways, and prints the rate and the memory in use.")

        @Option(help: "The number of megabytes each way.") var megabytes = 100

        @BluetoothActor func run() async throws {
            let total = megabytes * 1_000_000
            try await BluetoothActor.run {
                let central = CentralManager()
                try await central.waitUntilPoweredOn(timeout: .seconds(10))
                let peripheral = try await central.firstPeripheral()
                let transfer = Transfer(peripheral, total: total, seed: 1)
                let clock = ContinuousClock()
                let start = clock.now
                var next = 0
                transfer.progressHandler = { received in
                    guard received >= next else { return }
                    next += max(1, total / 10)
                    print(received / 1_000_000, "MB,", Memory.description)
                }
                try await transfer.run(peerSeed: 2)
                let seconds = (clock.now - start) / .seconds(1)
                let rate = Int(Double(total) / seconds / 1000)
                print("\(total) bytes each way over \(transfer.links) links, hashes match:", terminator: " ")
                print("\(Int(seconds)) s, \(rate) kB/s each way; \(Memory.description)")
                try? await peripheral.disconnect()
            }
        }
    }

    /// The same as Benchmarks/streams/echo.py, which uses bleak.
    struct Echo: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends bytes, waits for the echo of all, and prints the time in seconds.")

        @Option(help: "The name of the device.") var name = "UART"
        @Option(help: "The number of bytes.") var count = 1_000_000
        @Flag(help: "Writes without response, through a socket.") var acquired = false
        @Flag(help: "Receives notifications as signals on the bus, not through a socket.") var signals = false

        @BluetoothActor func run() async throws {
            try await BluetoothActor.run {
                let central = CentralManager()
                try await central.waitUntilPoweredOn(timeout: .seconds(10))
                let peripheral = try await central.firstPeripheral(timeout: .seconds(300)) { found, _ in
                    found.name == name
                }
                try await peripheral.connect()
                let port = try await peripheral.discoverSerialService()
                var options = SerialOptions()
                if acquired {
                    options.writing = .acquired
                    // An echo confirms that the peer has received the bytes.
                    options.unconfirmedLimit = 65536
                }
                if signals { options.reading = .signals }
                try await port.open(options)
                let bytes = Data(TransferPattern(seed: 1).bytes(0..<count))
                let clock = ContinuousClock()
                let start = clock.now
                let pieces = port.received(bufferingUpTo: 1 << 20)
                port.send(bytes) { _ in }
                var echo = Data()
                for try await piece in pieces {
                    echo += piece
                    port.confirm(through: echo.count)
                    if echo.count >= count { break }
                }
                let seconds = (clock.now - start) / .seconds(1)
                guard echo == bytes else { throw Transfer.Failure(description: "The echo differs from the sent bytes") }
                print(seconds)
                try? await peripheral.disconnect()
            }
        }
    }
}
