import BlueZScript
import BlueZSerial
import CoreBlueZ
import FoundationEssentials

/// The stream of one device, across lost links, with the bytes that wait to be sent.
@BluetoothActor final class SerialLink {
    /// An event of the link.
    enum Event {
        case connected(SerialService, isAgain: Bool)
        case lost(BluetoothError)
        /// Another attempt has failed, with a different error than the last one.
        case stillLost(String)
        /// Bytes to be sent are lost, or may be.
        case unsent(String)
    }

    /// How many bytes may wait to be sent before `hasRoom` is false.
    static let limit = 1 << 16
    /// How many are passed to the stream at a time.
    private static let chunk = 1 << 14

    /// Receives bytes from the device.
    var receiveHandler: (@BluetoothActor (Data) -> Void)?
    var eventHandler: (@BluetoothActor (Event) -> Void)?
    /// Called when there is space again, and when everything is sent.
    var spaceHandler: (@BluetoothActor () -> Void)?
    /// Takes over the stream each time it is opened; without it, bytes go through `send` and `receiveHandler`.
    var user: (@BluetoothActor (SerialService) -> Void)?
    /// The stream, while it is open.
    private(set) var service: SerialService?
    /// The profile of the device, once it was opened.
    private(set) var profile: SerialProfile?

    private let session: Session
    private let connection: ConnectionOptions
    private let choice: SerialProfileChoice?
    private let options: SerialOptions
    private let reconnects: Bool
    private let device: String
    private var peripheral: Peripheral?
    private var pending = Data()
    private var isSending = false
    private var ends: AsyncStream<BluetoothError?>
    private var report: AsyncStream<BluetoothError?>.Continuation
    private var openings: [CheckedContinuation<Void, Never>] = []
    /// What was last said about an attempt to connect again; nil before one has begun.
    private var told: String?
    /// Why the connection is no longer kept.
    private var failure: BluetoothError?
    private var isClosed = false

    init(_ session: Session, _ device: String, _ command: SerialCommand) {
        self.session = session
        self.device = device
        connection = command.connection
        choice = command.profile
        var options = SerialOptions()
        if command.withoutResponse { options.writing = .acquired }
        self.options = options
        reconnects = command.reconnects
        (ends, report) = AsyncStream.makeStream(of: BluetoothError?.self)
    }

    // MARK: Opening

    /// Finds the device, connects and opens the stream.
    func open() async throws {
        let peripheral = try await session.services(device, connection)
        self.peripheral = peripheral
        try await openStream(peripheral)
        if let service { eventHandler?(.connected(service, isAgain: false)) }
    }

    private func openStream(_ peripheral: Peripheral) async throws {
        let service = try await recognize(peripheral)
        service.endHandler = { [weak self, weak service] error in self?.ended(service, error) }
        service.eventHandler = nil
        try await session.access("Opening the serial port of \(peripheral.displayName)", peripheral) {
            [options] in
            try await service.open(options)
        }
        guard !isClosed else { return service.close() }
        // It may have ended already, before there was a handler.
        guard service.isOpen else {
            throw CommandFailure.linkLost(peripheral)
        }
        self.service = service
        profile = service.profile
        if let user {
            user(service)
        } else {
            service.receiveHandler = { [weak self] bytes in self?.receiveHandler?(bytes) }
        }
        pump()
        for opening in openings { opening.resume() }
        openings = []
    }

    private func recognize(_ peripheral: Peripheral) async throws -> SerialService {
        let profiles = try choice.map { [try $0.profile(on: peripheral)] } ?? SerialProfile.recognizable
        do {
            return try await session.deadline.run("Recognising the profile") {
                try await peripheral.discoverSerialService(profiles)
            }
        } catch let error as BluetoothError where error.code == .profileNotRecognized {
            throw CommandFailure(
                .notFound,
                "\(peripheral.mismatch(with: profiles))\n"
                    + "To list its services: gatt inspect. For an HM-10 or another profile: --profile")
        }
    }

    /// Handles the end of the stream, with or without an error.
    func ended(_ service: SerialService?, _ error: BluetoothError?) {
        guard let service, service === self.service else { return }
        self.service = nil
        report.yield(error)
    }

    /// Connects and opens the stream again whenever it ends. Throws if it does not reconnect, or when the task is
    /// cancelled.
    func keepOpen() async throws {
        let kept = reconnects ? keepConnection() : nil
        defer { kept?.cancel() }
        for await error in ends {
            let error = error ?? BluetoothError(.disconnected, "The serial port was closed")
            guard let kept else { throw CommandFailure(ExitStatus(error), error.description) }
            eventHandler?(.lost(error))
            kept.renew(error)
        }
        if let failure { throw failure }
        try Task.checkCancellation()
    }

    private func keepConnection() -> KeptConnection<Peripheral>? {
        guard let peripheral, let address = peripheral.address else { return nil }
        let policy = ReconnectPolicy(
            longestDelay: .seconds(10),
            options: ConnectOptions(timeout: connection.timeout, retries: connection.retries))
        return peripheral.central?.keepConnected(to: address, policy: policy) { [weak self] state in
            switch state {
            case .connecting: self?.told = self?.told ?? ""
            case .connected: self?.told = nil
            case .disconnected(let error): self?.attemptFailed(error)
            case .stopped(let error?):
                self?.failure = error
                self?.report.finish()
            default: break
            }
        } setUp: { [weak self] peripheral in
            try await self?.reopen(peripheral)
        }
    }

    private func attemptFailed(_ error: BluetoothError) {
        guard let told, error.description != told else { return }
        self.told = error.description
        eventHandler?(.stillLost(error.description))
    }

    private func reopen(_ peripheral: Peripheral) async throws {
        if service?.isOpen == true { return }
        try await session.prepare(peripheral, connection)
        try await openStream(peripheral)
        if let service { eventHandler?(.connected(service, isAgain: true)) }
    }

    /// Waits until the stream is open.
    func whenOpen() async {
        if service == nil { await withCheckedContinuation { openings.append($0) } }
    }

    /// Ends the stream; waiting bytes are not sent.
    func close() {
        isClosed = true
        let service = self.service.take()
        pending = Data()
        service?.close()
        report.finish()
        for opening in openings { opening.resume() }
        openings = []
    }

    // MARK: Sending

    /// Whether more bytes should be accepted.
    var hasRoom: Bool { pending.count < Self.limit }

    /// Whether all bytes have been sent.
    var isIdle: Bool { pending.isEmpty && !isSending }

    /// Sends bytes after those that wait; while there is no link, they wait for it.
    func send(_ bytes: Data) {
        pending.append(bytes)
        pump()
    }

    private func pump() {
        guard !isSending, !pending.isEmpty, let service, service.isOpen else { return }
        let chunk = Data(pending.prefix(Self.chunk))
        pending = Data(pending.dropFirst(chunk.count))
        isSending = true
        let start = service.handedOver
        service.send(chunk) { [weak self] error in self?.sent(chunk, from: start, service, error) }
    }

    private func sent(_ chunk: Data, from start: Int, _ service: SerialService, _ error: BluetoothError?) {
        isSending = false
        if let error { keepUnsent(chunk, from: start, service, error) }
        pump()
        if hasRoom { spaceHandler?() }
    }

    /// Bytes that bluetoothd never got are sent over the next link. Bytes that it got but the device has not confirmed
    /// are not sent again: the device may have them.
    private func keepUnsent(_ chunk: Data, from start: Int, _ service: SerialService, _ error: BluetoothError) {
        let gone = min(max(0, service.handedOver - start), chunk.count)
        if service.isOpen {
            eventHandler?(.unsent("\(chunk.count - gone) bytes were refused: \(error)"))
        } else if reconnects {
            pending = Data(chunk.dropFirst(gone)) + pending
            let doubtful = service.unconfirmed.count
            if doubtful > 0 { eventHandler?(.unsent("\(doubtful) bytes may not have arrived")) }
        }
    }
}
