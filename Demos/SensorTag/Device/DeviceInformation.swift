import CoreBlueZ

/// What a tag says about itself: one snapshot of the device information service.
public struct DeviceInformation: Sendable, Hashable {
    /// 2A24: the model, such as "CC2650 SensorTag"; the CC2541 says "N.A.".
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
    /// 2A23: the system ID, made of the address.
    public var systemIdentifier: SystemIdentifier?
    /// 2A2A: the regulatory certification.
    public var certification: RegulatoryCertification?
    /// 2A50: vendor, product and version.
    public var pnpIdentifier: PnPIdentifier?
    /// What the tag has, but could not be read or decoded.
    public var failures: [BluetoothError] = []

    /// Nothing known.
    public init() {}

    /// The version in the firmware text; nil where it begins with none.
    public var firmwareVersion: FirmwareVersion? { firmware.flatMap { FirmwareVersion($0) } }
}
