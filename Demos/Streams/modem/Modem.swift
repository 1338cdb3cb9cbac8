import BlueZScript
import BlueZSerial
import BlueZSimulatedSerial
import CoreBlueZ
import Dispatch
import Glibc

/// One run: lists the devices, connects to one, sends the typed lines, and always disconnects.
@BluetoothActor final class Modem {
    private var options: ModemTool
    private let input = TypedLines()
    private var simulated: SimulatedModem?
    private lazy var central = TxRxCentral(CentralManager(bus: simulated.map { .address($0.address) } ?? .system))
    private var device: TxRxDevice?
    private var failure: CommandFailure?

    init(_ options: ModemTool) { self.options = options }

    /// Runs all steps.
    ///
    /// - Throws: the first failure. A signal is not one, unless the link cannot be ended.
    func run() async throws {
        let work = Task { @BluetoothActor in try await self.work() }
        SignalWatch.shared.start { work.cancel() }
        if case .failure(let error) = await work.result { fail(error) }
        if SignalWatch.shared.number != nil { failure = nil }
        if let device, device.peripheral.hasOwnLink {
            do { try await device.disconnect() } catch { fail(error) }
        }
        await simulated?.stop()
        if let failure { throw failure }
    }

    private func work() async throws {
        if options.simulate { simulated = try await SimulatedModem.start() }
        central.eventHandler = { [weak self] in self?.handle($0) }
        async let scan: Void = central.startScan()
        if options.device == nil { options.device = await input.next() }
        guard let name = options.device else { return }
        let timer = Task { @BluetoothActor in
            try await BluetoothActor.sleep(for: options.timeout)
            central.stopScan()
        }
        if found != nil { central.stopScan() }
        try await scan
        timer.cancel()
        guard let device = found else {
            throw CommandFailure(.timedOut, "No device with the name \(name) was found; is it in range?")
        }
        self.device = device
        try await device.connect()
        while let command = await input.next() {
            // The events show the reply, or the error.
            do { _ = try await device.send(command) } catch { fail(error) }
        }
    }

    /// The device with the name from the arguments or the input, once the scan has found it.
    private var found: TxRxDevice? {
        options.device.flatMap { central.device(withIndexedName: $0) ?? central.device(named: $0) }
    }

    private func handle(_ event: TxRxEvent) {
        if case .received(_, let reply) = event { return show(reply) }
        StandardError.writeLine(event.message)
        switch event {
        case .scanBegan where options.device == nil: StandardError.writeLine("Type the name of a device.")
        case .found where found != nil: central.stopScan()
        case .scanFailed(let error), .disconnected(_, let error?): fail(error, isLast: true)
        default: break
        }
    }

    private func show(_ reply: some Collection<UInt8>) {
        let lines = String(decoding: reply, as: UTF8.self).split(whereSeparator: \.isNewline)
        let text = lines.map { "\(String($0).escapedForTerminal())\n" }.joined()
        do { try StandardOutput.write(text.utf8) } catch { fail(error, isLast: true) }
    }

    private func fail(_ error: any Error, isLast: Bool = false) {
        let isForeign = (error as? BluetoothError)?.code == .profileNotRecognized
        failure = failure ?? (isForeign ? CommandFailure(.notFound, "\(error)") : CommandFailure(any: error))
        if isLast { input.end() }
    }
}

/// The typed input, line by line. Reading blocks, so each line is read on its own thread.
final class TypedLines: Sendable {
    private let queue = DispatchQueue(label: "standard input")
    private let lines = AsyncStream<String>.makeStream()

    /// The next line that is not empty, or 64 KiB of it; nil at the end of the input, after `end` or a cancellation.
    func next() async -> String? {
        queue.async { [self] in
            var line: [UInt8] = []
            while line.count < 1 << 16, let byte = UInt8(exactly: getchar()), byte != 10 || line.isEmpty {
                if byte != 10 { line.append(byte) }
            }
            if line.isEmpty { end() } else { lines.continuation.yield(String(decoding: line, as: UTF8.self)) }
        }
        return await lines.stream.first { _ in true }
    }

    func end() { lines.continuation.finish() }
}
