import BlueZDBus

/// The options of `ReadValue` and `WriteValue`, modelled on parse_options(). Keys are case-insensitive, and unknown
/// keys are ignored.
struct AttributeOptions {
    private(set) var offset: UInt16 = 0
    private(set) var type: String?

    init(_ reader: inout MessageReader) throws(DBusError) {
        try reader.readProperties { (key, value) throws(DBusError) in
            switch key.lowercased() {
            case "offset": self.offset = try value.readUInt16()
            case "type": self.type = try value.readString().lowercased()
            default: break
            }
        }
    }
}

/// bluetoothd's pending read or write of an attribute, with all the calls that wait for it.
@BlueZServerActor final class PendingOperation {
    let offset: UInt16
    var calls: [IncomingCall]
    private var request: (any RadioOperation)?
    private var hasEnded = false

    init(_ call: IncomingCall, offset: UInt16 = 0) {
        calls = [call]
        self.offset = offset
    }

    /// Keeps the request of the operation until either ends, because the request's completion keeps the operation.
    func keep(_ request: any RadioOperation) {
        if hasEnded { request.cancel() } else { self.request = request }
    }

    /// Cancels the operation because the attribute is gone. bluetoothd forgets the calls, and never replies to them.
    func cancel() {
        end()?.cancel()
        calls.forEach { $0.abandon() }
        calls.removeAll()
    }

    func finish(_ fault: CallFault, _ result: Result<[UInt8]?, DBusError>) {
        end()
        let calls = calls
        self.calls.removeAll()
        for call in calls {
            if fault == .noReply {
                call.abandon()
                continue
            }
            switch result {
            case .failure(let error): call.fail(error)
            case .success where fault == .malformed:
                call.reply { (writer) throws(DBusError) in try writer.append("malformed") }
            case .success(let value):
                call.reply { (writer) throws(DBusError) in if let value { try writer.append(value) } }
            }
        }
    }

    /// Lets go of the request, and returns it.
    @discardableResult private func end() -> (any RadioOperation)? {
        hasEnded = true
        defer { request = nil }
        return request
    }
}
