import ArgumentParser
import BlueZScript
import BlueZSerial
import CoreBlueZ

/// `--profile`: a known profile by its name, or the characteristics of another by their UUIDs or handles.
struct SerialProfileChoice: ExpressibleByArgument {
    /// A characteristic.
    private enum Place {
        case uuid(service: BluetoothUUID, BluetoothUUID)
        /// The text of the handle, such as `@0x0012`.
        case handle(String)

        /// `SERVICE/CHARACTERISTIC`, or `@HANDLE`.
        init?(_ text: Substring) {
            if text.hasPrefix("@") {
                guard (try? CharacteristicMatch.handle(String(text))) != nil else { return nil }
                self = .handle(String(text))
            } else {
                let parts = text.split(separator: "/", omittingEmptySubsequences: false)
                guard parts.count == 2, let service = BluetoothUUID(typed: String(parts[0])),
                    let characteristic = BluetoothUUID(typed: String(parts[1]))
                else { return nil }
                self = .uuid(service: service, characteristic)
            }
        }
    }

    private enum Choice {
        case profile(SerialProfile)
        /// Characteristics with handles, which only mean something on a device.
        case places(write: Place, notify: Place)
    }

    private let argument: String
    private let choice: Choice
    /// The profile; nil if it has handles.
    var profile: SerialProfile? { if case .profile(let profile) = choice { profile } else { nil } }

    static let named: [(name: String, profile: SerialProfile)] = [
        ("nordic", .nordic), ("issc", .issc), ("hm10", .hm10), ("tertium", .tertium),
        ("tertium-sensor", .tertiumSensor), ("tertium-zhaga", .tertiumZhaga), ("tertium-2017", .tertium2017),
        ("tertium-zebra", .tertiumZebra), ("zentri", .zentri),
    ]

    static var allValueStrings: [String] { named.map(\.name) }

    init?(argument: String) {
        self.argument = argument
        if let known = Self.named.first(where: { $0.name == argument.lowercased() }) {
            choice = .profile(known.profile)
            return
        }
        let ends = argument.split(separator: ",", omittingEmptySubsequences: false)
        if ends.count == 2, let write = Place(ends[0]), let notify = Place(ends[1]) {
            guard case .uuid(let service, let write) = write, case .uuid(let notifyService, let notify) = notify else {
                choice = .places(write: write, notify: notify)
                return
            }
            choice = .profile(
                SerialProfile(
                    name: argument, service: service, write: write, notify: notify,
                    notifyService: notifyService == service ? nil : notifyService))
            return
        }
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map {
            BluetoothUUID(typed: String($0))
        }
        guard parts.count == 3, let service = parts[0], let write = parts[1], let notify = parts[2] else { return nil }
        choice = .profile(SerialProfile(name: argument, service: service, write: write, notify: notify))
    }

    /// The profile on a device whose services are discovered.
    @BluetoothActor func profile(on peripheral: Peripheral) throws -> SerialProfile {
        switch choice {
        case .profile(let profile): return profile
        case .places(let write, let notify):
            let (write, notify) = (try find(write, on: peripheral), try find(notify, on: peripheral))
            return SerialProfile(
                name: argument, service: write.service, write: write.uuid, notify: notify.uuid,
                notifyService: notify.service == write.service ? nil : notify.service,
                writeHandle: write.handle, notifyHandle: notify.handle)
        }
    }

    @BluetoothActor private func find(
        _ place: Place, on peripheral: Peripheral
    ) throws -> (service: BluetoothUUID, uuid: BluetoothUUID, handle: UInt16?) {
        switch place {
        case .uuid(let service, let uuid): return (service, uuid, nil)
        case .handle(let text):
            guard let found = try CharacteristicMatch.fitting(text, on: peripheral).first, let service = found.service
            else { throw CharacteristicMatch.notFound(text, on: peripheral) }
            return (service.uuid, found.uuid, found.handle)
        }
    }
}

/// `--line-end`: sent to the device after a typed line.
enum LineEnd: String, ExpressibleByArgument, CaseIterable {
    case none, lf, cr, crlf

    var bytes: [UInt8] {
        switch self {
        case .none: []
        case .lf: [0x0A]
        case .cr: [0x0D]
        case .crlf: [0x0D, 0x0A]
        }
    }
}
