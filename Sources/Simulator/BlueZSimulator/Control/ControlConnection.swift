import BlueZDBus
import BlueZJSONLine
import BlueZUnixSockets
import FoundationEssentials

/// A client of the control channel. Its requests are performed one after the other.
@SimulatorActor final class ControlConnection {
    private static let lineLimit = 1 << 20
    private let socket: StreamSocket
    private let control: PeripheralControl
    private let onClose: @SimulatorActor (ControlConnection) -> Void
    private var source: EventLoop.Token?
    private var received: [UInt8] = []
    private var unsent: ArraySlice<UInt8> = []
    private var task: Task<Void, Never>?
    private var isEnding = false

    init(
        _ socket: StreamSocket,
        control: PeripheralControl,
        onClose: @escaping @SimulatorActor (ControlConnection) -> Void
    ) {
        self.socket = socket
        self.control = control
        self.onClose = onClose
        source = SimulatorActor.loop.addSource(descriptor: socket.descriptor.rawValue, events: .readable) {
            [weak self] events in SimulatorActor.assumeIsolated { self?.handle(events) }
        }
    }

    func close() {
        guard let source else { return }
        SimulatorActor.loop.removeSource(source)
        self.source = nil
        task?.cancel()
        socket.shutDown()
        onClose(self)
    }

    /// Closes the connection when its client has received the reason.
    func refuse(_ reason: String) {
        isEnding = true
        send(.failure(reason))
    }

    private func handle(_ events: PollEvents) {
        if events.contains(.writable) { flush() }
        guard source != nil, !events.isDisjoint(with: [.readable, .hangUp, .error]) else { return }
        switch socket.receive(limit: 65536) {
        case .nothing: break
        case .end: return close()
        case .bytes(let bytes): received += bytes
        }
        work()
    }

    /// Starts with the next line when the client has received the response to the one before.
    private func work() {
        defer { watch() }
        guard task == nil, !isEnding, unsent.isEmpty, source != nil else { return }
        guard let end = received.firstIndex(of: UInt8(ascii: "\n")) else {
            if received.count > Self.lineLimit { refuse("The line is over \(Self.lineLimit) bytes") }
            return
        }
        let line = Data(received[..<end])
        received.removeFirst(end + 1)
        task = Task {
            let response = await self.response(to: line)
            task = nil
            send(response)
            work()
        }
    }

    private func response(to line: Data) async -> ControlResponse {
        var response: ControlResponse = ["ok": true]
        do {
            let request = try ControlRequest(line)
            do {
                response.merge(try await control.perform(request)) { $1 }
            } catch {
                response = .failure("\(error)")
            }
            response["id"] = request.identifier
        } catch {
            response = .failure("\(error)")
        }
        return response
    }

    private func send(_ response: ControlResponse) {
        guard source != nil, let data = try? JSONLine.data(response) else { return }
        unsent += data
        unsent.append(UInt8(ascii: "\n"))
        flush()
    }

    private func flush() {
        guard let count = socket.send(unsent) else { return close() }
        unsent = unsent.dropFirst(count)
        guard unsent.isEmpty else { return watch() }
        unsent = []
        if isEnding { close() } else { work() }
    }

    /// Waits for events. Nothing is received while a long response waits for space, or while many lines wait.
    private func watch() {
        guard let source else { return }
        var events: PollEvents = unsent.isEmpty ? [] : .writable
        if unsent.isEmpty, received.count <= Self.lineLimit { events.insert(.readable) }
        SimulatorActor.loop.updateSource(source, descriptor: socket.descriptor.rawValue, events: events)
    }
}
