import BlueZClient
import BlueZDBus
import BlueZRecording
import BlueZValues

/// Reads the messages of one client along. Calls to bluetoothd and their replies become events, and the questions to the
/// client's pairing agent, without any passkey or PIN.
@BluetoothActor final class ClientReader: RelayedClient.Reader {
    let daemon: DaemonMirror
    /// The client's number, unless it is the first.
    let client: String?
    var pending: [UInt32: PendingCall] = [:]
    /// The questions of bluetoothd to the client's agent, by the serials of the calls.
    var questions: [UInt32: (member: String, device: ObjectName.Device)] = [:]
    /// The kinds of notes that this client has caused.
    var notes: Set<String> = []
    /// Sockets outlive the connection of a client, as they do without this program between them.
    let sockets: SplicedSockets

    /// dbus-daemon permits fewer (`max_replies_per_connection` of the system bus).
    static let pendingLimit = 65536

    var log: EventLog { daemon.log }

    init(number: Int, _ daemon: DaemonMirror, _ sockets: SplicedSockets) {
        client = number == 1 ? nil : "\(number)"
        self.daemon = daemon
        self.sockets = sockets
    }

    func read(_ message: Message, from side: MessageSplitter.Side) {
        switch (side, message.kind) {
        case (.client, .methodCall): readCall(message)
        case (.client, .methodReturn), (.client, .error): readAnswer(message)
        case (.bus, .methodCall): readQuestion(message)
        case (.bus, .methodReturn), (.bus, .error): readReply(message)
        case (.bus, .signal): daemon.receive(message)
        default: break
        }
    }

    func end() {
        for serial in pending.keys.sorted() {
            guard let call = pending[serial], let number = call.number else { continue }
            if case .read(_, let object) = call { endRead(of: object) }
            log.add(.response(RecordedResponse(number: number, failure: .noResponse)))
        }
        pending = [:]
    }

    // MARK: Calls and their replies

    private func readCall(_ message: Message) {
        if message.destination == BlueZ.bus {
            var reader = message.reader
            guard message.member == "GetNameOwner", (try? reader.readString()) == BlueZ.service else { return }
            return wait(for: message, .nameOwner)
        }
        guard let destination = message.destination, destination == BlueZ.service || destination == daemon.owner
        else { return }
        wait(for: message, request(message) ?? .other)
    }

    private func wait(for message: Message, _ call: PendingCall) {
        guard message.wantsReply, pending.count < Self.pendingLimit else { return }
        if case .read(_, let object) = call { daemon.reads[object, default: 0] += 1 }
        pending[message.serial] = call
    }

    private func readReply(_ message: Message) {
        guard let call = pending.removeValue(forKey: message.replySerial) else { return }
        let error = message.error
        var reader = message.reader
        if case .nameOwner = call {
            return daemon.learn(owner: error == nil ? try? reader.readString() : nil)
        }
        // The bus itself replies if there is no bluetoothd.
        if message.sender != BlueZ.bus { daemon.learn(owner: message.sender) }
        switch call {
        case .request(let number, _), .acquire(let number, _):
            var response = RecordedResponse(number: number, failure: error.map(Self.failure))
            if case .acquire(_, let object) = call, error == nil {
                reader.skip()
                response.mtu = try? reader.readUInt16()
                object.device.map { daemon.device($0).apply(mtu: response.mtu.map { Int($0) }) }
            }
            log.add(.response(response))
        case .read(let number, let object):
            endRead(of: object)
            let value = error == nil ? try? reader.readBytes() : nil
            let response = RecordedResponse(number: number, value: value, failure: error.map(Self.failure))
            log.addReadResponse(response, serial: message.serial, device: object.device, handle: object.valueHandle)
        case .managedObjects: if error == nil { daemon.receive(objects: message) }
        case .properties(let object, let interface, let name):
            guard error == nil else { return }
            readProperties(&reader, of: object, interface, name)
        case .nameOwner, .other: break
        }
    }

    private func readProperties(
        _ reader: inout MessageReader, of object: ObjectName, _ interface: String, _ name: String?
    ) {
        var properties: Properties = [:]
        if let name {
            properties[name] = try? reader.readValue().unwrapped
        } else if let all = try? reader.readPropertyValues() {
            properties = all
        }
        // An attribute's properties are complete only in GetAll.
        guard name == nil || object.attribute == nil else { return }
        daemon.add(object, [interface: properties], isSnapshot: true)
    }

    private func endRead(of object: ObjectName) {
        guard let count = daemon.reads[object] else { return }
        daemon.reads[object] = count > 1 ? count - 1 : nil
    }

    /// BlueZ's text for the codes that have no error of their own (src/gatt-client.c: create_gatt_dbus_error).
    private static func failure(_ error: DBusError) -> RecordedResponse.Failure {
        let prefix = "Operation failed with ATT error: 0x"
        if error.message.hasPrefix(prefix), let code = UInt8(error.message.dropFirst(prefix.count), radix: 16) {
            return .att(ATTError(rawValue: code))
        }
        return .bus(name: error.name, text: error.message)
    }
}
