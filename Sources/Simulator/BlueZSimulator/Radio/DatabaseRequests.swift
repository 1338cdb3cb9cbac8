import BlueZServer
import BlueZValues

/// Requests to a database.
typealias DatabaseRequests = ATTRequests<DatabaseServer>

extension DatabaseRequests {
    var mtu: Int { responder.mtu }

    /// Ends the requests and the use of the database.
    func close() { close { responder.close() } }

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

    func command(_ value: [UInt8], to handle: UInt16) { command { $0.command(value, to: handle) } }

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
