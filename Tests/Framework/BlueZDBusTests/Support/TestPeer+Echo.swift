import BlueZDBus
import TestSupport

extension TestPeer {
    static let echo = "org.example.Echo"

    /// Exports `/echo`, whose method Echo answers with its own arguments and whose method Never never answers.
    func exportEcho(_ signatures: [String] = ["ay"]) throws {
        var methods = Set(signatures).map { signature in
            ExportedInterface.Method("Echo", input: signature, output: signature) { call in
                call.reply { (writer) throws(DBusError) in
                    var reader = call.reader
                    for value in try reader.readRemainingValues() { try writer.append(value) }
                }
            }
        }
        methods.append(.init("Never") { $0.abandon() })
        try open.export(ExportedInterface(Self.echo, methods: methods), at: ObjectPath("/echo"))
    }

    /// A call without arguments to an object of another peer.
    func message(_ peer: TestPeer, _ member: String) throws -> Message {
        try Message.methodCall(to: peer.name, path: ObjectPath("/echo"), interface: Self.echo, member: member)
    }
}

/// What completions did, noted on the tests' actor.
@TestActor final class Notes {
    private(set) var results: [Result<Message, DBusError>] = []
    var count: Int { results.count }
    var errors: [String] {
        results.map { result in
            if case .failure(let error) = result { error.name } else { "none" }
        }
    }

    func add(_ result: Result<Message, DBusError>) { results.append(result) }
}

extension Connection {
    /// Sends a signal to one peer.
    func emit(_ member: String, of interface: String, from path: ObjectPath, to name: String) throws(DBusError) {
        let message = try Message.signal(path: path, interface: interface, member: member)
        try message.setDestination(name)
        try send(message)
    }
}
