import BlueZClient
import BlueZDBus
import DequeModule
import FoundationEssentials

/// Writes without response to one characteristic, through a separate socket instead of the message bus.
///
/// Use it for many values per second. While it is open, `Characteristic.writeValue` fails with
/// `BluetoothError.Code.busy` for this characteristic. It is open until you call `close`, until the link ends, or until
/// its last reference is released and everything is written.
///
/// A completion without an error means that bluetoothd has the value, not that the peripheral has received it.
/// bluetoothd accepts much more than it has sent (measured: 3 MB in 0.4 s that took 17 s to deliver). If nothing may be
/// lost, have the peripheral confirm from time to time: write with a response, or use the responses of the protocol.
@BluetoothActor public final class AcquiredWriter {
    /// The characteristic to which values are written; nil if it was released.
    public private(set) weak var characteristic: Characteristic?

    /// The MTU of the link in bytes when the writer was acquired. See `maximumWriteValueLength`.
    public let mtu: Int

    private struct Chunk {
        let bytes: Data
        let operation: Operation<Void>
        let isLast: Bool
    }

    /// How many chunks are sent before other work on the actor runs.
    private static let batch = 64

    private let socket: AcquiredSocket
    private let stallLimit: Duration
    private let writing: String
    private var waiting: Deque<Chunk> = []
    /// Whether `pump` is running, about to run, or waiting for space, so that it need not be called.
    private var isPumping = false
    private var isWaitingForRoom = false
    private var stall: ScheduledCall?
    private var endError: BluetoothError?
    /// A reference to this object, while values wait for space or the reason for the socket's end is awaited.
    private var kept: AcquiredWriter?

    init(_ characteristic: Characteristic, _ socket: AcquiredSocket, stallLimit: Duration) {
        self.characteristic = characteristic
        self.socket = socket
        self.stallLimit = stallLimit
        writing = "Writing \(characteristic.name)"
        mtu = socket.mtu
        socket.watch([]) { [weak self] events in self?.handle(events) }
        socket.lifetime.whenEnded { [weak self] error in self?.end(error) }
    }

    isolated deinit {
        socket.lifetime.succeed(())
    }

    /// Whether values can be written; false after `close` and after the end of the link.
    public var isOpen: Bool { socket.lifetime.isPending }

    /// The greatest length of a value in bytes: the MTU minus 3, at most 512. bluetoothd would silently drop a longer
    /// value, and truncate one of more than 512 bytes.
    public var maximumWriteValueLength: Int { Swift.max(1, Swift.min(mtu - 3, 512)) }

    /// Writes one value. The operation fails with `valueTooLong`, with `invalidArguments` if the value is empty, with
    /// `disconnected` if the link ends, with `timedOut` if bluetoothd takes nothing for as long as
    /// `CentralManager.attributeTimeout`, and with `cancelled` after `close`.
    ///
    /// - Parameters:
    ///   - value: 1 to `maximumWriteValueLength` bytes.
    ///   - completion: gets nil when bluetoothd has the value, or the error.
    public func write(_ value: Data, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        start(value, isCut: false) { completion($0.failure) }
    }

    /// Writes any number of bytes, divided into values of `maximumWriteValueLength` bytes. For characteristics that are
    /// byte streams. It fails with the codes of `write(_:completion:)`.
    ///
    /// - Parameters:
    ///   - bytes: the bytes to write.
    ///   - completion: gets nil when bluetoothd has the last of them, or an error if some may not have been sent.
    public func writeInChunks(_ bytes: Data, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        start(bytes, isCut: true) { completion($0.failure) }
    }

    /// Writes one value; the async form of `write(_:completion:)`.
    public func write(_ value: Data) async throws(BluetoothError) {
        try await AsyncBridge.wait { start(value, isCut: false, $0) }
    }

    /// Writes any number of bytes; the async form of `writeInChunks(_:completion:)`.
    public func writeInChunks(_ bytes: Data) async throws(BluetoothError) {
        try await AsyncBridge.wait { start(bytes, isCut: true, $0) }
    }

    /// Releases the characteristic. Waiting values fail with `BluetoothError.Code.cancelled`.
    public func close() {
        socket.lifetime.succeed(())
    }

    @discardableResult
    private func start(
        _ value: Data,
        isCut: Bool,
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        let operation = Operation<Void>(
            writing, on: socket.lifetime.subject, needsConnection: true, limit: nil,
            in: socket.lifetime.registry, completion: completion
        )
        if let error = refusal(of: value, isCut: isCut, operation.title) {
            BluetoothActor.perform { operation.fail(error) }
            return operation
        }
        var rest = value
        while !rest.isEmpty {
            let bytes = rest.prefix(maximumWriteValueLength)
            rest = rest.dropFirst(bytes.count)
            waiting.append(Chunk(bytes: bytes, operation: operation, isLast: rest.isEmpty))
        }
        // Not immediately, because a completion never runs before its method has returned.
        if !isPumping { pumpSoon() }
        return operation
    }

    private func pumpSoon() {
        isPumping = true
        BluetoothActor.perform { [self] in pump() }
    }

    private func refusal(of value: Data, isCut: Bool, _ title: @autoclosure () -> String) -> BluetoothError? {
        if !isOpen { return endError ?? .cancelled(title()) }
        if value.isEmpty {
            return BluetoothError(
                .invalidArguments, "\(title()): an empty value cannot be sent through a socket; use writeValue")
        }
        guard !isCut, value.count > maximumWriteValueLength else { return nil }
        return BluetoothError(
            .valueTooLong,
            "\(title()): \(value.count) bytes, but at most \(maximumWriteValueLength) fit; see writeInChunks")
    }

    private func handle(_ events: PollEvents) {
        if events.contains(.hangUp) || events.contains(.error) { return socket.peerDidClose() }
        pump()
    }

    /// Sends values while there is space, including those that completions add.
    private func pump() {
        isPumping = true
        for _ in 0..<Self.batch {
            guard isOpen, let chunk = waiting.first else {
                isPumping = false
                stopStallClock()
                setWaitingForRoom(false)
                return kept = nil
            }
            guard chunk.operation.isPending else {
                waiting.removeFirst()
                continue
            }
            switch socket.packets.trySend(chunk.bytes) {
            case .sent:
                stopStallClock()
                waiting.removeFirst()
                if chunk.isLast { chunk.operation.succeed(()) }
            case .full:
                kept = self
                startStallClock()
                return setWaitingForRoom(true)
            case .end:
                kept = self
                return socket.peerDidClose()
            }
        }
        pumpSoon()
    }

    private func setWaitingForRoom(_ isWaiting: Bool) {
        guard isWaiting != isWaitingForRoom else { return }
        isWaitingForRoom = isWaiting
        socket.setEvents(isWaiting ? .writable : [])
    }

    private func startStallClock() {
        guard stall == nil else { return }
        let error = BluetoothError(
            .timedOut, "\(socket.lifetime.title): bluetoothd took nothing for \(stallLimit); the socket is closed")
        stall = BluetoothActor.after(stallLimit) { [weak lifetime = socket.lifetime] in lifetime?.fail(error) }
    }

    private func stopStallClock() {
        stall?.cancel()
        stall = nil
    }

    private func end(_ error: BluetoothError?) {
        stopStallClock()
        defer { kept = nil }
        endError = error
        let pending = waiting
        waiting.removeAll()
        for chunk in pending { chunk.operation.fail(error ?? .cancelled(chunk.operation.title)) }
    }
}
