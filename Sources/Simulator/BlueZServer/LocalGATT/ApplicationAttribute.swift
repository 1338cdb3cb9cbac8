import BlueZDBus
import BlueZValues

/// What an application's characteristics and descriptors have in common: requests become calls.
@BlueZServerActor protocol ApplicationAttribute: AnyObject {
    var object: ApplicationObject { get }
    var database: LocalDatabase { get }
    var pendingReads: [LocalRequest] { get set }
    var pendingWrites: [LocalRequest] { get set }
    var flags: ApplicationFlags { get }
    /// Whether a prepared write was authorized.
    var isAuthorized: Bool { get set }
}

extension ApplicationAttribute {
    var version: BlueZVersion { database.settings?.version ?? .v5_66 }

    /// append_options(). An offset of 0 is not sent, and nothing says which kind of write it is.
    func options(_ request: LocalRequest, asksForAuthorization: Bool = false) -> Value {
        var options: [String: Value] = ["link": .string("LE"), "mtu": .uint16(UInt16(request.server.mtu))]
        if let path = request.server.device?.path { options["device"] = .objectPath(path) }
        if request.offset > 0 { options["offset"] = .uint16(request.offset) }
        if asksForAuthorization { options["prepare-authorize"] = .boolean(true) }
        return .properties(options)
    }

    /// send_read() and read_reply_cb()
    func read(_ request: LocalRequest) {
        guard request.server.device != nil else { return request.finish(.failure(.unlikelyError)) }
        pendingReads.append(request)
        let version = version
        object.call("ReadValue", [options(request)]) { [weak self] result in
            self?.pendingReads.removeAll { $0 === request }
            switch result {
            case .failure(let error):
                request.finish(.failure(ATTError(error, denied: .readNotPermitted, version: version)))
            case .success(let message):
                var reader = message.reader
                guard let value = try? reader.readBytes() else { return request.finish(.failure(.requestNotSupported)) }
                request.finish(.success(Array(value.prefix(512))))
            }
        }
    }

    /// send_write() and write_reply_cb()
    func send(_ request: LocalRequest, asksForAuthorization: Bool = false) {
        if !pendingWrites.contains(where: { $0 === request }) { pendingWrites.append(request) }
        let version = version
        let arguments: [Value] = [
            .bytes(request.value), options(request, asksForAuthorization: asksForAuthorization),
        ]
        object.call("WriteValue", arguments) { [weak self] result in
            self?.pendingWrites.removeAll { $0 === request }
            switch result {
            case .failure(let error):
                request.finish(.failure(ATTError(error, denied: .writeNotPermitted, version: version)))
            case .success:
                if asksForAuthorization { self?.isAuthorized = true }
                request.finish(.success([]))
            }
        }
    }

    /// The part of desc_write_cb() and chrc_write_cb() about prepared writes.
    ///
    /// - Returns: whether the request is dealt with.
    func authorize(_ request: LocalRequest, send: (LocalRequest) -> Void) -> Bool {
        guard request.server.device != nil else {
            request.finish(.failure(.unlikelyError))
            return true
        }
        if request.kind == .execute { isAuthorized = false }
        guard request.kind == .prepare else { return false }
        if flags.needsAuthorization, !isAuthorized, request.server.device?.isTrusted != true {
            send(request)
        } else {
            request.finish(.success([]))
        }
        return true
    }

    /// chrc_free() and desc_free(): requests that wait get an error.
    func cancelRequests() {
        let requests = pendingReads + pendingWrites
        pendingReads.removeAll()
        pendingWrites.removeAll()
        for request in requests { request.finish(.failure(.requestNotSupported)) }
    }
}

/// A descriptor of an application.
@BlueZServerActor final class ApplicationDescriptor: ApplicationAttribute {
    let object: ApplicationObject
    let flags: ApplicationFlags
    /// The path of its characteristic.
    let characteristic: ObjectPath
    let database: LocalDatabase
    var pendingReads: [LocalRequest] = []
    var pendingWrites: [LocalRequest] = []
    var isAuthorized = false

    init(
        _ object: ApplicationObject, _ flags: ApplicationFlags, of characteristic: ObjectPath,
        _ database: LocalDatabase
    ) {
        self.object = object
        self.flags = flags
        self.characteristic = characteristic
        self.database = database
    }

    /// database_add_desc()
    func publish(in service: DatabaseService) -> Bool {
        guard let handle = object.handle, let uuid = object.uuid,
            let attribute = service.addDescriptor(uuid, permissions: flags.permissions, handle: handle)
        else { return false }
        attribute.reader = { [weak self] request in self?.read(request) }
        attribute.writer = { [weak self] request in
            guard let self, !self.authorize(request, send: { self.send($0, asksForAuthorization: true) }) else {
                return
            }
            self.send(request)
        }
        if handle == 0 { object.set(handle: attribute.handle) }
        return true
    }

    func withdraw() { cancelRequests() }
}
