import BlueZDBus

/// The part that characteristics and descriptors have in common when they are read and written.
@BlueZServerActor protocol RemoteAttribute: AnyObject {
    var readOperation: PendingOperation? { get set }
    var writeOperation: PendingOperation? { get set }
    var cached: CachedValue { get set }
    /// The link to the device, or nil if there is none.
    var link: (any RadioLink)? { get }
    var handle: UInt16 { get }
    /// Whether a read returns the whole value, whatever the offset.
    var ignoresOffsets: Bool { get }
    /// Reports the cached value.
    func reportValue()
}

/// bluetoothd's cache of a remote value, updated by every read and notification.
struct CachedValue {
    private(set) var bytes: [UInt8] = []

    /// Stores a part of the value that was read, as gatt_db_attribute_write() does.
    mutating func store(_ part: [UInt8], at offset: UInt16) {
        if offset == 0 { bytes = [] }
        guard !part.isEmpty else { return }
        let start = Int(offset)
        if bytes.count < start { bytes += [UInt8](repeating: 0, count: start - bytes.count) }
        bytes.replaceSubrange(start..<min(bytes.count, start + part.count), with: part)
    }

    func from(_ offset: UInt16) -> [UInt8] {
        Array(bytes.dropFirst(Int(offset)))
    }
}

extension RemoteAttribute {
    /// characteristic_read_value() and descriptor_read_value()
    func readValue(_ call: IncomingCall) {
        guard let link else { return call.fail(BlueZError.failed("Not connected")) }
        var reader = call.reader
        guard let options = try? AttributeOptions(&reader) else {
            return call.fail(BlueZError.invalidArguments)
        }
        if let readOperation {
            guard readOperation.offset == options.offset else { return call.fail(BlueZError.inProgress) }
            return readOperation.calls.append(call)
        }
        let operation = PendingOperation(call, offset: options.offset)
        readOperation = operation
        let request = link.read(handle, offset: options.offset) { [weak self, weak link] result in
            guard let self else { return operation.cancel() }
            self.finishRead(operation, result, link?.callFault(of: self.handle) ?? .none)
        }
        operation.keep(request)
    }

    /// chrc_read_cb() and desc_read_cb(): the value is signalled to all clients before the reply.
    private func finishRead(
        _ operation: PendingOperation, _ result: Result<[UInt8], LinkError>, _ fault: CallFault
    ) {
        if case .success(let part) = result {
            cached.store(part, at: operation.offset)
            reportValue()
        }
        if readOperation === operation { readOperation = nil }
        let offset = ignoresOffsets ? 0 : operation.offset
        let reply = result.map { [cached] _ in Optional(cached.from(offset)) }.mapError(BlueZError.link)
        operation.finish(fault, reply)
    }

    /// A write request, or prepared writes if the value is longer than MTU - 3, has an offset, or is written reliably.
    ///
    /// write_result_cb(): if the peripheral echoes different bytes, the error is EFAULT.
    func write(
        _ value: [UInt8], _ kind: WriteKind, offset: UInt16, _ call: IncomingCall, _ link: any RadioLink
    ) {
        let operation = PendingOperation(call)
        writeOperation = operation
        let request = link.write(value, to: handle, kind: kind, offset: offset) {
            [weak self, weak link] result in
            guard let self else { return operation.cancel() }
            if self.writeOperation === operation { self.writeOperation = nil }
            let reply: Result<[UInt8]?, DBusError> = result.map { _ in nil }.mapError(BlueZError.link)
            operation.finish(link?.callFault(of: self.handle) ?? .none, reply)
        }
        operation.keep(request)
    }

    func cancelOperations() {
        readOperation?.cancel()
        readOperation = nil
        writeOperation?.cancel()
        writeOperation = nil
    }
}
