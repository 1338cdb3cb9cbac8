import CoreBlueZ

/// The two characteristics of a peripheral that carry a profile's bytes.
struct SerialRoles {
    /// The profile, with the roles that the characteristics have on this peripheral.
    let profile: SerialProfile
    let write: Characteristic
    let notify: Characteristic
}

/// The part of a profile that a peripheral lacks.
struct SerialMismatch: Error {
    let reason: String
    /// Whether the peripheral has the service.
    let hasService: Bool
}

extension SerialProfile {
    /// Finds the profile's characteristics on a peripheral whose services have been discovered.
    ///
    /// Their properties decide. Of two characteristics with the same UUID, one may be for writing and one for notifying.
    /// The micro:bit has the characteristics of the Nordic UART with swapped roles.
    @BluetoothActor func roles(on peripheral: Peripheral) -> Result<SerialRoles, SerialMismatch> {
        let given = rolesAsGiven(on: peripheral)
        guard case .failure = given, isSwappable else { return given }
        var swapped = self
        (swapped.write, swapped.notify) = (notify, write)
        guard case .success(let roles) = swapped.rolesAsGiven(on: peripheral) else { return given }
        return .success(roles)
    }

    private var isSwappable: Bool {
        write != notify && notifyService == nil && writeHandle == nil && notifyHandle == nil
    }

    @BluetoothActor private func rolesAsGiven(on peripheral: Peripheral) -> Result<SerialRoles, SerialMismatch> {
        let services = peripheral.services.filter(\.isDiscovered)
        let present = Set(services.map(\.uuid) + services.flatMap { $0.characteristicUUIDs })
        if let absent = companions.subtracting(present).min(by: { $0.description < $1.description }) {
            return .failure(SerialMismatch(reason: "it has no \(absent)", hasService: present.contains(service)))
        }
        let writing = services.filter { $0.uuid == service }
        var mismatch: SerialMismatch?
        for candidate in writing {
            do throws(SerialMismatch) {
                let notifying = notifyService.map { uuid in services.filter { $0.uuid == uuid } } ?? [candidate]
                guard !notifying.isEmpty else {
                    throw SerialMismatch(reason: "it has no service \(notifyService ?? service)", hasService: true)
                }
                let roles = SerialRoles(
                    profile: self, write: try Role.write.find(write, writeHandle, in: [candidate]),
                    notify: try Role.notify.find(notify, notifyHandle, in: notifying))
                return .success(roles)
            } catch {
                mismatch = mismatch ?? error
            }
        }
        return .failure(mismatch ?? SerialMismatch(reason: "it has no service \(service)", hasService: false))
    }
}

/// The use of a characteristic.
private enum Role {
    case write, notify

    private var properties: CharacteristicProperties {
        switch self {
        case .write: [.write, .writeWithoutResponse]
        case .notify: [.notify, .indicate]
        }
    }

    /// The characteristic for the role, the one with the lowest handle if there are several.
    @BluetoothActor func find(
        _ uuid: BluetoothUUID, _ handle: UInt16?, in services: [Service]
    ) throws(SerialMismatch) -> Characteristic {
        let all = services.flatMap(\.characteristics).filter {
            $0.uuid == uuid && $0.isDiscovered && (handle == nil || $0.handle == handle)
        }
        let fitting = all.filter { !$0.properties.isDisjoint(with: properties) }
        if let first = fitting.min(by: { $0.handle < $1.handle }) { return first }
        let place = handle.map { " with the handle \($0)" } ?? ""
        guard let other = all.first else {
            let service = services.first?.uuid.description ?? ""
            throw SerialMismatch(
                reason: "its service \(service) has no characteristic \(uuid)\(place)", hasService: true)
        }
        let lack = self == .write ? "cannot be written" : "can neither notify nor indicate"
        let offered = other.properties.names.joined(separator: ", ")
        throw SerialMismatch(
            reason: "its characteristic \(uuid)\(place) \(lack) (its properties: \(offered))", hasService: true)
    }
}
