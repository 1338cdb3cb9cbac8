import DBus
import FoundationEssentials

/// A request for an attribute's value, or for a part of it.
@BluetoothActor final class ReadRequest: AttributeRequest {
    typealias Completion = @BluetoothActor (Data?, BluetoothError?) -> Void

    /// Where the part begins; nil for the whole value, which the attribute takes before the completion does.
    private let offset: Int?
    private let completion: Completion
    /// Whether the whole value is read, and the part is taken out of it here.
    private var isCut = false
    private var value: Data?

    init(
        _ attribute: any Attribute, at place: AttributePlace, from offset: Int? = nil,
        completion: @escaping Completion
    ) {
        self.offset = offset
        self.completion = completion
        super.init("Reading", attribute, .read, at: place)
    }

    /// A completion that gives the result to one that takes it in one piece.
    static func completion(of whole: @escaping @BluetoothActor (Result<Data, BluetoothError>) -> Void) -> Completion {
        { value, error in whole(error.map { .failure($0) } ?? .success(value ?? Data())) }
    }

    /// Before 5.60 bluetoothd answers with the value from its beginning, whatever the offset is (src/gatt-client.c:
    /// chrc_read_cb, desc_read_cb). It does not say its version; one that reports MTUs is at least 5.62.
    override func call(_ path: ObjectPath) throws(DBusError) -> Message {
        isCut = offset != nil && route?.mirror.reportsMTUs != true
        guard let offset, !isCut else { return try attribute.readCall(path) }
        let message = try BlueZ.call(path, type(of: attribute).interface, "ReadValue")
        try message.write { (writer) throws(DBusError) in
            try writer.append(.properties(["offset": .uint16(UInt16(clamping: offset))]))
        }
        return message
    }

    override func take(_ answer: Message) throws(DBusError) {
        let value = try answer.firstBytes()
        self.value = value
        guard let offset else { return attribute.didRead(value) }
        guard isCut else { return }
        // The peripheral's own answer to such an offset, in BlueZ's words.
        guard offset <= value.count else {
            throw DBusError(name: "org.bluez.Error.InvalidArguments", message: "Invalid offset")
        }
        self.value = Data(value.dropFirst(offset))
    }

    override func complete(_ error: BluetoothError?) {
        if case .none = error { completion(value, nil) } else { completion(nil, error) }
    }
}

extension Attribute {
    @discardableResult
    func startReading(_ completion: @escaping ReadRequest.Completion) -> AttributeRequest {
        let place = AttributePlace(self)
        return ReadRequest(self, at: place, completion: completion).start(at: place)
    }
}

/// A request whose answer has nothing to read.
@BluetoothActor final class PlainRequest: AttributeRequest {
    typealias Completion = @BluetoothActor (Result<Void, BluetoothError>) -> Void

    private let build: @BluetoothActor (ObjectPath) throws(DBusError) -> Message
    private let completion: Completion

    init(
        _ verb: String,
        _ attribute: any Attribute,
        _ request: Request,
        lane: CallGate.Lane = .attribute,
        build: @escaping @BluetoothActor (ObjectPath) throws(DBusError) -> Message,
        completion: @escaping Completion
    ) {
        self.build = build
        self.completion = completion
        super.init(verb, attribute, request, at: AttributePlace(attribute), lane: lane)
    }

    override func call(_ path: ObjectPath) throws(DBusError) -> Message { try build(path) }

    override func complete(_ error: BluetoothError?) { completion(error.map { .failure($0) } ?? .success(())) }
}

/// A request for one of a characteristic's sockets.
@BluetoothActor final class AcquireRequest<Value>: AttributeRequest {
    typealias Completion = @BluetoothActor (Result<Value, BluetoothError>) -> Void

    private let build: @BluetoothActor (ObjectPath) throws(DBusError) -> Message
    private let read: @BluetoothActor (Message) throws(DBusError) -> Value
    private let completion: Completion
    private var value: Value?

    init(
        _ verb: String,
        _ attribute: any Attribute,
        build: @escaping @BluetoothActor (ObjectPath) throws(DBusError) -> Message,
        read: @escaping @BluetoothActor (Message) throws(DBusError) -> Value,
        completion: @escaping Completion
    ) {
        self.build = build
        self.read = read
        self.completion = completion
        super.init(verb, attribute, .notify, at: AttributePlace(attribute))
    }

    override func call(_ path: ObjectPath) throws(DBusError) -> Message { try build(path) }

    override func take(_ answer: Message) throws(DBusError) { value = try read(answer) }

    override func complete(_ error: BluetoothError?) {
        if let error { return completion(.failure(error)) }
        guard let value else { return }
        self.value = nil
        completion(.success(value))
    }
}
