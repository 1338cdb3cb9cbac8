import DBus

extension RemoteCharacteristic: RemoteAttribute {
    func valueWasRead() { changed("Value", atOnce: true) }

    /// characteristic_write_value()
    func writeValue(_ call: IncomingCall) {
        guard let link else { return call.fail(BlueZError.failed("Not connected")) }
        guard writeSocket == nil else { return call.fail(BlueZError.notPermitted("Write acquired")) }
        guard writeOperation == nil else { return call.fail(BlueZError.inProgress) }
        var reader = call.reader
        guard let value = try? reader.readBytes(), let options = try? AttributeOptions(&reader) else {
            return call.fail(BlueZError.invalidArguments)
        }
        let type = options.type
        if type.map({ $0 == "reliable" }) ?? has(.reliableWrite) {
            return write(value, options, call, link, isReliable: true)
        }
        if type.map({ $0 == "request" }) ?? has(.write) {
            return write(value, options, call, link)
        }
        guard options.offset == 0, type.map({ $0 == "command" }) ?? has(.writeWithoutResponse) else {
            return call.fail(BlueZError.notSupported)
        }
        guard value.count <= link.mtu - 3 else {
            return call.fail(BlueZError.failed("Failed to initiate write"))
        }
        link.command(value, to: handle)
        if link.callFault(of: handle) == .noReply { call.abandon() } else { call.reply() }
    }

    /// A write request, or prepared writes if the value is longer than MTU - 3, has an offset, or is written reliably.
    ///
    /// write_result_cb(): if the peripheral echoes different bytes, the error is EFAULT.
    private func write(
        _ value: [UInt8], _ options: AttributeOptions, _ call: IncomingCall, _ link: any RadioLink,
        isReliable: Bool = false
    ) {
        let operation = PendingOperation(call)
        writeOperation = operation
        operation.request = link.write(
            value, to: handle, kind: isReliable ? .reliable : .request, offset: options.offset
        ) { [weak self, weak link] result in
            guard let self else { return operation.cancel() }
            if self.writeOperation === operation { self.writeOperation = nil }
            let reply: Result<[UInt8]?, DBusError> = result.map { _ in nil }.mapError(BlueZError.link)
            operation.finish(link?.callFault(of: self.handle) ?? .none, reply)
        }
    }
}
