import CoreBlueZ

/// The information that a tag reports about itself: one snapshot of the device information service.
public struct DeviceInformation: Sendable, Hashable {
    /// 2A24: the model, such as "CC2650 SensorTag"; "N.A." on the CC2541.
    public var model: String?
    /// 2A25: the serial number; "N.A." on most tags.
    public var serialNumber: String?
    /// 2A26: the firmware, such as "1.5 (Oct 23 2013)".
    public var firmware: String?
    /// 2A27: the hardware.
    public var hardware: String?
    /// 2A28: the software.
    public var software: String?
    /// 2A29: the manufacturer, "Texas Instruments".
    public var manufacturer: String?
    /// 2A23: the system ID, derived from the address.
    public var systemIdentifier: SystemIdentifier?
    /// 2A2A: the regulatory certification.
    public var certification: RegulatoryCertification?
    /// 2A50: vendor, product and version.
    public var pnpIdentifier: PnPIdentifier?
    /// The errors of values that exist but could not be read or decoded.
    public var failures: [BluetoothError] = []

    /// Creates empty information.
    public init() {}

    /// The version in the firmware text; nil if it does not begin with one.
    public var firmwareVersion: FirmwareVersion? { firmware.flatMap { FirmwareVersion($0) } }
}

/// The version in the firmware revision string, 2A26, for example "1.5 (Oct 23 2013)".
///
/// Major and minor are whole numbers: 1.50 (CC2650) is later than 1.5 (CC2541). Compare only versions of one
/// generation.
public struct FirmwareVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number before the dot.
    public let major: Int
    /// The number after the dot.
    public let minor: Int

    /// A version.
    public init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// Parses the part before the first space: "1.5", or more dotted numbers, of which the rest is ignored.
    ///
    /// - Returns: nil if it does not begin with two numbers and a dot.
    public init?(_ text: some StringProtocol) {
        let word = text.prefix { $0 != " " && $0 != "\0" }
        let numbers = word.split(separator: ".", omittingEmptySubsequences: false).map { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        guard numbers.count >= 2, !numbers.contains(nil), let major = numbers[0], let minor = numbers[1] else {
            return nil
        }
        self.init(major: major, minor: minor)
    }

    /// Orders by major, then by minor.
    public static func < (left: FirmwareVersion, right: FirmwareVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }

    /// Major, dot, minor.
    public var description: String { "\(major).\(minor)" }
}

/// The strings of the device information service: model, serial number, revisions, manufacturer; also the device name.
public enum DeviceInformationText {
    /// Decodes a string of any length: everything before the first NUL, as UTF-8.
    ///
    /// The CC2541 sends a NUL after some of its strings. Bytes that are not UTF-8 become U+FFFD. Control characters
    /// stay: escape them before they reach a terminal.
    public static func text(from payload: some Collection<UInt8>) -> String {
        String(decoding: payload.prefix { $0 != 0 }, as: UTF8.self)
    }
}
