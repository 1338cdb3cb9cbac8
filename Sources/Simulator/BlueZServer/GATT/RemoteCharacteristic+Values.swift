import BlueZDBus

extension RemoteCharacteristic: RemoteAttribute {
    func reportValue() { server.changed("Value", of: Self.interface, at: path, atOnce: true) }

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
            return write(value, .reliable, offset: options.offset, call, link)
        }
        if type.map({ $0 == "request" }) ?? has(.write) {
            return write(value, .request, offset: options.offset, call, link)
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
}
