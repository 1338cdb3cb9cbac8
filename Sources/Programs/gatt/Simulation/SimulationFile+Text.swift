import BlueZJSONLine
import BlueZPrintableText
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials

extension SimulationFile.Peripheral {
    /// The text of a file that describes the peripheral, as far as an inspected device is described: without schedules,
    /// pairing, notifications and responses.
    var text: String {
        get throws {
            var lines = ["{"]
            for member in try members { lines.append("    \(member),") }
            let services = specification.services
            if services.isEmpty {
                lines.append(#"    "services": []"#)
            } else {
                lines.append(#"    "services": ["#)
                for (index, service) in services.enumerated() {
                    lines += try service.lines.map { "        " + $0 }
                    if index < services.count - 1 { lines[lines.count - 1] += "," }
                }
                lines.append("    ]")
            }
            return (lines + ["}", ""]).joined(separator: "\n")
        }
    }

    /// Everything but the services.
    private var members: [String] {
        get throws {
            let advertisement = specification.advertisement
            var members = [
                #""name": \#(try JSONLine.text(specification.name))"#, #""address": "\#(specification.address)""#,
            ]
            if specification.addressType == .random { members.append(#""addressType": "random""#) }
            if specification.maximumMTU != 517 { members.append(#""mtu": \#(specification.maximumMTU)"#) }
            if advertisement.appearance != 0 { members.append(#""appearance": \#(advertisement.appearance)"#) }
            if let power = advertisement.txPower { members.append(#""txPower": \#(power)"#) }
            if !advertisement.serviceUUIDs.isEmpty {
                members.append(
                    #""advertisedServices": \#(JSONText.list(advertisement.serviceUUIDs.map(\.description)))"#)
            }
            if !advertisement.manufacturerData.isEmpty {
                let data = advertisement.manufacturerData.sorted { $0.key < $1.key }.map { company, bytes in
                    #""\#(String(hexadecimal: company, digits: 4, uppercase: true))": "\#(String(hexadecimal: bytes))""#
                }
                members.append(#""manufacturerData": {\#(data.joined(separator: ", "))}"#)
            }
            return members
        }
    }
}

extension ServiceSpecification {
    /// The lines of its object, one for each attribute.
    fileprivate var lines: [String] {
        get throws {
            var head = #"{"uuid": "\#(uuid)""#
            if !isPrimary { head += #", "primary": false"# }
            if let handle { head += #", "handle": \#(handle)"# }
            guard !characteristics.isEmpty else { return [head + "}"] }
            var lines = [head + #", "characteristics": ["#]
            for (index, characteristic) in characteristics.enumerated() {
                lines += try characteristic.lines.map { "    " + $0 }
                if index < characteristics.count - 1 { lines[lines.count - 1] += "," }
            }
            return lines + ["]}"]
        }
    }
}

extension CharacteristicSpecification {
    fileprivate var lines: [String] {
        get throws {
            var head = #"{"uuid": "\#(uuid)", "properties": \#(JSONText.list(properties.names))"#
            if let handle { head += #", "handle": \#(handle)"# }
            if needsEncryption { head += #", "encrypted": true"# }
            if let error = faults.readError { head += #", "readError": \#(error.rawValue)"# }
            head += try JSONText.value(value, of: uuid)
            guard !descriptors.isEmpty else { return [head + "}"] }
            var lines = [head + #", "descriptors": ["#]
            for (index, descriptor) in descriptors.enumerated() {
                let value = try JSONText.value(descriptor.value, of: descriptor.uuid)
                let comma = index < descriptors.count - 1 ? "," : ""
                lines.append(#"    {"uuid": "\#(descriptor.uuid)"\#(value)}\#(comma)"#)
            }
            return lines + ["]}"]
        }
    }
}

/// Parts of the text.
private enum JSONText {
    /// A list of strings that need no escapes.
    static func list(_ elements: [String]) -> String {
        "[" + elements.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    }

    /// The member with a value, after a comma: as text if the UUID means text. Nothing if the value is empty.
    static func value(_ bytes: [UInt8], of uuid: BluetoothUUID) throws -> String {
        guard !bytes.isEmpty else { return "" }
        if case .text(let text)? = ReadableValue.known(Data(bytes), uuid)?.decoded, Array(text.utf8) == bytes {
            return #", "text": \#(try JSONLine.text(text))"#
        }
        return #", "value": "\#(String(hexadecimal: bytes))""#
    }
}
