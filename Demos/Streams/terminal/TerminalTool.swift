import ArgumentParser
import BlueZScript
import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials

/// `terminal`: a demo of a payment terminal, by the calls of the MPOS interface. The requests and replies are invented.
@main struct TerminalTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "terminal",
        abstract: "Finds a payment terminal, makes payments, cancels one, and resets the PIN pad.",
        discussion: """
            Ctrl-C and SIGTERM cancel a payment that is in progress, disconnect, and end the command by the signal.

            Examples:
              terminal --simulate
              terminal --device TERMINAL

            \(ExitStatus.section(statuses))
            """,
        version: CentralManager.version)

    private static let statuses: [ExitStatus: String] = [
        .success: "success", .connection: "the terminal could not be connected, or the link was lost",
        .software: "a request was refused", .timedOut: "the terminal was not found, or did not reply, in time",
    ]

    @Option(help: ArgumentHelp("The terminal's name or address. Required without --simulate.", valueName: "name"))
    var device: String?
    @Flag(help: "Uses a simulated terminal; needs no Bluetooth.") var simulate = false

    func validate() throws {
        guard simulate || device != nil else { throw ValidationError("Give --device NAME, or --simulate") }
    }

    static func main() async {
        Program.begin("terminal")
        await main(nil)
    }

    func run() async throws {
        throw ExitCode(await Program.run("terminal") { try await TerminalSession(self).run() })
    }
}

/// One run: the steps wait for the interface's callbacks.
@BluetoothActor final class TerminalSession: DeviceSearchListener, CommunicationCallBack {
    private enum Event {
        case found(DeviceInfo), searchEnded, progress(Data), reply(Data), failed(ExchangeErrorCode, String)
    }

    private let options: TerminalTool
    private let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    private let simulated = SimulatedTerminal()
    private var manager: BluetoothManager?

    init(_ options: TerminalTool) { self.options = options }

    func discoverOneDevice(_ device: DeviceInfo) { continuation.yield(.found(device)) }
    func discoverComplete() { continuation.yield(.searchEnded) }
    func onProgress(_ data: Data) { continuation.yield(.progress(data)) }
    func onReceive(_ data: Data) { continuation.yield(.reply(data)) }
    func onTimeout() { continuation.yield(.failed(.timedOut, "There was no reply in time")) }
    func onError(_ code: Int, message: String) {
        continuation.yield(.failed(ExchangeErrorCode(rawValue: code) ?? .unknown, message))
    }

    /// Runs all steps, and always disconnects. A signal cancels the payment in progress, otherwise the current step.
    func run() async throws(CommandFailure) {
        let work = Task { try await self.work() }
        SignalWatch.shared.start {
            Task { @BluetoothActor in if self.manager?.cancelExchange() != .accepted { work.cancel() } }
        }
        let result = await work.result
        let closing = await Task { try await manager?.terminal.closeResource() }.result.map { _ in }
        await simulated.stop()
        let results = SignalWatch.shared.number == nil ? [result, closing] : [closing]
        for case .failure(let error) in results { throw CommandFailure(any: error) }
    }

    private func work() async throws {
        var configuration = ExchangeTerminal.Configuration()
        configuration.framing = TerminatorFraming(Data("\n".utf8))
        configuration.classify = { message, _ in message.starts(with: Data("MSG ".utf8)) ? .progress : .reply }
        configuration.cancelMessage = Data("CANCEL".utf8)
        let bus = options.simulate ? BusAddress.address(try await simulated.start()) : .system
        let manager = BluetoothManager.use(ExchangeTerminal(CentralManager(bus: bus), configuration))
        self.manager = manager
        let device = try await search()
        try await open(device, manager)
        try await exchange("PAY 12.50", manager)
        try await exchange("PAY 99.00", manager, cancelling: true)
        try await exchange("RESET PINPAD", manager)
        manager.closeResource()
        try await open(device, manager)
        try await exchange("PAY 7.00", manager)
    }

    private func search() async throws -> DeviceInfo {
        let wanted = options.device ?? "TERMINAL"
        try StandardOutput.writeLine("Searching for \(wanted)...")
        let code = await BluetoothManager.searchDevices(
            self, detectAudioDevice: false, detectBluetooth: true, timeout: 0)
        guard code == .begun else { throw CommandFailure(.unavailable, "The search failed: \(code.rawValue), \(code)") }
        for await event in events {
            switch event {
            case .found(let device) where [device.getName(), device.getIdentifier()].contains(wanted): return device
            case .searchEnded: throw CommandFailure(.timedOut, "\(wanted) was not found")
            default: break
            }
        }
        throw CancellationError()
    }

    private func open(_ device: DeviceInfo, _ manager: BluetoothManager) async throws {
        try StandardOutput.writeLine("Opening \(device.getName() ?? "") \(device.getIdentifier())...")
        let code = await manager.openDevice(device.getIdentifier())
        guard code == .opened else { throw CommandFailure(.connection, "Opening failed: \(code.rawValue), \(code)") }
    }

    private func exchange(_ request: String, _ manager: BluetoothManager, cancelling: Bool = false) async throws {
        try StandardOutput.writeLine("> \(request)")
        let code = manager.exchangeData(Data(request.utf8), timeout: 60_000, cb: self)
        guard code == .accepted else { throw CommandFailure(.software, "Refused: \(code.rawValue), \(code)") }
        for await event in events {
            switch event {
            case .progress(let data):
                try StandardOutput.writeLine("  \(String(decoding: data, as: UTF8.self))")
                if cancelling { _ = manager.cancelExchange() }
            case .reply(let data): return try StandardOutput.writeLine("< \(String(decoding: data, as: UTF8.self))")
            case .failed(.cancelSucceeded, _) where cancelling && SignalWatch.shared.number == nil:
                return try StandardOutput.writeLine("  cancelled")
            case .failed(let code, let message):
                throw CommandFailure(code == .timedOut ? .timedOut : .connection, message)
            case .found, .searchEnded: break
            }
        }
        throw CancellationError()
    }
}

/// A simulator with a payment terminal, "TERMINAL". No card is inserted for the payment of 99.00.
@SimulatorActor final class SimulatedTerminal {
    private static let replies = [
        "PAY 12.50": ["MSG Insert card", "MSG Enter PIN", "APPROVED 12.50"], "PAY 7.00": ["APPROVED 7.00"],
        "PAY 99.00": ["MSG Insert card"], "CANCEL": ["CANCELLED"], "RESET PINPAD": ["RESETTING"],
    ]
    private var simulation: (bluez: SimulatedBlueZ, device: SimulatedSerialDevice)?

    /// Starts the simulator, and returns the address of its message bus.
    func start() async throws -> String {
        let bluez = try await SimulatedBlueZ()
        let script = ResponseScript(Self.replies.map { .init(Array("\($0)\n".utf8), $1.map { Array("\($0)\n".utf8) }) })
        simulation = (bluez, try SimulatedSerialDevice(in: bluez, name: "TERMINAL", script: script))
        simulation?.device.interval = .milliseconds(300)
        return bluez.address
    }

    /// Ends the simulator and its bus.
    func stop() { simulation = nil }
}
