import ArgumentParser
import BLESerial
import CommandLineSupport
import CoreBlueZ

/// `--profile`: a known profile by its name, or the UUIDs of another.
struct SerialProfileChoice: ExpressibleByArgument {
    let profile: SerialProfile

    static let named: [(name: String, profile: SerialProfile)] = [
        ("nordic", .nordic), ("issc", .issc), ("hm10", .hm10), ("tertium", .tertium),
        ("tertium-sensor", .tertiumSensor), ("tertium-zhaga", .tertiumZhaga), ("tertium-2017", .tertium2017),
        ("tertium-zebra", .tertiumZebra), ("zentri", .zentri),
    ]

    static var allValueStrings: [String] { named.map(\.name) }

    init?(argument: String) {
        if let known = Self.named.first(where: { $0.name == argument.lowercased() }) {
            profile = known.profile
            return
        }
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map {
            BluetoothUUID(typed: String($0))
        }
        guard parts.count == 3, let service = parts[0], let write = parts[1], let notify = parts[2] else { return nil }
        profile = SerialProfile(name: argument, service: service, write: write, notify: notify)
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
