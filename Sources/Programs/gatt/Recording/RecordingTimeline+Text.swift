import BlueZPrintableText
import BlueZRecording
import CoreBlueZ
import FoundationEssentials

extension RecordingTimeline {
    static func text(_ adapter: RecordedAdapter) -> String {
        var parts = ["adapter \(adapter.adapter)"]
        if let address = adapter.address { parts.append(address.description) }
        if let powered = adapter.powered { parts.append(powered ? "on" : "off") }
        if adapter.removed == true { parts.append("removed") }
        return parts.joined(separator: ", ")
    }

    static func text(_ report: RecordedAdvertisement) -> String {
        var parts = ["heard"]
        if let rssi = report.rssi { parts.append("\(rssi) dBm") }
        if let name = report.data.localName { parts.append("\"\(name)\"") }
        parts += report.data.serviceUUIDs.map { uuid in uuid.name ?? uuid.description }
        for (company, data) in report.data.manufacturerData.sorted(by: { $0.key < $1.key }) {
            let name = AssignedNumbers.companyName(company) ?? hexadecimal(company)
            parts.append("\(name): \(String(hexadecimal: data))")
        }
        for (uuid, data) in report.data.serviceData.sorted(by: { $0.key < $1.key }) {
            parts.append("\(uuid.name ?? uuid.description): \(String(hexadecimal: data))")
        }
        return parts.joined(separator: ", ")
    }

    static func text(_ device: RecordedDevice) -> String {
        var parts: [String] = []
        if let name = device.deviceName { parts.append("name \"\(name)\"") }
        if let alias = device.alias { parts.append("alias \"\(alias)\"") }
        if let rssi = device.rssi { parts.append("\(rssi) dBm") }
        let flags: [(String, Bool?)] = [
            ("paired", device.paired), ("bonded", device.bonded), ("trusted", device.trusted),
            ("blocked", device.blocked), ("connected", device.connected), ("services resolved", device.resolved),
            ("removed", device.removed),
        ]
        for (name, flag) in flags { if let flag { parts.append(flag ? name : "not \(name)") } }
        return "bluetoothd reports: " + (parts.isEmpty ? "a change" : parts.joined(separator: ", "))
    }

    static func text(_ link: RecordedDisconnection) -> String {
        let by =
            switch link.by {
            case .here?: "disconnected by this side"
            case .there?: "disconnected by the device"
            case .lost?: "link lost"
            case nil: "disconnected"
            }
        return by + (link.reason.map { " (0x\(String(hexadecimal: $0, digits: 2)))" } ?? "")
    }

    static func text(_ database: RecordedDatabase) -> String {
        let count = database.services.reduce(0) { $0 + $1.characteristics.count }
        let owner = database.isServedHere ? "services of this side" : "services"
        var text = "\(owner): \(database.services.count), with \(count) characteristic\(count == 1 ? "" : "s")"
        if !database.isComplete { text += ", incomplete" }
        if !database.unknownHandles.isEmpty {
            let handles = database.unknownHandles.prefix(16).map(hexadecimal).joined(separator: ", ")
            text += ", known only by handle: \(handles)"
        }
        return text
    }

    static func text(_ pairing: RecordedPairing) -> String {
        var text = "pairing: \(pairing.step)"
        if let method = pairing.method { text += " \(method)" }
        switch pairing.by {
        case .here?: text += ", by this side"
        case .there?: text += ", by the device"
        default: break
        }
        if let reason = pairing.reason { text += " (0x\(String(hexadecimal: reason, digits: 2)))" }
        return text + (pairing.text.map { ": \($0)" } ?? "")
    }

    static func text(_ failure: RecordedResponse.Failure) -> String {
        switch failure {
        case .att(let error): error.description
        case .hci(let code): "controller's error 0x\(String(hexadecimal: code, digits: 2))"
        case .bus(let name, let text): text.isEmpty ? name : "\(name): \(text)"
        case .noResponse: "no response"
        }
    }
}
