import CoreBlueZ
import FoundationEssentials

/// What a device says of itself in its Device Information service (0x180A), as far as it does.
struct DeviceInformation: Hashable, Sendable {
    var manufacturer: String?
    var modelNumber: String?
    var serialNumber: String?
    var firmwareRevision: String?
    var hardwareRevision: String?

    private static let service: BluetoothUUID = 0x180A

    /// Reads it; the services must be discovered. What cannot be read stays nil.
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

    /// UTF-8; some devices send their C string's end with it.
    @BluetoothActor private static func text(_ uuid: BluetoothUUID, of service: Service) async -> String? {
        guard let characteristic = service[uuid], characteristic.isDiscovered,
            let value = try? await characteristic.readValue()
        else { return nil }
        return String(decoding: value.prefix { $0 != 0 }, as: UTF8.self)
    }
}
