import ArgumentParser
import BLESerial
import CommandLineSupport
import CoreBlueZ
import FoundationEssentials
import PrintableText
import SystemPackage

/// The demo: a payment terminal, by the calls of the MPOS interface. The requests and replies are invented.
@main struct TerminalTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "terminal",
        abstract: "Searches for a payment terminal, pays, cancels a payment, and resets the PIN pad.",
        version: CentralManager.version)

    @Option(help: ArgumentHelp("The terminal's name or address.", valueName: "name"))
    var device: String?
    @Flag(help: "Use a simulated terminal on a message bus of its own; no Bluetooth is needed.")
    var simulate = false

    func validate() throws {
        guard simulate || device != nil else { throw ValidationError("Give --device NAME, or --simulate") }
    }

    static func main() async {
        StandardDescriptors.keepClosed()
        ProgramArguments.require("terminal")
        await main(nil)
    }

    func run() async throws {
        TraceLog.begin([])
        do throws(CommandFailure) {
            try await BluetoothActor.run { () async throws(CommandFailure) in try await Session(self).run() }
        } catch {
            let text = error.message.isEmpty ? "" : "terminal: \(error.message.escapedForTerminal())\n"
            _ = try? FileDescriptor.standardError.writeAll(text.utf8)
            throw ExitCode(error.status.rawValue)
        }
        SignalWatch.shared.endBySignal()
    }
}

/// One run. What the interface calls back becomes an event, for which the steps wait.
@BluetoothActor final class Session: DeviceSearchListener, CommunicationCallBack {
    private enum Event {
        case found(DeviceInfo), searchEnded, progress(Data), reply(Data), failed(ExchangeErrorCode, String)
    }

    private let options: TerminalTool
    private let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    private var simulated: SimulatedTerminal?
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

    /// A signal cancels the payment in progress, or else what is waited for. The link ends whatever happens.
    func run() async throws(CommandFailure) {
        let work = Task { try await self.work() }
        SignalWatch.shared.start {
            Task { @BluetoothActor in if self.manager?.cancelExchange() != .accepted { work.cancel() } }
        }
        var result = await work.result
        let leaving = await Task { try await manager?.terminal.closeResource() }.result
        await simulated?.stop()
        if SignalWatch.shared.number != nil { result = .success(()) }
        for case .failure(let error) in [result, leaving.map { _ in }] { throw CommandFailure(any: error) }
    }

    private func work() async throws {
        if options.simulate { simulated = try await SimulatedTerminal() }
        var configuration = ExchangeTerminal.Configuration()
        configuration.framing = TerminatorFraming(Data("\n".utf8))
        configuration.classify = { message, _ in message.starts(with: Data("MSG ".utf8)) ? .progress : .reply }
        configuration.cancelMessage = Data("CANCEL".utf8)
        let bus = simulated.map { BusAddress.address($0.address) } ?? .system
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
        let wanted = options.device ?? SimulatedTerminal.name
        try show("Searching for \(wanted)...")
        let code = await CommunicationManagerBase.searchDevices(
            self, detectAudioDevice: false, detectBluetooth: true, timeout: 0)
        guard code == .begun else { throw CommandFailure(.unavailable, "The search failed: \(code.rawValue), \(code)") }
        for await event in events {
            if case .found(let device) = event, [device.getName(), device.getIdentifier()].contains(wanted) {
                return device
            }
            if case .searchEnded = event { throw CommandFailure(.timedOut, "\(wanted) was not found") }
        }
        throw CancellationError()
    }

    private func open(_ device: DeviceInfo, _ manager: BluetoothManager) async throws {
        try show("Opening \(device.getName() ?? "") \(device.getIdentifier())...")
        let code = await manager.openDevice(device.getIdentifier())
        guard code == .opened else { throw CommandFailure(.connection, "Opening failed: \(code.rawValue), \(code)") }
    }

    private func exchange(_ request: String, _ manager: BluetoothManager, cancelling: Bool = false) async throws {
        try show("> \(request)")
        let code = manager.exchangeData(Data(request.utf8), timeout: 60_000, cb: self)
        guard code == .accepted else { throw CommandFailure(.software, "Refused: \(code.rawValue), \(code)") }
        for await event in events {
            switch event {
            case .progress(let data):
                try show("  \(String(decoding: data, as: UTF8.self))")
                if cancelling { _ = manager.cancelExchange() }
            case .reply(let data): return try show("< \(String(decoding: data, as: UTF8.self))")
            case .failed(.cancelSucceeded, _) where cancelling && SignalWatch.shared.number == nil:
                return try show("  cancelled")
            case .failed(let code, let message):
                throw CommandFailure(code == .timedOut ? .timedOut : .connection, message)
            case .found, .searchEnded: break
            }
        }
        throw CancellationError()
    }

    private func show(_ line: String) throws(CommandFailure) {
        do {
            try FileDescriptor.standardOutput.writeAll("\(line.escapedForTerminal())\n".utf8)
        } catch {
            if let error = error as? Errno, error == .brokenPipe { throw .outputClosed }
            throw CommandFailure(.inputOutput, "The output cannot be written: \(error)")
        }
    }
}
