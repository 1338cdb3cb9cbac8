import BlueZServer
import BlueZValues

/// The requests of one end of a link to the database of the other end. ATT allows one request at a time, so others
/// wait.
@SimulatorActor final class DatabaseRequests {
    typealias ResponseHandler = @SimulatorActor (ATTResult) -> Void
    typealias Work = @SimulatorActor (DatabaseServer, @escaping ResponseHandler) -> Void
    /// Raises the security of the link for a request that failed. Returns false if it cannot.
    typealias Elevation = @SimulatorActor (ATTError, @escaping @SimulatorActor (Bool) -> Void) -> Bool

    /// One request, until it has a response, is cancelled or is lost.
    @SimulatorActor final class Request: Cancellable {
        let work: Work
        private(set) var completion: ResponseHandler?

        init(work: @escaping Work, completion: @escaping ResponseHandler) {
            self.work = work
            self.completion = completion
        }

        func finish(_ result: ATTResult) {
            let completion = completion
            self.completion = nil
            completion?(result)
        }

        /// Cancels the request. Its response is dropped when it arrives.
        func cancel() { completion = nil }
    }

    let server: DatabaseServer
    /// Whether nothing reaches the other end, although the link has not ended yet.
    var isSilent = false
    var elevation: Elevation?
    private let timeout: Duration
    private let timedOut: @SimulatorActor () -> Void
    private var queue: [Request] = []
    private var current: Request?
    private var isOpen = true
    private var timer: SimulatorActor.ScheduledCall?

    init(to server: DatabaseServer, timeout: Duration, timedOut: @escaping @SimulatorActor () -> Void) {
        self.server = server
        self.timeout = timeout
        self.timedOut = timedOut
    }

    var mtu: Int { server.mtu }

    /// Sends a request when all earlier ones have their responses. Fails if the link is closed.
    @discardableResult
    func send(_ completion: @escaping ResponseHandler, _ work: @escaping Work) -> Request {
        let request = Request(work: work, completion: completion)
        guard isOpen else {
            request.finish(.failure(.unlikelyError))
            return request
        }
        queue.append(request)
        next()
        return request
    }

    private func next() {
        guard isOpen, current == nil, !queue.isEmpty else { return }
        let request = queue.removeFirst()
        guard request.completion != nil else { return next() }
        current = request
        timer = SimulatorActor.schedule(after: timeout) { [weak self] in self?.timedOut() }
        guard !isSilent else { return }
        request.work(server) { [weak self, weak request] result in
            guard let self, let request, self.current === request else { return }
            self.responded(to: request, result)
        }
    }

    private func responded(to request: Request, _ result: ATTResult) {
        guard !isSilent else { return }
        timer?.cancel()
        timer = nil
        if case .failure(let error) = result, request.completion != nil, let elevation {
            let isRaised = elevation(error) { [weak self] isSecure in
                guard let self, isSecure, self.current === request else { return }
                self.current = nil
                self.queue.insert(request, at: 0)
                self.next()
            }
            if isRaised { return }
        }
        current = nil
        request.finish(result)
        next()
    }

    /// Ends the requests. Those that are pending or waiting fail with 0x0e, in order.
    func close() {
        guard isOpen else { return }
        isOpen = false
        timer?.cancel()
        let requests = (current.map { [$0] } ?? []) + queue
        current = nil
        queue.removeAll()
        server.close()
        for request in requests { request.finish(.failure(.unlikelyError)) }
    }
}

extension DatabaseRequests {
    /// Reads a value from an offset on: a read request, or a read blob request if there is an offset.
    @discardableResult
    func read(_ handle: UInt16, offset: UInt16, _ completion: @escaping ResponseHandler) -> Request {
        send(completion) { server, respond in server.read(handle, offset: offset, respond) }
    }

    /// Reads a value from an offset on, in as many requests as it needs, up to the 512th byte (src/shared/gatt-client.c:
    /// append_chunk, read_long_cb).
    @discardableResult
    func readLong(_ handle: UInt16, offset: UInt16, _ completion: @escaping ResponseHandler) -> Request {
        send(completion) { server, respond in Self.readRest(server, handle, offset, [], respond) }
    }

    private static func readRest(
        _ server: DatabaseServer, _ handle: UInt16, _ offset: UInt16, _ read: [UInt8],
        _ respond: @escaping ResponseHandler
    ) {
        server.read(handle, offset: offset) { result in
            guard case .success(let part) = result else { return respond(result) }
            let end = Int(offset) + part.count
            let read = read + part.prefix(max(0, 512 - Int(offset)))
            guard part.count >= server.mtu - 1, end < 512 else { return respond(.success(read)) }
            readRest(server, handle, UInt16(end), read, respond)
        }
    }

    @discardableResult
    func write(_ value: [UInt8], to handle: UInt16, _ completion: @escaping ResponseHandler) -> Request {
        send(completion) { server, respond in server.write(value, to: handle, respond) }
    }

    /// Sends a command, which has no response, ahead of the waiting requests.
    func command(_ value: [UInt8], to handle: UInt16) {
        if isOpen, !isSilent { server.command(value, to: handle) }
    }

    /// Prepares parts of a value, and then writes them, unless one is refused.
    @discardableResult
    func prepare(
        _ parts: [(offset: UInt16, value: [UInt8])], of handle: UInt16, executes: Bool = true,
        _ completion: @escaping ResponseHandler
    ) -> Request {
        send(completion) { server, respond in
            Self.prepare(parts[...], server, handle) { result in
                guard case .success = result else {
                    // A central then cancels what was prepared.
                    return server.execute(false) { _ in respond(result) }
                }
                if executes { server.execute(true, respond) } else { respond(result) }
            }
        }
    }

    private static func prepare(
        _ parts: ArraySlice<(offset: UInt16, value: [UInt8])>, _ server: DatabaseServer, _ handle: UInt16,
        _ respond: @escaping ResponseHandler
    ) {
        guard let part = parts.first else { return respond(.success([])) }
        server.prepare(part.value, to: handle, offset: part.offset) { result in
            guard case .success = result else { return respond(result) }
            prepare(parts.dropFirst(), server, handle, respond)
        }
    }

    /// Writes a long value, or a part of one, by prepared writes.
    @discardableResult
    func writeLong(
        _ value: [UInt8], to handle: UInt16, offset: UInt16, _ completion: @escaping ResponseHandler
    ) -> Request {
        let size = mtu - 5
        let parts = stride(from: 0, to: max(value.count, 1), by: size).map { start in
            (offset: offset &+ UInt16(clamping: start), value: Array(value.dropFirst(start).prefix(size)))
        }
        return prepare(parts, of: handle, completion)
    }
}

/// The result of an ATT request.
package typealias ATTResult = Result<[UInt8], ATTError>

extension ATTError {
    /// Whether bluetoothd pairs and repeats the request.
    var needsPairing: Bool { self == .insufficientAuthentication || self == .insufficientEncryption }
}
