import BlueZClient
import BlueZDBus
import DequeModule
import FoundationEssentials

/// This program's end of the socket that bluetoothd has acquired for a central's notifications. What is sent there
/// reaches only that central. Its end is the end of the subscription.
@BluetoothActor final class SubscriberSocket {
    /// How many values wait for space in the socket.
    private static let capacity = 1024
    /// After this, bluetoothd ends a link whose central has not confirmed (src/shared/att.c: ATT_TIMEOUT_INTERVAL).
    private static let confirmationLimit = Duration.seconds(30)

    /// Called when bluetoothd has closed its end.
    var ended: (@BluetoothActor () -> Void)?
    private let packets: PacketSocket
    private var token: EventLoop.Token?
    /// Whether the central may have chosen indications. Then it confirms all values, those of `notify` too.
    private let mayIndicate: Bool
    private var waiting: Deque<(value: Data, operation: Operation<Void>, isIndication: Bool)> = []
    /// The values that may be confirmed, in order; nil for a value whose confirmation nobody waits for.
    private var unconfirmed: Deque<Operation<Void>?> = []
    /// The time at which the first of them came to its place.
    private var firstSince = MonotonicInstant.now

    init(_ packets: PacketSocket, mayIndicate: Bool) {
        self.packets = packets
        self.mayIndicate = mayIndicate
        token = BluetoothActor.loop.addSource(
            descriptor: packets.descriptor.rawValue, events: .readable,
            handler: BluetoothActor.handler { [weak self] events in self?.handle(events) })
    }

    isolated deinit { close() }

    /// Sends a value. The operation ends when bluetoothd has it, or if it is an indication, when the central has
    /// confirmed it.
    func send(_ value: Data, _ operation: Operation<Void>, isIndication: Bool) {
        guard waiting.count < Self.capacity else {
            return operation.fail(
                BluetoothError(.overflow, "\(operation.title): \(Self.capacity) values wait to be sent"))
        }
        waiting.append((value, operation, isIndication))
        pump()
    }

    private func pump() {
        while let next = waiting.first {
            guard next.operation.isPending else {
                waiting.removeFirst()
                continue
            }
            switch packets.trySend(next.value) {
            case .full: return setEvents([.readable, .writable])
            case .end: return end()
            case .sent:
                waiting.removeFirst()
                if mayIndicate { expectConfirmation(of: next.isIndication ? next.operation : nil) }
                if !next.isIndication { next.operation.succeed(()) }
            }
        }
        setEvents(.readable)
    }

    private func expectConfirmation(of operation: Operation<Void>?) {
        let now = MonotonicInstant.now
        // The central has chosen notifications, and confirms nothing.
        if !unconfirmed.isEmpty, now - firstSince > Self.confirmationLimit { unconfirmed = [] }
        if unconfirmed.isEmpty { firstSince = now }
        unconfirmed.append(operation)
    }

    private func setEvents(_ events: PollEvents) {
        guard let token else { return }
        BluetoothActor.loop.updateSource(token, descriptor: packets.descriptor.rawValue, events: events)
    }

    private func handle(_ events: PollEvents) {
        while case .bytes = packets.receive(limit: 8) {
            // One byte for each confirmation (src/gatt-database.c: sock_io_write).
            firstSince = .now
            if let operation = unconfirmed.popFirst() { operation?.succeed(()) }
            if token == nil { return }
        }
        if events.contains(.hangUp) || events.contains(.error) { return end() }
        pump()
    }

    private func end() {
        let ended = ended
        close()
        ended?()
    }

    /// Closes the socket. Values that wait fail. Closing again does nothing.
    ///
    /// - Parameter error: the reason; nil if the central is no longer subscribed.
    func close(_ error: BluetoothError? = nil) {
        guard let token = self.token.take() else { return }
        ended = nil
        BluetoothActor.loop.removeSource(token)
        packets.shutDown()
        let operations = waiting.map(\.operation) + unconfirmed.compactMap(\.self)
        waiting = []
        unconfirmed = []
        for operation in operations {
            let title = operation.title
            operation.fail(
                error ?? BluetoothError(.notConnected, "\(title): the central is no longer subscribed"))
        }
    }
}

/// This program's end of the socket that bluetoothd has acquired for writes.
@BluetoothActor final class WriteSocket {
    private static let batch = 32

    /// Called when bluetoothd has closed its end.
    var ended: (@BluetoothActor () -> Void)?
    private let packets: PacketSocket
    private let queue: PacketQueue
    private let received: @BluetoothActor (Data) -> Void
    private var token: EventLoop.Token?

    init(_ packets: PacketSocket, received: @escaping @BluetoothActor (Data) -> Void) {
        self.packets = packets
        self.received = received
        queue = PacketQueue(packets, packetLimit: LocalAttribute.maximumValueLength)
        token = BluetoothActor.loop.addSource(
            descriptor: packets.descriptor.rawValue, events: .readable,
            handler: BluetoothActor.handler { [weak self] _ in self?.handle() })
    }

    isolated deinit { close() }

    private func handle() {
        queue.receive(upTo: Self.batch)
        for _ in 0..<Self.batch {
            guard let value = queue.popFirst() else { break }
            received(value)
            if token == nil { return }
        }
        if queue.count > 0 {
            if let token { BluetoothActor.loop.requestPass(of: token) }
        } else if queue.isAtEnd {
            let ended = ended
            close()
            ended?()
        }
    }

    /// Closes the socket. Closing again does nothing.
    func close() {
        guard let token = self.token.take() else { return }
        ended = nil
        BluetoothActor.loop.removeSource(token)
        packets.shutDown()
    }
}
