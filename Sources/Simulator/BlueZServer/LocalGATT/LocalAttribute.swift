import BlueZValues

/// An attribute of a local database, modelled on src/shared/gatt-db.c.
@BlueZServerActor final class LocalAttribute {
    typealias Handler = @BlueZServerActor (LocalRequest) -> Void

    let handle: UInt16
    let type: BluetoothUUID
    let permissions: AttributePermissions
    /// The value, unless there is a reader.
    var value: [UInt8]
    /// The length of the value, which is checked before a handler is called; 0 means any.
    var fixedLength = 0
    /// Whether it is the value of a characteristic with a client configuration.
    var hasConfiguration = false
    var reader: Handler?
    var writer: Handler?

    init(handle: UInt16, type: BluetoothUUID, permissions: AttributePermissions, value: [UInt8] = []) {
        self.handle = handle
        self.type = type
        self.permissions = permissions
        self.value = value
    }

    /// gatt_db_attribute_read()
    func read(_ request: LocalRequest, timeout: Duration) {
        if fixedLength > 0, request.offset > fixedLength { return request.finish(.failure(.invalidOffset)) }
        guard let reader else {
            guard request.offset <= value.count else { return request.finish(.failure(.invalidOffset)) }
            return request.finish(.success(Array(value.dropFirst(Int(request.offset)))))
        }
        request.limit(to: timeout)
        reader(request)
    }

    /// gatt_db_attribute_write()
    func write(_ request: LocalRequest, timeout: Duration) {
        guard let writer else {
            store(request)
            return request.finish(.success([]))
        }
        if fixedLength > 0 {
            if request.offset > fixedLength { return request.finish(.failure(.invalidOffset)) }
            guard Int(request.offset) + request.value.count <= fixedLength else {
                return request.finish(.failure(.invalidAttributeValueLength))
            }
        }
        request.limit(to: timeout)
        writer(request)
    }

    private func store(_ request: LocalRequest) {
        let start = Int(request.offset)
        guard !request.value.isEmpty else { return }
        if value.count < start { value += [UInt8](repeating: 0, count: start - value.count) }
        value.replaceSubrange(start..<min(value.count, start + request.value.count), with: request.value)
    }
}
