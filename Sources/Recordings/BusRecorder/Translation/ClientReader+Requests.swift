import BlueZClient
import BlueZDBus
import BlueZRecording
import BlueZValues

/// The requests of clients, by interface and method (doc/org.bluez.*.rst).
extension ClientReader {
    /// Records a call to bluetoothd. Returns nil if it is none of those that a recording contains.
    func request(_ message: Message) -> PendingCall? {
        guard let path = message.path?.string, let member = message.member else { return nil }
        let interface = message.interface ?? ""
        if interface == BlueZ.objectManager { return .managedObjects }
        guard let object = ObjectName(path) else { return agentRequest(message, interface, member) }
        switch interface {
        case BlueZ.properties: return propertyRequest(message, object, member)
        case BlueZ.adapter: return adapterRequest(message, object, member)
        case BlueZ.device: return deviceRequest(message, object, member)
        case BlueZ.gattCharacteristic, BlueZ.gattDescriptor:
            return attributeRequest(message, object, member)
        default:
            if interface == BlueZ.gattManager || interface == BlueZ.advertisingManager {
                noteOnce("peripheral role", "The program offers services or advertises, which is not recorded")
            }
            return nil
        }
    }

    /// Records a request.
    private func add(
        _ operation: RecordedOperation, of object: ObjectName? = nil, device: BluetoothAddress? = nil,
        _ change: (inout RecordedRequest) -> Void = { _ in }
    ) -> PendingCall {
        var request = RecordedRequest(number: log.nextNumber(), operation, device: device ?? object?.device?.address)
        request.client = client
        request.handle = object?.valueHandle
        if let object, object.device == nil { request.setting["adapter"] = object.adapter }
        change(&request)
        log.add(.request(request))
        return .request(request.number, object)
    }

    // MARK: Adapters and devices

    private func adapterRequest(_ message: Message, _ object: ObjectName, _ member: String) -> PendingCall? {
        var reader = message.reader
        switch member {
        case "StartDiscovery": return add(.discover, of: object)
        case "StopDiscovery": return add(.stopDiscovery, of: object)
        case "SetDiscoveryFilter":
            let filter = (try? reader.readPropertyValues()) ?? [:]
            return add(.filter, of: object) { $0.setting.merge(filter.compactMapValues(\.summary)) { $1 } }
        case "RemoveDevice":
            guard let path = try? reader.readObjectPath(), let name = ObjectName(path.string)?.device else {
                return nil
            }
            daemon.device(name).end()
            return add(.remove, of: object, device: name.address)
        case "ConnectDevice":
            let settings = (try? reader.readPropertyValues()) ?? [:]
            return add(.connect, of: object, device: settings["Address"]?.text.flatMap { BluetoothAddress($0) })
        default: return nil
        }
    }

    private func deviceRequest(_ message: Message, _ object: ObjectName, _ member: String) -> PendingCall? {
        guard let name = object.device else { return nil }
        switch member {
        case "Connect": return add(.connect, of: object)
        case "Disconnect":
            daemon.device(name).end()
            return add(.disconnect, of: object)
        case "Pair": return add(.pair, of: object)
        case "CancelPairing": return add(.cancelPairing, of: object)
        case "ConnectProfile", "DisconnectProfile":
            var reader = message.reader
            let uuid = (try? reader.readString()).flatMap { BluetoothUUID($0) }
            return add(member == "ConnectProfile" ? .connectProfile : .disconnectProfile, of: object) {
                $0.uuid = uuid
            }
        default: return nil
        }
    }

    // MARK: Properties

    private func propertyRequest(_ message: Message, _ object: ObjectName, _ member: String) -> PendingCall? {
        var reader = message.reader
        guard let interface = try? reader.readString() else { return nil }
        switch member {
        case "GetAll": return .properties(object, interface: interface, name: nil)
        case "Get":
            guard let name = try? reader.readString() else { return nil }
            return .properties(object, interface: interface, name: name)
        case "Set":
            guard interface.hasPrefix("org.bluez."), let name = try? reader.readString(),
                let value = try? reader.readValue().unwrapped
            else { return nil }
            if interface == BlueZ.adapter, name == "Powered" {
                return add(.power, of: object) { $0.setting["powered"] = value.summary }
            }
            return add(.set, of: object) { request in
                request.setting["property"] = name
                request.setting["value"] = value.summary
            }
        default: return nil
        }
    }

    // MARK: Attributes

    private func attributeRequest(_ message: Message, _ object: ObjectName, _ member: String) -> PendingCall? {
        guard let device = object.device, let attribute = object.attribute else { return nil }
        daemon.device(device).prepare(for: attribute)
        var reader = message.reader
        switch member {
        case "ReadValue":
            let call = add(.read, of: object) { $0.offset = Self.offset(&reader) }
            return call.number.map { .read($0, object) }
        case "WriteValue":
            let value = try? reader.readBytes()
            let options = (try? reader.readPropertyValues()) ?? [:]
            return add(writeOperation(options["type"]?.text, attribute, daemon.device(device)), of: object) {
                $0.value = value
                $0.offset = Self.offset(options)
            }
        case "StartNotify": return add(.notify, of: object)
        case "StopNotify": return add(.stopNotify, of: object)
        case "AcquireNotify", "AcquireWrite":
            let call = add(member == "AcquireNotify" ? .acquireNotify : .acquireWrite, of: object)
            return call.number.map { .acquire($0, object) }
        default: return nil
        }
    }

    private static func offset(_ reader: inout MessageReader) -> UInt16? {
        offset((try? reader.readPropertyValues()) ?? [:])
    }

    /// The option, unless it is 0, which is the same as none.
    private static func offset(_ options: Properties) -> UInt16? {
        options["offset"]?.number.flatMap { UInt16(exactly: $0) }.flatMap { $0 == 0 ? nil : $0 }
    }

    /// The kind of a write. Without the option `type`, bluetoothd chooses by the properties (src/gatt-client.c:
    /// characteristic_write_value).
    private func writeOperation(
        _ type: String?, _ attribute: ObjectName.Attribute, _ device: DeviceMirror
    ) -> RecordedOperation {
        switch type {
        case "command": return .command
        case "reliable": return .reliable
        case "request": return .write
        default:
            guard case .characteristic(let handle) = attribute, let properties = device.properties(of: handle) else {
                return .write
            }
            if properties.contains(.reliableWrite) { return .reliable }
            return properties.contains(.write) || !properties.contains(.writeWithoutResponse) ? .write : .command
        }
    }

    // MARK: Agents

    private func agentRequest(_ message: Message, _ interface: String, _ member: String) -> PendingCall? {
        var reader = message.reader
        switch (interface, member) {
        case (BlueZ.agentManager, "RegisterAgent"):
            reader.skip()
            let capability = (try? reader.readString()) ?? ""
            return add(.agent) { $0.setting["capability"] = capability }
        case (BlueZ.profileManager, "RegisterProfile"):
            reader.skip()
            let uuid = (try? reader.readString()).flatMap { BluetoothUUID($0) }
            return add(.profile) { $0.uuid = uuid }
        default: return nil
        }
    }

    /// Adds a note, unless this client has caused it before.
    func noteOnce(_ kind: String, _ text: String, device: ObjectName.Device? = nil) {
        if notes.insert(kind).inserted { log.addNote(kind, text, device: device) }
    }
}

extension Value {
    /// A setting as text; nil for a structure.
    fileprivate var summary: String? {
        if let number { return "\(number)" }
        return flag.map { "\($0)" } ?? text ?? texts?.joined(separator: " ")
    }
}
