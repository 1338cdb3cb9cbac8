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
