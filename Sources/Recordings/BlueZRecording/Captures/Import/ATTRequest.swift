import BlueZValues

/// A request, as its packet says.
struct ATTRequest {
    var request: CapturedLink.Request
    var recorded: RecordedRequest
    /// The handles of the values that it uses.
    var handles: [UInt16] = []

    /// Reads a request, whose number is not known yet. Of one that the capture has only in part, only the numbers in
    /// front are known: not what may be cut. Nil if not even they are whole.
    init?(_ opcode: ATTOpcode, _ fields: PacketFields, isWhole: Bool, device: BluetoothAddress) {
        request = CapturedLink.Request(number: 0, opcode: opcode)
        recorded = RecordedRequest(number: 0, .read, device: device)
        var fields = fields
        switch opcode {
        case .exchangeMTU:
            request.mtu = fields.short() ?? 23
            recorded.operation = .mtu
            recorded.setting["mtu"] = "\(request.mtu)"
        case .findInformation, .findByTypeValue, .readByType, .readByGroupType:
            readSearch(&fields, isWhole: isWhole)
        case .readMultiple, .readMultipleVariable:
            while let handle = fields.short() { handles.append(handle) }
            if isWhole { recorded.handles = handles }
        case .executeWrite:
            recorded.operation = .execute
            recorded.setting["write"] = "\(fields.byte() == 1)"
        default:
            guard let handle = fields.short() else { return nil }
            handles = [handle]
            request.start = handle
            recorded.handle = handle
            if opcode == .readBlob || opcode == .prepareWrite { recorded.offset = fields.short() }
            if isWhole, opcode == .write || opcode == .prepareWrite { recorded.value = Array(fields.rest) }
            if opcode == .write { recorded.operation = .write }
            if opcode == .prepareWrite { recorded.operation = .prepare }
        }
    }

    private mutating func readSearch(_ fields: inout PacketFields, isWhole: Bool) {
        request.start = fields.short() ?? 0
        request.end = fields.short() ?? 0
        if request.opcode == .findByTypeValue {
            request.type = fields.short().map { BluetoothUUID($0) }
            if isWhole { request.searched = BluetoothUUID(littleEndian: fields.rest) }
        } else if request.opcode != .findInformation, isWhole {
            request.type = BluetoothUUID(littleEndian: fields.rest)
        }
        request.isDiscovery =
            request.opcode != .readByType || request.type.map { BluetoothUUID.declarations.contains($0) } ?? false
        recorded.uuid = request.type
    }
}
