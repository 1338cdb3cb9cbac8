import BlueZClient
import BlueZDBus
import FoundationEssentials

/// An attribute that this program offers to centrals: a ``LocalCharacteristic`` or a ``LocalDescriptor``.
///
/// Without handlers, reads return `value` and writes replace it. For anything else, set `readHandler` and
/// `writeHandler`, or override `didReceiveRead` and `didReceiveWrite` in a subclass.
@BluetoothActor open class LocalAttribute {
    /// Handles a read. See ``ReadRequest``.
    public typealias ReadHandler = @BluetoothActor (ReadRequest) -> Void
    /// Handles a write. See ``WriteRequest``.
    public typealias WriteHandler = @BluetoothActor (WriteRequest) -> Void

    /// The greatest number of bytes of a value (Core Specification, volume 3, part F, 3.2.9).
    public nonisolated static let maximumValueLength = 512

    /// The UUID that identifies the kind of attribute.
    public nonisolated let uuid: BluetoothUUID

    /// The permitted requests, and the security that they need.
    public nonisolated let permissions: AttributePermissions

    /// The value that reads return and writes replace if there are no handlers. At most 512 bytes; changing it notifies
    /// nobody.
    public var value: Data

    /// The handle that the attribute must have; nil, the default, lets bluetoothd choose. For a characteristic it is the
    /// handle of the value, which follows that of the declaration. Set it before the service is published.
    public var requestedHandle: UInt16?

    /// The handle that bluetoothd has assigned; nil while the service is not published. For a characteristic it is the
    /// handle of the value.
    public internal(set) var handle: UInt16?

    /// Handles reads; the same as overriding `didReceiveRead`.
    public var readHandler: ReadHandler?

    /// Handles writes; the same as overriding `didReceiveWrite`.
    public var writeHandler: WriteHandler?

    /// The manager that publishes the attribute.
    weak var manager: PeripheralManager?
    var path: ObjectPath?
    /// The values of long reads that have not ended, by central. A part that comes later than a transaction may take
    /// (Core Specification, volume 3, part F, 3.3.3) is a new read.
    private(set) var longReads: [ObjectPath: (value: Data, end: MonotonicInstant)] = [:]
    private static let transaction = TimeLimit(.seconds(30))
    private struct Waiting {
        weak var request: LocalRequest?
    }
    /// The requests whose handlers have not responded yet, in the order in which they arrived.
    private var waiting: [Waiting] = []

    init(_ uuid: BluetoothUUID, permissions: AttributePermissions, value: Data) {
        self.uuid = uuid
        self.permissions = permissions
        self.value = value
    }

    // MARK: Hooks

    /// Called when a central reads the attribute. Respond to the request once, now or within
    /// `PeripheralManager.responseTimeout`. Override it, or set `readHandler`. By default, it responds with `value`.
    open func didReceiveRead(_ request: ReadRequest) {
        if let readHandler { readHandler(request) } else { request.respond(with: value) }
    }

    /// Called when a central writes the attribute. Respond to the request once, now or within
    /// `PeripheralManager.responseTimeout`. Override it, or set `writeHandler`. By default, it replaces `value`.
    open func didReceiveWrite(_ request: WriteRequest) {
        if let writeHandler { return writeHandler(request) }
        guard !request.isAuthorization else { return request.respond() }
        do throws(ATTError) {
            value = try request.merged(into: value)
            request.respond()
        } catch {
            request.fail(error)
        }
    }

    /// Handles reads with an async closure, which returns the value; the async form of `readHandler`, which it sets. An
    /// `ATTError` that it throws is the response, and every other error becomes `ATTError.unlikelyError`. The task is
    /// cancelled if the request ends without its response.
    public func setReadHandler(_ body: @escaping @BluetoothActor (ReadRequest) async throws -> Data) {
        readHandler = { request in
            request.perform { request in request.respond(with: try await body(request)) }
        }
    }

    /// Handles writes with an async closure; the async form of `writeHandler`, which it sets. An `ATTError` that it
    /// throws is the response, and every other error becomes `ATTError.unlikelyError`. The task is cancelled if the
    /// request ends without it.
    public func setWriteHandler(_ body: @escaping @BluetoothActor (WriteRequest) async throws -> Void) {
        writeHandler = { request in
            request.perform { request in
                try await body(request)
                request.respond()
            }
        }
    }

    // MARK: Requests

    /// Handles ReadValue. A central reads a long value in parts, for each of which bluetoothd calls. All parts come
    /// from the value of the first.
    func receiveRead(_ call: IncomingCall) {
        let options = RequestOptions(call.reader)
        if options.offset > 0, let device = options.device, let whole = longReads[device],
            whole.end > .now
        {
            return answerPart(whole.value, call, options)
        }
        let request = ReadRequest(self, call, options)
        request.begin { didReceiveRead(request) }
    }

    /// Handles the response to a read of the whole value.
    func responded(with whole: Data, to call: IncomingCall, _ options: RequestOptions) {
        // A central that has left meanwhile reads no further, and its link's end has been handled.
        if whole.count >= options.lengthOfPart, let device = options.device, manager?.centralsByPath[device] != nil {
            longReads[device] = (whole, MonotonicInstant.now.advanced(by: Self.transaction))
        }
        answerPart(whole, call, options)
    }

    private func answerPart(_ whole: Data, _ call: IncomingCall, _ options: RequestOptions) {
        guard options.offset <= whole.count else { return ATTError.invalidOffset.answer(call, isRead: true) }
        let part = whole.dropFirst(options.offset)
        // The last part is shorter than a response can be.
        if part.count < options.lengthOfPart, let device = options.device, !longReads.isEmpty {
            longReads[device] = nil
        }
        call.reply { (writer) throws(DBusError) in try writer.append([UInt8](part)) }
    }

    func receiveWrite(_ call: IncomingCall) {
        var reader = call.reader
        guard let value = try? reader.readData() else { return ATTError.unlikelyError.answer(call, isRead: false) }
        let request = WriteRequest(self, call, RequestOptions(reader), value)
        request.begin { didReceiveWrite(request) }
    }

    /// Forgets what belongs to a central whose link has ended.
    func linkDidEnd(_ central: Central) { longReads[central.path] = nil }

    func wait(for request: LocalRequest) { waiting.append(Waiting(request: request)) }

    func stopWaiting(for request: LocalRequest) {
        waiting.removeAll { $0.request == nil || $0.request === request }
    }

    /// Forgets what belongs to the present publication.
    ///
    /// - Parameter error: the error with which operations end that wait.
    func unbind(_ error: BluetoothError) {
        handle = nil
        path = nil
        longReads = [:]
        let waiting = waiting
        self.waiting = []
        for each in waiting { each.request?.abandon() }
    }
}
