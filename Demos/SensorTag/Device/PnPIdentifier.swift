/// The PnP ID of the device information service, 2A50.
///
/// 7 bytes: vendor ID source (uint8), vendor (uint16), product (uint16), version (uint16, 0xJJMN).
public struct PnPIdentifier: Sendable, Hashable, CustomStringConvertible {
    /// Who assigned the vendor number.
    public enum VendorSource: Sendable, Hashable {
        /// 1: the Bluetooth SIG.
        case bluetooth
        /// 2: the USB Implementers Forum.
        case usb
        /// A reserved value.
        case reserved(UInt8)
    }

    /// Who assigned the vendor number.
    public let vendorSource: VendorSource
    /// The vendor; 0x000D is Texas Instruments in the list of the Bluetooth SIG.
    public let vendor: UInt16
    /// The vendor's number for the product.
    public let product: UInt16
    /// The version as 0xJJMN: JJ major, M minor, N sub-minor.
    public let version: UInt16

    /// The version in the form "1.1.0", each digit group hexadecimal as it is coded.
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
