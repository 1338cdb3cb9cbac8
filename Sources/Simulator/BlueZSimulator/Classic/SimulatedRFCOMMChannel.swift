import BlueZDBus
import BlueZServer

/// A classic device's end of an RFCOMM channel. Without a handler, nothing is read, so the client has to wait.
@SimulatorActor public final class SimulatedRFCOMMChannel {
    /// The UUID of the service.
    public let uuid: BluetoothUUID
    /// Called with the bytes that arrive. While it is nil, or many bytes wait to be sent, nothing is read.
    public var receiveHandler: (@SimulatorActor ([UInt8]) -> Void)? { didSet { update() } }
    /// Called once when the client has closed the channel or the link has ended.
    public var endHandler: (@SimulatorActor () -> Void)?
    /// The number of bytes that have arrived.
    public private(set) var receivedCount = 0
    /// The number of bytes that wait to be sent.
    public var waitingToBeSent: Int { output.count }
    /// Whether neither end has closed the channel.
    public private(set) var isOpen = true

    /// Called when the channel has ended, so that bluetoothd forgets it.
    private let closed: @SimulatorActor () -> Void
    private weak var peripheral: SimulatedPeripheral?
    private let socket: StreamSocket
    private var output: [UInt8] = []
    private var token: EventLoop.Token?
    private var endsWhenSent = false

    private static let outputLimit = 1 << 18

    init(
        _ socket: StreamSocket, uuid: BluetoothUUID, of peripheral: SimulatedPeripheral,
        closed: @escaping @SimulatorActor () -> Void
    ) {
        self.socket = socket
        self.peripheral = peripheral
        self.closed = closed
        self.uuid = uuid
        let descriptor = socket.descriptor.rawValue
        token = SimulatorActor.loop.addSource(descriptor: descriptor, events: []) { [weak self] events in
            SimulatorActor.assumeIsolated { self?.handle(events) }
        }
    }

    isolated deinit { stop() }

    /// Sends bytes after those that are waiting.
    public func send(_ bytes: [UInt8]) {
        guard isOpen, !endsWhenSent else { return }
        output += bytes
        pump()
    }

    /// Sends back everything that is received.
    public func echo() {
        receiveHandler = { [weak self] in self?.send($0) }
    }

    /// Closes the channel when all waiting bytes are sent. The client receives them, and then the end.
    public func closeWhenSent() {
        endsWhenSent = true
        pump()
    }

    /// Closes the channel immediately.
    public func close() {
        guard isOpen else { return }
        stop()
        endHandler?()
        closed()
    }

    private func stop() {
        isOpen = false
        if let token { SimulatorActor.loop.removeSource(token) }
        token = nil
        socket.shutDown()
    }

    private func update() {
        guard let token else { return }
        var events: PollEvents = []
        if receiveHandler != nil, output.count < Self.outputLimit { events.insert(.readable) }
        if !output.isEmpty { events.insert(.writable) }
        SimulatorActor.loop.updateSource(token, descriptor: socket.descriptor.rawValue, events: events)
    }

    private func handle(_ events: PollEvents) {
        if events.contains(.writable) { pump() }
        if events.contains(.readable), isOpen {
            switch socket.receive(limit: 1 << 16) {
            case .bytes(let bytes):
                receivedCount += bytes.count
                receiveHandler?(bytes)
            case .nothing: break
            case .end: return close()
            }
        }
        if events.contains(.hangUp) || events.contains(.error), !events.contains(.readable) { close() }
    }

    private func pump() {
        while isOpen, !output.isEmpty {
            guard let count = socket.send(output[...]) else { return close() }
            if count == 0 { break }
            output.removeFirst(count)
        }
        if endsWhenSent, output.isEmpty { return close() }
        update()
    }
}

extension SimulatedRFCOMMChannel: RadioChannel {
    package func opened() { peripheral?.opened(self) }
}
