import BlueZDBus
import BlueZSimulator

/// A client's connection to a `TestBus`: its authentication, and the bytes of its messages.
@SimulatorActor final class BusClient {
    /// The unique name; empty before Hello.
    var name = ""
    /// The rules, as often as they were added.
    var rules: [BusRule] = []

    private let socket: StreamSocket
    private let messageHandler: (BusClient, ArraySlice<UInt8>, [UnixFileDescriptor]) -> Void
    private let endHandler: (BusClient) -> Void
    private var token: EventLoop.Token?
    private var isAuthenticating = true
    private var received: [UInt8] = []
    private var descriptors: [UnixFileDescriptor] = []
    private var waiting: [StreamSocket.Portion] = []
    /// How many bytes of the first waiting portion are sent.
    private var sentCount = 0

    init(
        _ socket: StreamSocket,
        message: @escaping (BusClient, ArraySlice<UInt8>, [UnixFileDescriptor]) -> Void,
        end: @escaping (BusClient) -> Void
    ) {
        self.socket = socket
        messageHandler = message
        endHandler = end
        token = SimulatorActor.loop.addSource(descriptor: socket.descriptor.rawValue, events: .readable) {
            [weak self] events in SimulatorActor.assumeIsolated { self?.handle(events) }
        }
    }

    /// Sends a message.
    func send(_ bytes: [UInt8], _ descriptors: [UnixFileDescriptor] = []) {
        guard token != nil else { return }
        waiting.append(StreamSocket.Portion(bytes, descriptors))
        flush()
    }

    /// Ends the connection.
    func close() {
        guard let token else { return }
        self.token = nil
        SimulatorActor.loop.removeSource(token)
        socket.shutDown()
    }

    private func handle(_ events: PollEvents) {
        if events.contains(.writable) { flush() }
        guard !events.subtracting(.writable).isEmpty else { return }
        switch socket.receivePortion(limit: 65536) {
        case .portion(let portion):
            received += portion.bytes
            descriptors += portion.descriptors
            if isAuthenticating { authenticate() }
            if !isAuthenticating { takeMessages() }
        case .nothing: break
        case .end: end()
        }
    }

    private func end() {
        guard token != nil else { return }
        close()
        endHandler(self)
    }

    /// Answers the lines of the authentication (D-Bus specification, "Authentication Protocol"). Whoever can reach the
    /// socket is accepted.
    private func authenticate() {
        if received.first == 0 { received.removeFirst() }
        while isAuthenticating, let end = received.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: received[..<end], as: UTF8.self)
            received.removeSubrange(...end)
            if line.hasPrefix("AUTH EXTERNAL ") {
                send(Array("OK 0123456789abcdef0123456789abcdef\r\n".utf8))
            } else if line.hasPrefix("AUTH") {
                send(Array("REJECTED EXTERNAL\r\n".utf8))
            } else if line.hasPrefix("NEGOTIATE_UNIX_FD") {
                send(Array("AGREE_UNIX_FD\r\n".utf8))
            } else if line.hasPrefix("BEGIN") {
                isAuthenticating = false
            } else {
                send(Array("ERROR\r\n".utf8))
            }
        }
    }

    private func takeMessages() {
        var begin = 0
        while token != nil {
            do throws(DBusError) {
                let size = try Message.size(startingWith: received[begin...])
                guard let size, size <= received.count - begin else { break }
                let bytes = received[begin..<(begin + size)]
                begin += size
                let count = try Message.decode(bytes).descriptorCount
                let own = Array(descriptors.prefix(count))
                descriptors.removeFirst(own.count)
                messageHandler(self, bytes, own)
            } catch {
                return end()
            }
        }
        received.removeFirst(begin)
    }

    private func flush() {
        while let portion = waiting.first {
            let descriptors = sentCount == 0 ? portion.descriptors : []
            // The end is noticed by reading.
            guard let count = socket.send(portion.bytes[sentCount...], descriptors) else { return waiting = [] }
            sentCount += count
            guard sentCount == portion.bytes.count else { break }
            sentCount = 0
            waiting.removeFirst()
        }
        guard let token else { return }
        let events: PollEvents = waiting.isEmpty ? .readable : [.readable, .writable]
        SimulatorActor.loop.updateSource(token, descriptor: socket.descriptor.rawValue, events: events)
    }
}
