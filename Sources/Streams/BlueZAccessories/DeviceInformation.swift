import CoreBlueZ
import FoundationEssentials

/// The information of a device's Device Information service (0x180A). Texts that the device does not have are nil.
struct DeviceInformation: Hashable, Sendable {
    var manufacturer: String?
    var modelNumber: String?
    var serialNumber: String?
    var firmwareRevision: String?
    var hardwareRevision: String?

    private static let service: BluetoothUUID = 0x180A

    /// Reads the information. The services must be discovered. A text that cannot be read is nil.
    @BluetoothActor static func read(of peripheral: Peripheral) async -> DeviceInformation {
        var information = DeviceInformation()
        guard let service = peripheral[Self.service], service.isDiscovered else { return information }
        information.manufacturer = await text(0x2A29, of: service)
        information.modelNumber = await text(0x2A24, of: service)
        information.serialNumber = await text(0x2A25, of: service)
        information.firmwareRevision = await text(0x2A26, of: service)
        information.hardwareRevision = await text(0x2A27, of: service)
        return information
    }

    /// Reads a text in UTF-8. Some devices also send the terminating zero of their C string.
    @BluetoothActor private static func text(_ uuid: BluetoothUUID, of service: Service) async -> String? {
        guard let characteristic = service[uuid], characteristic.isDiscovered,
            let value = try? await characteristic.readValue()
        else { return nil }
        return String(decoding: value.prefix { $0 != 0 }, as: UTF8.self)
    }
}
