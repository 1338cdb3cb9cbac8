import BlueZAdvertisements
import BlueZJSONLine
import BlueZPrintableText
import CoreBlueZ

extension Advertisement {
    /// All parts in one line, such as "BTHome v2: temperature 25.06 °C, humidity 50.55 %".
    var text: String { parts.map(\.text).joined(separator: "; ") }

    /// A list with an object for each part.
    var json: JSONValue { .list(parts.map(\.json)) }

    /// The formats, for a column.
    var formats: String { parts.map(\.format).joined(separator: ", ") }

    /// What is shown of them where there is little space: numbers with their units, and what is so.
    var shortText: String { parts.flatMap(\.shortTexts).joined(separator: "  ") }
}

extension AdvertisementPart {
    fileprivate var text: String {
        let told = readings.map(\.description) + events.map(\.text) + [problem?.description].compactMap { $0 }
        return told.isEmpty ? format : "\(format): \(told.joined(separator: ", "))"
    }

    fileprivate var shortTexts: [String] {
        let values = readings.map { reading in
            switch reading.value {
            case .number where reading.unit != nil: "\(reading.value) \(reading.unit?.rawValue ?? "")"
            default: reading.description
            }
        }
        return events.map(\.text) + values + [problem?.description].compactMap { $0 }
    }

    fileprivate var json: JSONValue {
        var fields: [String: JSONValue] = ["format": .text(format), "data": .text(ValueFormat.hex(data))]
        switch source {
        case .manufacturer(let company): fields["company"] = .text(CharacteristicMatch.hexadecimal(company))
        case .service(let uuid): fields["service"] = .text(uuid.description)
        case .structure(let type): fields["structure"] = .integer(Int64(type))
        case .anyManufacturer: break
        }
        if !readings.isEmpty {
            fields["readings"] = .object(
                Dictionary(namedReadings.map { ($0.name, $0.reading.json) }, uniquingKeysWith: { first, _ in first }))
        }
        if !events.isEmpty { fields["events"] = .list(events.map(\.json)) }
        fields["counter"] = counter.map { .integer(Int64($0)) }
        if isReverseEngineered { fields["reverseEngineered"] = true }
        if let problem {
            fields["problem"] = .text(problem.code)
            fields["problemText"] = .text(problem.description)
        }
        return .object(fields)
    }
}

extension AdvertisementReading {
    fileprivate var json: JSONValue {
        let value: JSONValue =
            switch value {
            case .number(let number): Int64(exactly: number).map { .integer($0) } ?? .number(number)
            case .flag(let flag): .boolean(flag)
            case .text(let text): .text(text)
            case .bytes(let data): .text(ValueFormat.hex(data))
            }
        return .object(["value": value].merging(unit.map { ["unit": .text($0.rawValue)] } ?? [:]) { $1 })
    }
}

extension AdvertisementEvent {
    fileprivate var text: String {
        let number = index == 1 ? "" : " \(index)"
        return "\(kind.rawValue)\(number) \(action)" + (steps.map { " \($0)" } ?? "")
    }

    fileprivate var json: JSONValue {
        var fields: [String: JSONValue] = [
            "kind": .text(kind.rawValue), "action": .text(action), "index": .integer(Int64(index)),
        ]
        fields["steps"] = steps.map { .integer(Int64($0)) }
        return .object(fields)
    }
}
