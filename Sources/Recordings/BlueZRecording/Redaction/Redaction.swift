import BlueZJSONLine
import BlueZValues
import FoundationEssentials

/// Replaces the addresses, names, serial numbers and keys of a recording, each consistently with the same.
package struct Redaction {
    private var secrets: Secrets
    private let search: SecretSearch
    private let hidesValues: Bool

    /// AD structures that contain addresses, keys or what keys are made of (Assigned Numbers, 2.3).
    private static let secretStructures: Set<UInt8> = [0x0E, 0x0F, 0x10, 0x17, 0x18, 0x1B, 0x1D, 0x1E, 0x22, 0x23]

    /// Creates a redaction.
    ///
    /// - Parameters:
    ///   - secrets: those of the whole recording.
    ///   - hidesValues: whether to replace all values with zeros.
    package init(_ secrets: Secrets, hidesValues: Bool) {
        self.secrets = secrets
        search = SecretSearch(secrets.bytes)
        self.hidesValues = hidesValues
    }

    /// Returns the header without the recorded program, whose arguments may be anything.
    package func redacting(_ header: RecordingHeader) -> RecordingHeader {
        var header = header
        header.program = []
        return header
    }

    /// Returns the event redacted; nil if this version doesn't know it. Call it for every event, in their order.
    package mutating func redacting(_ event: RecordedEvent) -> RecordedEvent? {
        var redacted = event
        redacted.change(self)
        switch redacted.content {
        case .heard(var report):
            redact(&report.data)
            redacted.content = .heard(report)
        case .device(var device):
            device.deviceName = device.deviceName.map(name)
            device.alias = device.alias.map(name)
            device.icon = device.icon.map(search.replacing)
            redacted.content = .device(device)
        case .request(var request):
            // Whether something is secret depends on the device.
            if case .request(let original) = event.content {
                let isSecret = secrets.isSecret(original)
                redact(&request, isSecret: isSecret)
            }
            redacted.content = .request(request)
        case .response(var response):
            let isSecret = secrets.endsSecret(response)
            redact(&response, isSecret: isSecret)
            redacted.content = .response(response)
        case .value(var value):
            if case .value(let original) = event.content {
                value.value = redacting(value.value, isSecret: secrets.isSecret(original))
            }
            redacted.content = .value(value)
        case .pairing(var pairing):
            pairing.text = pairing.text.map(search.replacing)
            pairing.method = pairing.method.map(search.replacing)
            redacted.content = .pairing(pairing)
        case .note(var note):
            note.text = search.replacing(note.text)
            redacted.content = .note(note)
        case .adapter, .connected, .disconnected, .database, .mtu: break
        case .other: return nil
        }
        return redacted
    }

    // MARK: Parts

    private func redacting(_ address: BluetoothAddress) -> BluetoothAddress {
        secrets.addresses[address] ?? BluetoothAddress(bits: 0)
    }

    /// A UUID can contain an address.
    private func redacting(_ uuid: BluetoothUUID) -> BluetoothUUID {
        BluetoothUUID(search.replacing(uuid.fullString.filter { $0 != "-" })) ?? uuid
    }

    /// Returns the replacement of a whole name or value.
    private func replacement(for value: [UInt8]) -> [UInt8] { secrets.texts[value] ?? search.replacing(value) }

    private func name(_ name: String) -> String {
        String(decoding: replacement(for: Array(name.utf8)), as: UTF8.self)
    }

    private func redacting(_ value: [UInt8], isSecret: Bool = false) -> [UInt8] {
        if hidesValues { return [UInt8](repeating: 0, count: value.count) }
        return isSecret ? replacement(for: value) : search.replacing(value)
    }

    private func redacting(_ data: Data) -> Data { Data(redacting([UInt8](data))) }

    private func redact(_ data: inout AdvertisementData) {
        data.localName = data.localName.map(name)
        data.manufacturerData = data.manufacturerData.mapValues(redacting)
        let serviceData = data.serviceData.map { (redacting($0.key), redacting($0.value)) }
        data.serviceData = Dictionary(serviceData) { first, _ in first }
        for (type, value) in data.structures {
            let isSecret = Self.secretStructures.contains(type)
            let isName = type == Secrets.broadcastName
            data.structures[type] =
                isSecret ? Data(count: value.count) : Data(redacting([UInt8](value), isSecret: isName))
        }
    }

    private func redact(_ request: inout RecordedRequest, isSecret: Bool) {
        request.client = request.client.map(search.replacing)
        request.value = request.value.map { redacting($0, isSecret: isSecret) }
        let setting = request.setting
        request.setting = setting.mapValues(search.replacing)
        // The filter of a scan: the beginning of a name or an address.
        if request.setting["Pattern"] != nil { request.setting["Pattern"] = "" }
        if setting["property"] == "Alias" { request.setting["value"] = setting["value"].map(name) }
    }

    private func redact(_ response: inout RecordedResponse, isSecret: Bool) {
        response.value = response.value.map { redacting($0, isSecret: isSecret) }
        response.values = response.values?.map { value in
            RecordedResponse.Value(handle: value.handle, value: redacting(value.value, isSecret: isSecret))
        }
        if case .bus(let name, let text)? = response.failure {
            response.failure = .bus(name: search.replacing(name), text: search.replacing(text))
        }
    }
}

extension Redaction: JSONChange {
    /// Replaces addresses and UUIDs.
    package func changed<Value>(_ value: Value) -> Value {
        switch value {
        case let address as BluetoothAddress: redacting(address) as? Value ?? value
        case let uuid as BluetoothUUID: redacting(uuid) as? Value ?? value
        default: value
        }
    }
}
