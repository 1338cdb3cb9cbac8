import BlueZValues

extension CaptureImporter {
    /// The last connection handle (Core Specification, volume 4, part E, 5.4.2).
    private static let lastHandle: UInt16 = 0xEFF

    /// Puts the fragments of L2CAP packets together (Core Specification, volume 4, part E, 5.4.2; volume 3, part A, 3).
    mutating func handleData() {
        var fields = PacketFields(packet.bytes)
        // Higher handles are no links: some controllers use them for messages of their own.
        guard let word = fields.short(), word & 0xFFF <= Self.lastHandle, let length = fields.short() else { return }
        let boundary = word >> 12 & 3
        // A host's first fragment differs from a controller's.
        let isReceived = packet.isReceived ?? (boundary == 2)
        let key = LinkKey(adapter: packet.adapter, handle: word & 0xFFF)
        let data = fields.rest.prefix(Int(length))
        if links[key] == nil {
            guard boundary != 1 else { return }
            var header = PacketFields(data)
            guard let count = header.short(), let channel = header.short(), channel == 4 || channel == 6
            else { return }
            guard length <= Int(count) + 4 else { return noteTooLong(nil) }
            addUnknownLink(key)
        }
        guard let device = links[key]?.device, links[key]?.isClassic == false else { return }
        use(key)
        let path = isReceived ? \CapturedLink.incoming : \CapturedLink.outgoing
        guard var fragments = links[key]?[keyPath: path] else { return }
        if boundary != 1 {
            fragments = CapturedLink.Fragments(isStarted: true)
        }
        guard fragments.isStarted else { return }
        // What follows a part that is missing can't be placed.
        if fragments.received == fragments.bytes.count { fragments.bytes += data }
        fragments.received += Int(length)
        var header = PacketFields(fragments.bytes)
        if let count = header.short() { fragments.length = Int(count) + 4 }
        guard fragments.length > 0, fragments.received >= fragments.length else {
            links[key]?[keyPath: path] = fragments
            return
        }
        links[key]?[keyPath: path] = CapturedLink.Fragments()
        guard fragments.received == fragments.length else { return noteTooLong(device) }
        handlePacket(key, isReceived: isReceived, fragments)
    }

    /// A link that was up before the capture began. Its device is named after its handle.
    private mutating func addUnknownLink(_ key: LinkKey) {
        let device = BluetoothAddress(bits: UInt64(key.adapter) << 16 | UInt64(key.handle))
        links[key] = CapturedLink(device: device)
        use(device)
        use(key)
        addNote(
            device, "began late",
            "The link was up before the capture began, so its address isn't known; \(device) stands for it")
        add(.connected(RecordedConnection(device: device)))
    }

    private mutating func handlePacket(_ key: LinkKey, isReceived: Bool, _ fragments: CapturedLink.Fragments) {
        guard let device = links[key]?.device else { return }
        var fields = PacketFields(fragments.bytes)
        guard fields.skip(2), let channel = fields.short() else { return }
        let isWhole = fragments.bytes.count >= fragments.length
        let payload = fields.rest.prefix(fragments.length - 4)
        if !isWhole, channel == 4 || channel == 6 {
            addNote(device, "truncated", "Packets are in the capture only in part, the first at \(packet.number)")
        }
        switch channel {
        case 4:
            if isWhole {
                packetHandler?(
                    ATTPacket(number: packet.number, link: key.handle, isReceived: isReceived, bytes: Array(payload)))
            }
            handleAttribute(key, isReceived: isReceived, payload, isWhole: isWhole)
        case 5: if isWhole { handleSignal(key, payload) }
        case 6: if isWhole { handlePairing(key, isReceived: isReceived, payload) }
        default: break
        }
    }

    /// Notes that channels of Enhanced ATT were opened (Core Specification, volume 3, part A, 4.25 and 4.26).
    private mutating func handleSignal(_ key: LinkKey, _ payload: ArraySlice<UInt8>) {
        guard let device = links[key]?.device else { return }
        var fields = PacketFields(payload)
        guard let code = fields.byte(), let identifier = fields.byte(), fields.skip(2) else { return }
        switch code {
        case 0x17: links[key]?.enhancedRequest = fields.short() == Self.enhancedATT ? identifier : nil
        case 0x18 where links[key]?.enhancedRequest == identifier:
            links[key]?.enhancedRequest = nil
            guard fields.skip(8), fields.rest.contains(where: { $0 != 0 }) else { return }
            addNote(
                device, "enhanced",
                "Attributes in other channels (Enhanced ATT) are left out, from packet \(packet.number) on")
        default: break
        }
    }

    /// The protocol of Enhanced ATT (Assigned Numbers, 2.4: SPSM).
    private static let enhancedATT: UInt16 = 0x27
}
