import BlueZValues

/// An opcode of the Attribute Protocol (Core Specification, volume 3, part F, 3.4.8). A confirmation says nothing.
enum ATTOpcode: UInt8 {
    case error = 0x01
    case exchangeMTU = 0x02
    case exchangeMTUResponse = 0x03
    case findInformation = 0x04
    case findInformationResponse = 0x05
    case findByTypeValue = 0x06
    case findByTypeValueResponse = 0x07
    case readByType = 0x08
    case readByTypeResponse = 0x09
    case read = 0x0A
    case readResponse = 0x0B
    case readBlob = 0x0C
    case readBlobResponse = 0x0D
    case readMultiple = 0x0E
    case readMultipleResponse = 0x0F
    case readByGroupType = 0x10
    case readByGroupTypeResponse = 0x11
    case write = 0x12
    case writeResponse = 0x13
    case prepareWrite = 0x16
    case prepareWriteResponse = 0x17
    case executeWrite = 0x18
    case executeWriteResponse = 0x19
    case notification = 0x1B
    case indication = 0x1D
    case readMultipleVariable = 0x20
    case readMultipleVariableResponse = 0x21
    case multipleNotifications = 0x23
    case writeCommand = 0x52
    case signedWriteCommand = 0xD2

    enum Role {
        case value
        case command
        case request
        case response
    }

    var role: Role {
        switch self {
        case .notification, .indication, .multipleNotifications: .value
        case .writeCommand, .signedWriteCommand: .command
        case .exchangeMTU, .findInformation, .findByTypeValue, .readByType, .read, .readBlob, .readMultiple,
            .readByGroupType, .write, .prepareWrite, .executeWrite, .readMultipleVariable:
            .request
        default: .response
        }
    }

    /// Whether it is a response to this request.
    func answers(_ request: ATTOpcode) -> Bool { self == .error || rawValue == request.rawValue + 1 }
}

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

    private static let declarations: Set<BluetoothUUID> = [
        DiscoveredDatabase.primaryService, DiscoveredDatabase.secondaryService, DiscoveredDatabase.include,
        DiscoveredDatabase.characteristic,
    ]

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
            request.opcode != .readByType || request.type.map { Self.declarations.contains($0) } ?? false
        recorded.uuid = request.type
    }
}
