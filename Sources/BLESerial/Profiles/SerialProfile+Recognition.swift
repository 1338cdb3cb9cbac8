import CoreBlueZ

extension SerialProfile {
    /// Returns whether a peripheral offers the profile: the service, with a characteristic that can be written and one
    /// that notifies or indicates, and all companions. Its services must have been discovered.
    @BluetoothActor public func isOffered(by peripheral: Peripheral) -> Bool {
        guard let found = peripheral.services.first(where: { $0.uuid == service && $0.isDiscovered }) else {
            return false
        }
        let has = { (uuid: BluetoothUUID, properties: CharacteristicProperties) in
            found.characteristics.contains {
                $0.uuid == uuid && $0.isDiscovered && !$0.properties.isDisjoint(with: properties)
            }
        }
        guard has(write, [.write, .writeWithoutResponse]), has(notify, [.notify, .indicate]) else { return false }
        let services = peripheral.services.filter(\.isDiscovered)
        let present = Set(services.map(\.uuid) + services.flatMap { $0.characteristicUUIDs })
        return companions.isSubset(of: present)
    }
}

extension Peripheral {
    /// Determines which serial profile the connected peripheral has, and returns its service, ready to be opened.
    ///
    /// A peripheral that declares a `SerialService` keeps it. Otherwise one is declared, and replaces the plain service
    /// in `services`.
    ///
    /// The operation fails with `BluetoothError.Code.profileNotRecognized` if the peripheral has none of the profiles,
    /// and with the codes of `discoverServices(_:completion:)`.
    /// - Parameters:
    ///   - profiles: the profiles to look for, in this order. Include `SerialProfile.hm10` if the device is one.
    ///   - completion: gets the service, or the error.
    public func discoverSerialService(
        _ profiles: [SerialProfile] = SerialProfile.recognizable,
        completion: @escaping @BluetoothActor (SerialService?, BluetoothError?) -> Void
    ) {
        discoverServices { [self] _, error in
            if let error { return completion(nil, error) }
            guard let service = serialService(profiles) else { return completion(nil, notRecognized(profiles)) }
            // Binds the service if it is new, without another request to bluetoothd.
            discoverServices { _, error in completion(error == nil ? service : nil, error) }
        }
    }

    /// Determines which serial profile the connected peripheral has; the async form of
    /// `discoverSerialService(_:completion:)`.
    public func discoverSerialService(
        _ profiles: [SerialProfile] = SerialProfile.recognizable
    ) async throws(BluetoothError) -> SerialService {
        try await discoverServices()
        guard let service = serialService(profiles) else { throw notRecognized(profiles) }
        try await discoverServices()
        return service
    }

    private func serialService(_ profiles: [SerialProfile]) -> SerialService? {
        guard let profile = profiles.first(where: { $0.isOffered(by: self) }) else { return nil }
        let known = services.lazy.compactMap { $0 as? SerialService }.first { $0.profile == profile }
        if let known { return known }
        let service = SerialService(profile)
        addService(service)
        return service
    }

    private func notRecognized(_ profiles: [SerialProfile]) -> BluetoothError {
        let names = profiles.map(\.name).joined(separator: ", ")
        return BluetoothError(
            .profileNotRecognized,
            "\(displayName) has none of these serial profiles: \(names); describe its own with a SerialProfile")
    }
}

extension BluetoothError.Code {
    /// The peripheral has none of the serial profiles that were searched for.
    public static let profileNotRecognized = Self(rawValue: "profileNotRecognized")
}
