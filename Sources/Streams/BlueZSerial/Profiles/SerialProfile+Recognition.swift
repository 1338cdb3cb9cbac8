import CoreBlueZ

extension SerialProfile {
    /// Returns whether a peripheral offers the profile: the services, a characteristic that can be written, one that
    /// notifies or indicates, and all companions. The two may have swapped roles. Its services must have been discovered.
    @BluetoothActor public func isOffered(by peripheral: Peripheral) -> Bool {
        if case .success = roles(on: peripheral) { true } else { false }
    }
}

extension Peripheral {
    /// Determines which serial profile the connected peripheral has, and returns its service, ready to be opened.
    ///
    /// A peripheral that declares a `SerialService` keeps it. Otherwise one is declared, and replaces the plain service
    /// in `services`. If the device has a profile's characteristics with swapped roles, as the micro:bit has those of the
    /// Nordic UART, so has `SerialService.profile`.
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
        for profile in profiles {
            guard case .success(let roles) = profile.roles(on: self) else { continue }
            let declared = services.lazy.compactMap { $0 as? SerialService }
            if let known = declared.first(where: { [profile, roles.profile].contains($0.profile) }) { return known }
            let service = SerialService(roles.profile)
            addService(service)
            return service
        }
        return nil
    }

    private func notRecognized(_ profiles: [SerialProfile]) -> BluetoothError {
        BluetoothError(.profileNotRecognized, "\(mismatch(with: profiles)); describe its own with a SerialProfile")
    }

    /// Returns which profiles the peripheral does not have, and what is missing for those that it has in part.
    public func mismatch(with profiles: [SerialProfile]) -> String {
        var text = "\(displayName) has none of these serial profiles: "
        text += profiles.map(\.name).joined(separator: ", ")
        for profile in profiles {
            guard case .failure(let mismatch) = profile.roles(on: self) else { continue }
            if profiles.count == 1 { text += "; \(mismatch.reason)" }
            if profiles.count > 1, mismatch.hasService { text += "; for \(profile.name), \(mismatch.reason)" }
        }
        return text
    }
}

extension BluetoothError.Code {
    /// The peripheral has none of the serial profiles that were searched for.
    public static let profileNotRecognized = Self(rawValue: "profileNotRecognized")
}
