import ArgumentParser
import BlueZAccessories
import BlueZClassic
import CoreBlueZ
import FoundationEssentials

/// Sends bytes through a session with a classic accessory that sends them back. Lab/accessory_check.py starts it.
struct AccessoryTransfer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accessory",
        abstract: "Sends a file to an RFCOMM echo service, stores the echo, and prints the rate in kB/s.")

    @Option(help: "The adapter's name or address. The default is the first one that is on.") var adapter: String?
    @Option(help: "The name of the device.") var name: String
    @Option(help: "The UUID of the service.") var uuid: String
    @Option(help: "The file to send.") var input: String
    @Option(help: "The file to which the echo is written.") var output: String

    private static let protocolString = "org.corebluez.echo"
    private static let pieceLength = 16384

    @BluetoothActor func run() async throws {
        guard let uuid = BluetoothUUID(uuid) else { throw ValidationError("\(uuid) is not a UUID") }
        let bytes = try Data(contentsOf: URL(filePath: input))
        let echo = try await BluetoothActor.run {
            let central = CentralManager(adapter: adapter)
            try await central.waitUntilPoweredOn(timeout: .seconds(60))
            let profile = RFCOMMProfile(uuid, requiresAuthentication: false, connectsAutomatically: true)
            let manager = AccessoryManager(
                central, protocols: [AccessoryProtocol(Self.protocolString, over: .rfcomm(profile))])
            let peripheral = try await central.firstPeripheral(timeout: .seconds(300), transport: .bredr) { found, _ in
                found.name == name
            }
            try await peripheral.connect(options: ConnectOptions(timeout: .seconds(300), transport: .bredr))
            let session = try await manager.openFirstSession(for: Self.protocolString, timeout: .seconds(300))
            let start = ContinuousClock.now
            async let sent: Void = Self.send(bytes, to: session)
            var echo = Data()
            while echo.count < bytes.count, let piece = try await session.input.read() { echo += piece }
            try await sent
            print(Int(Double(bytes.count) / ((.now - start) / .seconds(1)) / 1000))
            session.close()
            try? await peripheral.disconnect()
            return echo
        }
        try echo.write(to: URL(filePath: output))
    }

    /// Sends all bytes in pieces, each when the one before has been sent.
    @BluetoothActor private static func send(_ bytes: Data, to session: AccessorySession) async throws {
        for start in stride(from: 0, to: bytes.count, by: pieceLength) {
            try await session.output.write(bytes[start..<min(bytes.count, start + pieceLength)])
        }
    }
}
