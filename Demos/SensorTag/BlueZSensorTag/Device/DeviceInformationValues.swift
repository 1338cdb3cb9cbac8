/// The PnP ID of the device information service, 2A50.
///
/// 7 bytes: vendor ID source (uint8), vendor (uint16), product (uint16), version (uint16, 0xJJMN).
public struct PnPIdentifier: Sendable, Hashable, CustomStringConvertible {
    /// The organization that assigned the vendor number.
    public enum VendorSource: Sendable, Hashable {
        /// 1: the Bluetooth SIG.
        case bluetooth
        /// 2: the USB Implementers Forum.
        case usb
        /// A reserved value.
        case reserved(UInt8)
    }

    /// The organization that assigned the vendor number.
    public let vendorSource: VendorSource
    /// The vendor; 0x000D is Texas Instruments in the list of the Bluetooth SIG.
    public let vendor: UInt16
    /// The vendor's number for the product.
    public let product: UInt16
    /// The version as 0xJJMN: JJ major, M minor, N sub-minor.
    public let version: UInt16

    /// The version in the form "1.1.0", each digit group in hexadecimal as it is encoded.
    public var versionText: String {
        "\(String(version >> 8, radix: 16)).\(String(version >> 4 & 0xF, radix: 16)).\(String(version & 0xF, radix: 16))"
    }

    /// Decodes the value of 2A50.
    ///
    /// - Throws: `wrongLength` unless there are exactly 7 bytes.
    public init(from payload: some Collection<UInt8>) throws(SensorTagDataError) {
        let payload = try Payload(payload, of: .pnpIdentifier, length: .exactly(7))
        vendorSource =
            switch payload.bytes[0] {
            case 1: .bluetooth
            case 2: .usb
            case let other: .reserved(other)
            }
        vendor = payload.uint16(at: 1)
        product = payload.uint16(at: 3)
        version = payload.uint16(at: 5)
    }

    /// All fields, for example "Bluetooth vendor 0x000d, product 0x0000, version 1.1.0".
    public var description: String {
        let source =
            switch vendorSource {
            case .bluetooth: "Bluetooth"
            case .usb: "USB"
            case .reserved(let value): "source \(value)"
            }
        return "\(source) vendor 0x\(vendor.fourHexDigits), product 0x\(product.fourHexDigits), version \(versionText)"
    }
}

/// The system ID of the device information service, 2A23.
///
/// 8 bytes, least significant first: three bytes of the Bluetooth address, two zero bytes, the other three.
public struct SystemIdentifier: Sendable, Hashable, CustomStringConvertible {
    /// The 8 bytes in the order in which the tag sends them.
    public let bytes: [UInt8]

    /// Decodes the value of 2A23.
    ///
    /// - Throws: `wrongLength` unless there are exactly 8 bytes.
    public init(from payload: some Collection<UInt8>) throws(SensorTagDataError) {
        bytes = try Payload(payload, of: .systemIdentifier, length: .exactly(8)).bytes
    }

    /// The bytes, most significant first: "bc:6a:29:00:00:ab:cd:ef".
    public var description: String {
        bytes.reversed().map(\.twoHexDigits).joined(separator: ":")
    }
}

/// The IEEE 11073-20601 regulatory certification data list of the device information service, 2A2A.
///
/// 2 bytes or more: body (uint8), structure type (uint8), data. The CC2541 sends FE 00 and the text "experimental".
public struct RegulatoryCertification: Sendable, Hashable, CustomStringConvertible {
    /// The certifying body: 0 none, 1 IEEE, 2 Continua, 254 experimental.
    public let body: UInt8
    /// The kind of structure of the data.
    public let structure: UInt8
    /// The bytes after the two header bytes.
    public let data: [UInt8]

    /// Decodes the value of 2A2A.
    ///
    /// - Throws: `wrongLength` if there are fewer than 2 bytes.
    public init(from payload: some Collection<UInt8>) throws(SensorTagDataError) {
        let payload = try Payload(payload, of: .regulatoryCertification, length: .atLeast(2))
        body = payload.bytes[0]
        structure = payload.bytes[1]
        data = Array(payload.bytes.dropFirst(2))
    }

    /// Header and data, for example "fe 00 experimental"; data that is not printable ASCII as hexadecimal bytes.
    public var description: String {
        let text = data.prefix { $0 != 0 }
        let printable = text.allSatisfy { (0x20...0x7E).contains($0) }
        let shown = printable ? [String(decoding: text, as: UTF8.self)] : data.map(\.twoHexDigits)
        return ([body.twoHexDigits, structure.twoHexDigits] + shown.filter { !$0.isEmpty }).joined(separator: " ")
    }
}

extension UInt8 {
    /// Two lower-case hexadecimal digits.
    var twoHexDigits: String {
        (self < 0x10 ? "0" : "") + String(self, radix: 16)
    }
}

extension UInt16 {
    /// Four lower-case hexadecimal digits.
    var fourHexDigits: String {
        UInt8(self >> 8).twoHexDigits + UInt8(self & 0xFF).twoHexDigits
    }
}
