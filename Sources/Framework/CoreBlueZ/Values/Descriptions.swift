import BlueZPrintableText
import BlueZValues
import FoundationEssentials

// Descriptions for logs and debuggers: one line each, with control characters escaped, and with the names that the
// Bluetooth SIG has assigned. Conformances of the objects belong to the actor. Elsewhere, Swift prints their types.

extension Peripheral: @BluetoothActor CustomStringConvertible {
    /// The name, the address and the state, such as "SensorTag (BC:6A:29:AB:AB:50), connected".
    public var description: String {
        let text = address.map { "\(displayName) (\($0))" } ?? displayName
        return name == nil ? "\(displayName), \(state)" : "\(text), \(state)"
    }
}

extension Service: @BluetoothActor CustomStringConvertible {
    /// The assigned or declared name and the UUID, such as "Battery (180F)".
    public var description: String { uuid.text(named: name) }
}

extension Characteristic: @BluetoothActor CustomStringConvertible {
    /// The assigned or declared name, the UUID and the operations, such as "Battery Level (2A19): read, notify".
    public var description: String {
        let text = uuid.text(named: name)
        return properties.isEmpty ? text : "\(text): \(properties.names.joined(separator: ", "))"
    }
}

extension Descriptor: @BluetoothActor CustomStringConvertible {
    /// The assigned name and the UUID, such as "Characteristic User Description (2901)".
    public var description: String { uuid.text(named: nil) }
}

extension ScanResult: @BluetoothActor CustomStringConvertible {
    /// The peripheral, the signal strength and the advertisement data.
    @BluetoothActor public var description: String {
        [peripheral.description, rssi.map { "\($0) dBm" }, advertisement.description].compactMap(\.self)
            .joined(separator: ", ")
    }
}

extension AdvertisementData: CustomStringConvertible {
    /// The advertised data, such as "SensorTag", services [Battery (180F)], Texas Instruments Inc. (000D) 03 00 00.
    public var description: String {
        var parts: [String] = []
        if let localName { parts.append("\"\(localName.escapedForTerminal())\"") }
        if !serviceUUIDs.isEmpty {
            parts.append("services [\(serviceUUIDs.map { $0.text(named: nil) }.joined(separator: ", "))]")
        }
        for (company, data) in manufacturerData.sorted(by: { $0.key < $1.key }) {
            let number = String(hexadecimal: company, digits: 4, uppercase: true)
            let name = AssignedNumbers.companyName(company).map { "\($0) (\(number))" } ?? "company \(number)"
            parts.append("\(name) \(data.digits)")
        }
        for (uuid, data) in serviceData.sorted(by: { $0.key < $1.key }) {
            parts.append("data of \(uuid.text(named: nil)) \(data.digits)")
        }
        if let txPowerLevel { parts.append("sent with \(txPowerLevel) dBm") }
        if let appearance {
            parts.append("appearance \(AssignedNumbers.appearanceName(appearance) ?? "\(appearance)")")
        }
        if let flags { parts.append("flags \(flags.digits)") }
        for (type, content) in structures.sorted(by: { $0.key < $1.key }) {
            parts.append("structure \(String(hexadecimal: type, digits: 2, uppercase: true)) \(content.digits)")
        }
        return parts.isEmpty ? "no data" : parts.joined(separator: ", ")
    }
}

extension BluetoothUUID {
    /// Returns the UUID after its assigned name, or after the declared name if that is not the UUID.
    fileprivate func text(named declared: String?) -> String {
        guard let name = name ?? declared?.escapedForTerminal(), name != description else { return description }
        return "\(name) (\(self))"
    }
}

extension Data {
    /// The bytes as hexadecimal digits, with spaces between the bytes.
    fileprivate var digits: String {
        isEmpty ? "(empty)" : map { String(hexadecimal: $0, digits: 2) }.joined(separator: " ")
    }
}
