import BlueZJSONLine
import CoreBlueZ
import FoundationEssentials

/// Values that CoreBlueZ decodes.
extension ReadableValue {
    static func defined(_ data: Data, _ uuid: BluetoothUUID) -> ReadableValue? {
        guard GATTValue.isKnown(uuid) else { return nil }
        let value: GATTValue
        do {
            value = try GATTValue(data, of: uuid)
        } catch {
            return ReadableValue(reason: error.reason)
        }
        if value.isStructure { return structure(value) }
        guard let field = value.fields.first else { return nil }
        let isValid = if case .invalid = field.content { false } else { true }
        return ReadableValue(
            decoded: field.content.json(inStructure: false), unit: field.unit, reason: field.content.reason,
            text: isValid ? value.description : nil)
    }

    private static func structure(_ value: GATTValue) -> ReadableValue {
        var fields: [String: JSONValue] = [:]
        var units: [String: String] = [:]
        var reasons: [String: String] = [:]
        for field in value.fields {
            fields[field.name.rawValue] = field.content.json(inStructure: true)
            units[field.name.rawValue] = field.unit
            reasons[field.name.rawValue] = field.content.reason
        }
        let text = value.description
        return ReadableValue(
            decoded: .object(fields), units: units.isEmpty ? nil : units, reasons: reasons.isEmpty ? nil : reasons,
            text: text.isEmpty ? nil : text)
    }
}

extension GATTValue.Content {
    /// Nil if there is no valid reading. A choice is its number, except in a structure, where it is its meaning.
    fileprivate func json(inStructure: Bool) -> JSONValue? {
        switch self {
        case .number(let number): number.json
        case .numbers(let numbers): .list(numbers.map(\.json))
        case .boolean(let value, _): .boolean(value)
        case .choice(let number, let name): inStructure ? .text(name) : .integer(Int64(number))
        case .names(let names): .list(names.map(JSONValue.text))
        case .time(let time): time.isComplete ? .text(time.iso8601) : nil
        case .special, .invalid: nil
        }
    }

    /// Why there is no valid reading.
    fileprivate var reason: String? {
        switch self {
        case .special(let reason), .invalid(_, let reason): reason
        case .time(let time) where !time.isComplete: "the date is not completely known"
        default: nil
        }
    }
}

extension GATTNumber {
    fileprivate var json: JSONValue {
        (0...6).contains(exponent) ? Int64(description).map(JSONValue.integer) ?? .number(double) : .number(double)
    }
}

extension DateComponents {
    fileprivate var isComplete: Bool { year != nil && month != nil && day != nil }

    fileprivate var iso8601: String { "\(gattDate)T\(gattTime)\(gattMilliseconds)" }
}
