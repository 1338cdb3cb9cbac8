import BlueZJSONLine
import BlueZPrintableText
import BlueZSimulator
import FoundationEssentials

extension PeripheralSpecification {
    /// The keys of what is advertised.
    mutating func codeAdvertisements(_ keys: inout JSONKeys) {
        advertisement.code(&keys, orElse: AdvertisementData())
        keys.add("extended", &usesExtendedAdvertising, unless: false, .flag)
        if let problem = advertisement.problem(for: self) { keys.refuse(problem) }
        keys.add("advertisements", &advertisements, .advertisements(after: advertisement))
        for (index, value) in (advertisements?.values ?? []).enumerated() {
            guard let problem = value.problem(for: self) else { continue }
            keys.refuse(problem, at: ["advertisements", "values", "\(index)"])
        }
    }

    /// Makes the advertisement of a real device extended if it doesn't fit otherwise: the device may alternate between
    /// several, and its name may be shortened.
    mutating func extendAdvertisementIfNeeded() {
        usesExtendedAdvertising = advertisement.problem(for: self) != nil
    }
}

extension AdvertisementData {
    /// The keys of an advertisement that a peripheral has, too.
    ///
    /// - Parameter other: the advertisement that has what is missing, which this one is before it is read.
    fileprivate mutating func code(_ keys: inout JSONKeys, orElse other: AdvertisementData) {
        keys.add("appearance", &appearance, .number())
        keys.add("txPower", &txPowerLevel, .number(from: -127, to: 20))
        keys.add("advertisedServices", &serviceUUIDs, unless: other.serviceUUIDs, .list(.uuid))
        keys.add(
            "manufacturerData", &manufacturerData, unless: other.manufacturerData,
            .dictionary("a company identifier of four hexadecimal digits", of: .hexadecimal) {
                String(hexadecimal: $0, digits: 4, uppercase: true)
            } _: { company in
                let digits = company.lowercased().hasPrefix("0x") ? company.dropFirst(2) : company[...]
                return digits.utf8.count > 4 || digits.first == "+" ? nil : UInt16(digits, radix: 16)
            })
        keys.add(
            "serviceData", &serviceData, unless: other.serviceData,
            .dictionary("a UUID of 4, 8 or 32 hexadecimal digits", of: .hexadecimal, key: \.description) {
                BluetoothUUID(typed: $0)
            })
    }
}

extension JSONField<AdvertisementSeries> {
    fileprivate static func advertisements(after first: AdvertisementData) -> JSONField {
        .object("advertisements", AdvertisementSeries([]), isStrict: true) { series, keys in
            keys.add("values", required: &series.values, .list(.advertisement(after: first)))
            keys.add("interval", &series.interval, unless: .seconds(1), .seconds(from: 0.01))
            keys.add("repeat", &series.repeats, unless: true, .flag)
        }
    }
}

extension JSONField<AdvertisementData> {
    /// An advertisement, with the peripheral's own for what is missing.
    fileprivate static func advertisement(after first: AdvertisementData) -> JSONField {
        .object("an advertisement", first, isStrict: true) { advertisement, keys in
            let name = first.localName ?? ""
            var newName = advertisement.localName ?? ""
            keys.add("name", &newName, unless: name, .name)
            advertisement.localName = newName.isEmpty ? nil : newName
            advertisement.code(&keys, orElse: first)
        }
    }
}
