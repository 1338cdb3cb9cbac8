import DBus

extension RemoteCharacteristic: RemoteAttribute {
    var faults: AttributeFaults { characteristic.faults }

    var reading: Link.Work? {
        { [characteristic] peripheral, completion in peripheral.read(characteristic, completion: completion) }
    }

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
        command(value, link)
        if characteristic.faults.losesReplies { call.abandon() } else { call.reply() }
    }

    func command(_ value: [UInt8], _ link: Link) {
        link.command { peripheral, completion in
            peripheral.write(value, to: characteristic, kind: .command, completion: completion)
        }
    }

    /// A write request, or prepared writes if the value is longer than MTU - 3, has an offset, or is written reliably.
    ///
    /// write_result_cb(): if the peripheral sends back other bytes than it was sent, the error is EFAULT.
    private func write(
        _ value: [UInt8], _ options: AttributeOptions, _ call: IncomingCall, _ link: Link, isReliable: Bool = false
    ) {
        guard !isReliable || !characteristic.faults.garblesPreparedWrites else {
            return call.fail(BlueZError.failed("Bad address"))
        }
        let operation = PendingOperation(call)
        writeOperation = operation
        let offset = Int(options.offset)
        operation.request = link.request { [characteristic] peripheral, completion in
            guard offset <= characteristic.value.count else { return completion(.failure(.invalidOffset)) }
            let whole = Array(characteristic.value.prefix(offset)) + value
            peripheral.write(whole, to: characteristic, kind: .write, completion: completion)
        } completion: { [weak self] result in
            guard let self else { return operation.cancel() }
            if self.writeOperation === operation { self.writeOperation = nil }
            let answer: Result<[UInt8]?, DBusError> = result.map { _ in nil }.mapError(BlueZError.att)
            operation.finish(self.characteristic.faults, answer)
        }
    }
}
