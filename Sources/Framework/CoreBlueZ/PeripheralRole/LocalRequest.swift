import BlueZClient
import BlueZDBus
import BlueZPrintableText
import FoundationEssentials

/// A request of a central to an attribute of this program. Respond once, now or later, and keep the request until then.
/// Further responses have no effect. A request that is released without a response fails with
/// `ATTError.unlikelyError`.
///
/// bluetoothd waits 5 s for a response (src/shared/gatt-db.c: ATTRIBUTE_TIMEOUT), and the central gets nothing else in
/// the meantime. After `PeripheralManager.responseTimeout`, the library responds with `ATTError.unlikelyError`, and
/// logs which handler was too slow.
@BluetoothActor public class LocalRequest {
    /// The characteristic or descriptor that the request concerns; nil if it was released.
    public private(set) weak var attribute: LocalAttribute?

    /// The central, or nil if bluetoothd does not say which one it is.
    public let central: Central?

    /// The number of bytes of the value before those that the request concerns.
    public var offset: Int { options.offset }

    /// The ATT MTU of the link in bytes.
    public var mtu: Int? { options.mtu }

    /// Whether the request came by LE or by BR/EDR; nil if bluetoothd does not say.
    public var transport: BluetoothTransport? { options.transport }

    /// Called if the request ends without a response of the program: at its timeout, or because its service is no longer
    /// published. A response then has no effect.
    public var endHandler: (@BluetoothActor () -> Void)?

    let options: RequestOptions
    let isRead: Bool
    private(set) var call: IncomingCall?
    private var timer: ScheduledCall?
    /// Ends the task of an async handler.
    fileprivate var cancelTask: (@BluetoothActor () -> Void)?

    /// The longest time before bluetoothd's own limit.
    private static let longest = Duration.milliseconds(4500)

    init(_ attribute: LocalAttribute, _ call: IncomingCall?, _ options: RequestOptions, isRead: Bool) {
        self.attribute = attribute
        self.call = call
        self.options = options
        self.isRead = isRead
        central = options.device.flatMap { attribute.manager?.central(at: $0, mtu: options.mtu) }
    }

    isolated deinit { fail(.unlikelyError) }

    /// Whether the request still needs a response.
    public var isPending: Bool { call != nil }

    /// Calls the handler, and limits the time for a response that does not come at once.
    func begin(_ handler: () -> Void) {
        handler()
        guard isPending, let attribute, let limit = attribute.manager.map({ min($0.responseTimeout, Self.longest) })
        else { return }
        attribute.wait(for: self)
        timer = BluetoothActor.after(limit) { [weak self] in self?.expire(limit) }
    }

    private func expire(_ limit: Duration) {
        guard isPending else { return }
        let name = attribute.map { "\($0.uuid)" } ?? "an attribute"
        log.warning(
            "The \(isRead ? "read" : "write") handler of \(name) has not responded within \(limit.roundedText)",
            metadata: ["central": "\(central?.address?.description ?? "unknown")"])
        abandon()
    }

    /// Ends the request without a response of the program.
    func abandon() {
        guard isPending else { return }
        fail(.unlikelyError)
        cancelTask?()
        endHandler?()
    }

    /// Fails the request. BlueZ can pass on 0x02 for reads and 0x03 for writes (not permitted), 0x06, 0x07, 0x08, 0x0D,
    /// 0xFE, and the application errors 0x80 to 0x9F; from 5.69 on also 0xFD. 0x0E takes the place of every other
    /// error. Before 5.66, BlueZ sends 0x80 for every application error (src/gatt-database.c:
    /// dbus_error_to_att_ecode).
    public func fail(_ error: ATTError) {
        end { error.answer($0, isRead: isRead) }
    }

    /// Ends the request with an answer to bluetoothd, unless it has ended.
    func end(_ answer: (IncomingCall) -> Void) {
        guard let call = self.call.take() else { return }
        if let timer {
            timer.cancel()
            self.timer = nil
            attribute?.stopWaiting(for: self)
        }
        answer(call)
    }
}

extension LocalRequest {
    /// Runs an async handler, whose error is the response. The task ends with the request.
    fileprivate func run(_ body: @escaping @BluetoothActor () async throws -> Void) {
        let task = Task { @BluetoothActor in
            do {
                try await body()
            } catch {
                fail(error as? ATTError ?? .unlikelyError)
            }
        }
        cancelTask = { task.cancel() }
    }
}

/// A read of an attribute's value.
@BluetoothActor public final class ReadRequest: LocalRequest {
    init(_ attribute: LocalAttribute, _ call: IncomingCall, _ options: RequestOptions) {
        super.init(attribute, call, options, isRead: true)
    }

    /// Responds with the whole value, whatever the offset. The library sends the part that the central asks for, and
    /// answers the reads of the other parts from the same value, so that a long value is consistent.
    ///
    /// - Parameter value: at most 512 bytes. A longer value fails with `ATTError.unlikelyError`, and is logged.
    public func respond(with value: Data) {
        guard value.count <= LocalAttribute.maximumValueLength else {
            if isPending { log.error("A read was answered with \(value.count) bytes; a value has at most 512") }
            return fail(.unlikelyError)
        }
        end { call in
            if let attribute {
                attribute.responded(with: value, to: call, options)
            } else {
                ATTError.unlikelyError.answer(call, isRead: true)
            }
        }
    }

    func perform(_ body: @escaping @BluetoothActor (ReadRequest) async throws -> Void) {
        run { [self] in try await body(self) }
    }
}

/// A write of an attribute's value.
///
/// BlueZ does not say how the value was written. If the characteristic has `CharacteristicProperties.writeWithoutResponse`,
/// bluetoothd has already acknowledged the write, also one that asks for a response, and `fail` has no effect
/// (src/gatt-database.c: chrc_write_cb). Prepared writes arrive as one request, with the offset of the first part.
@BluetoothActor public final class WriteRequest: LocalRequest {
    /// The bytes that were written; see `merged(into:)`.
    public let value: Data

    /// Whether bluetoothd only asks if the central may write (`AttributePermissions.authorize`). The value must not be
    /// used yet. Respond to allow it, or fail with `ATTError.insufficientAuthorization`.
    public var isAuthorization: Bool { options.isAuthorization }

    init(_ attribute: LocalAttribute, _ call: IncomingCall?, _ options: RequestOptions, _ value: Data) {
        self.value = value
        super.init(attribute, call, options, isRead: false)
    }

    /// Responds that the value was written, or that the central may write.
    public func respond() { end { $0.reply() } }

    /// Returns the attribute's value after this write. With the offset 0, the written bytes are the whole value;
    /// otherwise they replace those from the offset on.
    ///
    /// - Throws: `invalidOffset` if the offset is past the end, or `invalidAttributeValueLength` if the value becomes
    ///   longer than 512 bytes.
    public func merged(into old: Data) throws(ATTError) -> Data {
        guard offset <= old.count else { throw .invalidOffset }
        let merged = old.prefix(offset) + value
        guard merged.count <= LocalAttribute.maximumValueLength else { throw .invalidAttributeValueLength }
        return Data(merged)
    }

    func perform(_ body: @escaping @BluetoothActor (WriteRequest) async throws -> Void) {
        run { [self] in try await body(self) }
    }
}

extension ATTError {
    /// Answers a call of bluetoothd with the D-Bus error that it turns into this error.
    func answer(_ call: IncomingCall, isRead: Bool) {
        switch self {
        case .readNotPermitted where isRead, .writeNotPermitted where !isRead: call.fail(.notPermitted, name)
        case _ where (0x80...0x9F).contains(rawValue):
            call.fail(.failed, "0x" + String(hexadecimal: rawValue, digits: 2))
        default: call.fail(applicationErrorName?.rawValue ?? DBusError.Name.failed, name)
        }
    }
}
