import BlueZDBus
import TestSupport
import Testing

/// A BlueZ client that knows nothing but D-Bus and writes down what it sees, in order.
@ClientActor final class Client {
    private(set) var connection: Connection?
    /// Signals and answers, one line each: `signal`, `= member` for a reply, `! name: text` for an error.
    private(set) var record: [String] = []
    private(set) var isLost = false
    private var waiters: [() -> Bool] = []

    init(_ address: String) async throws {
        let connection = try Connection(to: .address(address), loop: ClientActor.loop) { [weak self] events in
            ClientActor.assumeIsolated {
                self?.connection?.process(events)
                self?.check()
            }
        }
        self.connection = connection
        connection.signalHandler = { [weak self] message in self?.received(message) }
        connection.disconnectHandler = { [weak self] _ in self?.isLost = true }
        _ = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<String, any Error>) in
            connection.hello(timeout: .ample) { continuation.resume(with: $0) }
        }
        for sender in ["org.bluez", "org.freedesktop.DBus"] {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                connection.addMatch(MatchRule(sender: sender), timeout: .ample) { error in
                    if let error { continuation.resume(throwing: error) } else { continuation.resume() }
                }
            }
        }
    }

    isolated deinit { connection?.close() }

    func close() { connection?.close() }

    func forget() { record.removeAll() }

    private func received(_ message: Message) {
        guard let path = message.path?.string, let member = message.member else { return }
        var reader = message.reader
        let arguments = (try? reader.readRemainingValues()) ?? []
        switch (member, arguments.first) {
        case ("NameAcquired", _), ("NameLost", _): return
        case ("NameOwnerChanged", .string(let name)?) where name != "org.bluez": return
        default: record.append("\(member) \(short(path)) \(arguments.map(text).joined(separator: " "))")
        }
    }

    /// Offers an agent that accepts if there is nothing to compare, and records that it was asked.
    func exportAgent(at path: String) throws {
        let method = ExportedInterface.Method("RequestAuthorization", input: "o") { [weak self] call in
            self?.record.append("? RequestAuthorization")
            call.reply()
        }
        connection?.export(ExportedInterface("org.bluez.Agent1", methods: [method]), at: try ObjectPath(path))
    }

    /// Offers an object.
    func export(_ interface: ExportedInterface, at path: String) throws {
        connection?.export(interface, at: try ObjectPath(path))
    }

    /// Reports that properties of an object have other values, or none.
    func emitChanges(
        of interface: String, at path: String, _ changed: [String: Value], invalidated: [String] = []
    ) throws {
        try connection?.emitPropertiesChanged(
            interface, at: try ObjectPath(path), changed: changed.map { (key: $0.key, value: $0.value) },
            invalidated: invalidated)
    }

    /// Writes down a call to an object that the client offers.
    func note(_ line: String) { record.append(line) }

    /// Calls a method of bluetoothd and writes the answer down.
    @discardableResult
    func call(
        _ path: String,
        _ interface: String,
        _ member: String,
        _ arguments: [Value] = [],
        limit: Duration = .ample
    ) async throws -> [Value] {
        try await start(path, interface, member, arguments, limit: limit).value
    }

    /// Calls a method and goes on.
    func start(
        _ path: String,
        _ interface: String,
        _ member: String,
        _ arguments: [Value] = [],
        limit: Duration = .ample
    ) throws -> Task<[Value], any Error> {
        let message = try Message.methodCall(
            to: "org.bluez", path: ObjectPath(path),
            interface: interface.contains(".DBus.") ? interface : "org.bluez." + interface, member: member
        )
        message.forbidAutoStart()
        try message.write { (writer) throws(DBusError) in for value in arguments { try writer.append(value) } }
        let answer = Answer()
        connection?.call(message, timeout: limit) { [weak self] result in
            let values = result.flatMap { reply in
                do throws(DBusError) {
                    var reader = reply.reader
                    return .success(try reader.readRemainingValues())
                } catch {
                    return Result<[Value], DBusError>.failure(error)
                }
            }
            switch values {
            case .success(let values): self?.record.append("= \(member)" + values.map { " " + text($0) }.joined())
            case .failure(let error): self?.record.append("! \(error.name): \(error.message)")
            }
            answer.finish(values.mapError { $0 })
        }
        return Task { @ClientActor in try await answer.value() }
    }

    /// What an answer's error is, as `name: text`.
    func error(
        _ path: String,
        _ interface: String,
        _ member: String,
        _ arguments: [Value] = []
    ) async throws -> String {
        do {
            let values = try await call(path, interface, member, arguments)
            return "no error but \(values)"
        } catch let error as DBusError {
            return error.description
        }
    }

    /// Waits until a line that contains the text was written down.
    func wait(for line: String, limit: Duration = .ample) async throws {
        try await wait(limit: limit, "\"\(line)\"") { $0.record.contains { $0.contains(line) } }
    }

    func wait(limit: Duration = .ample, _ what: String, until condition: @escaping (Client) -> Bool)
        async throws
    {
        if condition(self) { return }
        let answer = Answer()
        waiters.append { [weak self] in
            guard let self, condition(self) else { return false }
            answer.finish(.success([]))
            return true
        }
        _ = ClientActor.loop.schedule(after: limit) {
            ClientActor.assumeIsolated { answer.finish(.failure(Late(what))) }
        }
        do {
            _ = try await answer.value()
        } catch {
            Issue.record("\(what) did not come; the record is:\n\(record.joined(separator: "\n"))")
            throw error
        }
    }

    private func check() {
        waiters.removeAll { $0() }
    }
}

struct Late: Error {
    let what: String
    init(_ what: String) { self.what = what }
}

/// A value that comes once.
@ClientActor final class Answer {
    private var result: Result<[Value], any Error>?
    private var continuation: CheckedContinuation<[Value], any Error>?

    func finish(_ result: Result<[Value], any Error>) {
        guard self.result == nil else { return }
        self.result = result
        continuation?.resume(with: result)
        continuation = nil
    }

    func value() async throws -> [Value] {
        try await withCheckedThrowingContinuation { continuation in
            // Asked for in here: a task without an executor preference may be suspended before it gets here.
            if let result { continuation.resume(with: result) } else { self.continuation = continuation }
        }
    }
}
