import BlueZValues

extension CaptureImporter {
    // MARK: Adapters

    mutating func handleAdapter() {
        let name = "hci\(packet.adapter)"
        switch packet.kind {
        case .adapterAdded:
            let address = BluetoothAddress(reversed: packet.bytes.prefix(6))
            add(.adapter(RecordedAdapter(adapter: name, address: address)))
        case .adapterRemoved:
            endLinks()
            add(.adapter(RecordedAdapter(adapter: name, removed: true)))
        case .adapterPowered(let isOn): add(.adapter(RecordedAdapter(adapter: name, powered: isOn)))
        default: break
        }
    }

    private mutating func endLinks() {
        for key in links.keys.sorted(by: { $0.handle < $1.handle }) where key.adapter == packet.adapter {
            endLink(key, reason: nil)
        }
    }

    // MARK: Commands

    mutating func handleCommand() {
        var fields = PacketFields(packet.bytes)
        guard let opcode = fields.short(), fields.skip(1) else { return }
        switch opcode {
        case 0x0406:
            guard let handle = fields.short() else { return }
            let key = LinkKey(adapter: packet.adapter, handle: handle & 0xFFF)
            guard let link = links[key], !link.isClassic, link.disconnection == nil else { return }
            let number = nextNumber()
            links[key]?.disconnection = number
            add(.request(RecordedRequest(number: number, .disconnect, device: link.device)))
        case 0x200D: if fields.skip(4) { connect(&fields, own: false) }
        case 0x2043: connect(&fields, own: true)
        default: break
        }
    }

    /// A request to connect, if it is one to a certain device.
    private mutating func connect(_ fields: inout PacketFields, own: Bool) {
        guard fields.byte() == 0, !own || fields.skip(1), fields.skip(1), let address = fields.address() else { return }
        if let number = connecting[packet.adapter] {
            add(.response(RecordedResponse(number: number, failure: .noResponse)))
        }
        let number = nextNumber()
        connecting[packet.adapter] = number
        add(.request(RecordedRequest(number: number, .connect, device: address)))
    }

    // MARK: Events

    mutating func handleEvent() {
        var fields = PacketFields(packet.bytes)
        guard let code = fields.byte(), fields.skip(1) else { return }
        switch code {
        case 0x03: addClassicLink(&fields)
        case 0x05:
            guard let status = fields.byte(), let handle = fields.short(), let reason = fields.byte() else { return }
            let key = LinkKey(adapter: packet.adapter, handle: handle & 0xFFF)
            if status == 0 { endLink(key, reason: reason) }
        case 0x08, 0x59:
            guard let status = fields.byte(), let handle = fields.short(), let isOn = fields.byte() else { return }
            encryptionChanged(handle, status, isOn: isOn != 0)
        case 0x30:
            guard let status = fields.byte(), let handle = fields.short() else { return }
            encryptionChanged(handle, status, isOn: true)
        case 0x0E: if fields.skip(1) { commandCompleted(&fields) }
        case 0x0F:
            guard let status = fields.byte(), status != 0, fields.skip(1), let opcode = fields.short() else { return }
            if opcode == 0x200D || opcode == 0x2043 { connectFailed(status) }
        case 0x3E: handleLowEnergyEvent(&fields)
        default: break
        }
    }

    private mutating func commandCompleted(_ fields: inout PacketFields) {
        guard let opcode = fields.short(), fields.byte() == 0 else { return }
        if opcode == 0x0C03 {
            endLinks()
        } else if opcode == 0x1009, let address = fields.address() {
            add(.adapter(RecordedAdapter(adapter: "hci\(packet.adapter)", address: address)))
        }
    }

    private mutating func connectFailed(_ status: UInt8) {
        guard let number = connecting.removeValue(forKey: packet.adapter) else { return }
        add(.response(RecordedResponse(number: number, failure: .hci(status))))
    }

    private mutating func handleLowEnergyEvent(_ fields: inout PacketFields) {
        switch fields.byte() {
        case 0x01, 0x0A, 0x29: addLink(&fields)
        case 0x02: handleReports(&fields)
        case 0x0D: handleExtendedReports(&fields)
        default: break
        }
    }

    // MARK: Links

    private mutating func addClassicLink(_ fields: inout PacketFields) {
        guard fields.byte() == 0, let handle = fields.short(), let address = fields.address(), fields.byte() == 1
        else { return }
        let key = LinkKey(adapter: packet.adapter, handle: handle & 0xFFF)
        links[key] = CapturedLink(device: address, isClassic: true)
        use(address)
        use(key)
        addNote(address, "classic", "A link of classic Bluetooth is left out")
    }

    private mutating func addLink(_ fields: inout PacketFields) {
        guard let status = fields.byte(), let handle = fields.short(), let role = fields.byte(),
            let type = fields.byte(), let address = fields.address()
        else { return }
        guard status == 0 else { return connectFailed(status) }
        let key = LinkKey(adapter: packet.adapter, handle: handle & 0xFFF)
        if links[key] != nil { endLink(key, reason: nil) }
        links[key] = CapturedLink(device: address)
        use(address)
        use(key)
        if role == 0, let number = connecting.removeValue(forKey: packet.adapter) {
            add(.response(RecordedResponse(number: number)))
        }
        let kind: BluetoothAddress.Kind = type & 1 == 0 ? .public : .random
        add(.connected(RecordedConnection(device: address, addressType: kind, incoming: role == 1 ? true : nil)))
    }

    /// Ends a link if it is known. Nil is the reason of a controller that was reset.
    private mutating func endLink(_ key: LinkKey, reason: UInt8?) {
        finishRequests(key)
        guard let link = links.removeValue(forKey: key), !link.isClassic else { return }
        if let number = link.disconnection { add(.response(RecordedResponse(number: number))) }
        let by: RecordedSide =
            switch reason {
            case nil, 0x16: .here
            case 0x13, 0x14, 0x15: .there
            default: .lost
            }
        add(.disconnected(RecordedDisconnection(device: link.device, reason: reason, by: by)))
    }
}
