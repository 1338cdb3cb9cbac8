import BlueZPrintableText
import CoreBlueZ

/// The name of a service or characteristic in a driver.
struct DriverIdentifier: Hashable {
    /// As the name of a property, and for the lookup: `batteryLevel`.
    var lower: String
    /// After a verb, and as the beginning of a type's name: `BatteryLevel`.
    var upper: String
    /// Whether it ends with digits of the UUID.
    private(set) var hasDigits = false

    /// The declarations that get names.
    enum Kind {
        case service, characteristic

        /// The UUIDs that the Bluetooth SIG assigns to it (Assigned Numbers, 3.4 and 3.8).
        fileprivate var assigned: ClosedRange<UInt16> {
            switch self {
            case .service: 0x1800...0x18FF
            case .characteristic: 0x2A00...0x2FFF
            }
        }

        /// The beginning of a name without an assigned one.
        fileprivate var word: DriverIdentifier {
            switch self {
            case .service: DriverIdentifier(lower: "service", upper: "Service", hasDigits: true)
            case .characteristic: DriverIdentifier(lower: "value", upper: "Value", hasDigits: true)
            }
        }
    }

    /// The names of these UUIDs are those of companies, which can have several (Assigned Numbers, 3.10 and 3.11).
    private static let companies: ClosedRange<UInt16> = 0xFC00...0xFFFF

    /// The names of attributes, in the same order. A name depends on the UUID alone, unless different UUIDs
    /// have the same one: then it has more digits. A number distinguishes equal UUIDs.
    ///
    /// - Parameter offset: the offset of a UUID on a base UUID, in digits.
    static func names(
        of kind: Kind, _ uuids: [BluetoothUUID], offset: (BluetoothUUID) -> String?
    ) -> [DriverIdentifier] {
        let distinct = Array(Set(uuids))
        var levels = Dictionary(uniqueKeysWithValues: distinct.map { ($0, 0) })
        func name(_ uuid: BluetoothUUID) -> DriverIdentifier {
            let candidates = candidates(kind, uuid, offset(uuid))
            return candidates[min(levels[uuid] ?? 0, candidates.count - 1)]
        }
        // The last candidate has all digits.
        for _ in 0..<3 {
            for shared in Dictionary(grouping: distinct, by: { name($0).key }).values where shared.count > 1 {
                for uuid in shared { levels[uuid, default: 0] += 1 }
            }
        }
        var (taken, last): (Set<String>, [String: Int]) = ([], [:])
        return uuids.map { uuid in
            let first = name(uuid)
            // After digits, a number alone would be another digit.
            let ordinal = first.lower.last?.isNumber == true || first.hasDigits ? "Number" : ""
            var (next, number) = (first, last[first.key, default: 1])
            while !taken.insert(next.key).inserted {
                number += 1
                next = first.appending("\(ordinal)\(number)")
            }
            last[first.key] = number
            return next
        }
    }

    private var key: String { lower.lowercased() }

    private func appending(_ suffix: String) -> DriverIdentifier {
        DriverIdentifier(lower: lower + suffix, upper: upper + suffix, hasDigits: hasDigits)
    }

    /// The possible names of a UUID, the best first.
    private static func candidates(_ kind: Kind, _ uuid: BluetoothUUID, _ offset: String?) -> [DriverIdentifier] {
        let short = uuid.short.map { String(hexadecimal: $0, digits: 4, uppercase: true) }
        let digits = uuid.fullString.filter { $0 != "-" }.uppercased()
        let numbers = [short ?? offset, String(digits.prefix(8)), digits].compactMap { $0 }.map(kind.word.appending)
        guard let number = uuid.short, let short, let name = uuid.name.flatMap(DriverIdentifier.init(assigned:)) else {
            return numbers
        }
        var numbered = name.appending(short)
        numbered.hasDigits = true
        if companies.contains(number) { return [numbered] + numbers }
        return kind.assigned.contains(number) ? [name, numbered] + numbers : numbers
    }

    /// Creates the name from an assigned one, such as "PnP ID" or "Magnetic Flux Density - 3D". Nil if it has no letter
    /// at its beginning.
    init?(assigned name: String) {
        let words = name.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        guard let first = words.first, first.first?.isLetter == true else { return nil }
        let capitalized = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let isAbbreviation = first.filter(\.isUppercase).count > 1
        lower = isAbbreviation ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
        lower += capitalized.dropFirst().joined()
        upper = capitalized.joined()
    }

    private init(lower: String, upper: String, hasDigits: Bool) {
        self.lower = lower
        self.upper = upper
        self.hasDigits = hasDigits
    }
}
