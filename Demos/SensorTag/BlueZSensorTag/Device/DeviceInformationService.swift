import CoreBlueZ
import FoundationEssentials

/// The device information service, 180A, of both generations.
///
/// Texts are UTF-8 up to the first NUL, system ID 2A23 8 bytes, certification 2A2A 2 bytes or more, PnP ID 2A50 7
/// bytes. Source: Bluetooth SIG, Device Information Service.
public final class DeviceInformationService: Service {
    private typealias Field = (
        name: String, uuid: BluetoothUUID,
        store: @Sendable (inout DeviceInformation, Data) throws(SensorTagDataError) -> Void
    )

    private nonisolated static let fields: [Field] = [
        ("model", 0x2A24, { (into, value) in into.model = DeviceInformationText.text(from: value) }),
        ("serialNumber", 0x2A25, { (into, value) in into.serialNumber = DeviceInformationText.text(from: value) }),
        ("firmware", 0x2A26, { (into, value) in into.firmware = DeviceInformationText.text(from: value) }),
        ("hardware", 0x2A27, { (into, value) in into.hardware = DeviceInformationText.text(from: value) }),
        ("software", 0x2A28, { (into, value) in into.software = DeviceInformationText.text(from: value) }),
        ("manufacturer", 0x2A29, { (into, value) in into.manufacturer = DeviceInformationText.text(from: value) }),
        (
            "systemIdentifier", 0x2A23,
            { (into, value) throws(SensorTagDataError) in into.systemIdentifier = try SystemIdentifier(from: value) }
        ),
        (
            "certification", 0x2A2A,
            { (into, value) throws(SensorTagDataError) in into.certification = try RegulatoryCertification(from: value)
            }
        ),
        (
            "pnpIdentifier", 0x2A50,
            { (into, value) throws(SensorTagDataError) in into.pnpIdentifier = try PnPIdentifier(from: value) }
        ),
    ]

    /// The information that was last read; nil before, and after the link has ended.
    public private(set) var information: DeviceInformation?

    /// Declares the service.
    public init() {
        super.init(name: "information", uuid: 0x180A)
        for field in Self.fields { addCharacteristic(field.name, uuid: field.uuid) }
    }

    /// Reads everything that the tag has, one value after another.
    ///
    /// - Parameter completion: gets the information; values that could not be read or decoded are nil and listed in
    ///   `failures`. If there is no link or no such service, it gets the error.
    public func readInformation(completion: @escaping @BluetoothActor (DeviceInformation?, BluetoothError?) -> Void) {
        BluetoothActor.perform { [self] in
            guard isDiscovered else {
                let reason = peripheral?.isConnected == true ? "discover the services first" : "connect first"
                let code: BluetoothError.Code = peripheral?.isConnected == true ? .notDiscovered : .notConnected
                return completion(nil, BluetoothError(code, "\(name): \(reason)"))
            }
            readNext(Self.fields[...], DeviceInformation(), completion)
        }
    }

    /// Reads everything that the tag has; the async form of `readInformation(completion:)`.
    public func readInformation() async throws(BluetoothError) -> DeviceInformation {
        try await waiting { readInformation(completion: $0) }
    }

    /// Discards the information.
    override public func didDisconnect() {
        information = nil
    }

    private func readNext(
        _ fields: ArraySlice<Field>,
        _ information: DeviceInformation,
        _ completion: @escaping @BluetoothActor (DeviceInformation?, BluetoothError?) -> Void
    ) {
        guard let field = fields.first else {
            self.information = information
            return completion(information, nil)
        }
        let rest = fields.dropFirst()
        guard let characteristic = self[field.name], characteristic.isDiscovered else {
            return readNext(rest, information, completion)
        }
        characteristic.readValue { [self] value, error in
            guard peripheral?.isConnected == true else {
                return completion(nil, error ?? BluetoothError(.disconnected, "\(name): the link ended"))
            }
            var information = information
            do throws(SensorTagDataError) {
                if let value { try field.store(&information, value) }
                if let error { information.failures.append(error) }
            } catch {
                information.failures.append(BluetoothError(error, field.name))
            }
            readNext(rest, information, completion)
        }
    }
}
