import BlueZScript
import CoreBlueZ

/// How a command uses a characteristic.
enum AttributeUse: String {
    case reading
    case writing
    case writingWithoutResponse = "writing without response"
    case notifying = "notifications"

    /// The properties of which the characteristic must have at least one.
    private var permissions: CharacteristicProperties {
        switch self {
        case .reading: .read
        case .writing: [.write, .reliableWrite]
        case .writingWithoutResponse: [.writeWithoutResponse, .authenticatedSignedWrites]
        case .notifying: [.notify, .indicate]
        }
    }

    func isPermitted(by properties: CharacteristicProperties) -> Bool {
        !properties.isDisjoint(with: permissions)
    }

    /// Throws if the characteristic's properties do not permit it. A device may nevertheless respond with a meaningless
    /// value.
    @BluetoothActor func check(_ characteristic: Characteristic) throws(CommandFailure) {
        let properties = characteristic.properties
        guard !isPermitted(by: properties) else { return }
        let device = characteristic.service?.peripheral?.displayName ?? "the device"
        let names = properties.names.joined(separator: ", ")
        throw CommandFailure(
            .unavailable,
            "\(characteristic.uuid) of \(device) does not permit \(rawValue), only: \(names.isEmpty ? "nothing" : names)"
                + suggestion(properties))
    }

    private func suggestion(_ properties: CharacteristicProperties) -> String {
        switch self {
        case .reading where Self.notifying.isPermitted(by: properties): "; see: gatt notify"
        case .writing where Self.writingWithoutResponse.isPermitted(by: properties): "; add --without-response"
        case .writingWithoutResponse where Self.writing.isPermitted(by: properties): "; omit --without-response"
        case .notifying where Self.reading.isPermitted(by: properties): "; see: gatt read"
        default: ""
        }
    }
}
