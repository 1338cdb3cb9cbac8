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
        var event = event
        switch event.content {
        case .adapter(var adapter):
            adapter.address = adapter.address.map(redacting)
            event.content = .adapter(adapter)
        case .heard(var report):
            report.device = redacting(report.device)
            redact(&report.data)
            event.content = .heard(report)
        case .device(var device):
            device.device = redacting(device.device)
            device.deviceName = device.deviceName.map(name)
            device.alias = device.alias.map(name)
            device.icon = device.icon.map(search.replacing)
            device.services = device.services?.map(redacting)
            event.content = .device(device)
        case .request(let request): event.content = .request(redacting(request))
        case .response(let response): event.content = .response(redacting(response))
        case .connected(var connection):
            connection.device = redacting(connection.device)
            event.content = .connected(connection)
        case .disconnected(var disconnection):
            disconnection.device = redacting(disconnection.device)
            event.content = .disconnected(disconnection)
        case .database(let database): event.content = .database(redacting(database))
        case .value(var value):
            value.value = redacting(value.value, isSecret: secrets.isSecret(value))
            value.device = redacting(value.device)
            event.content = .value(value)
        case .mtu(var mtu):
            mtu.device = redacting(mtu.device)
            event.content = .mtu(mtu)
        case .pairing(var pairing):
            pairing.device = redacting(pairing.device)
            pairing.text = pairing.text.map(search.replacing)
            pairing.method = pairing.method.map(search.replacing)
            event.content = .pairing(pairing)
        case .note(var note):
            note.device = note.device.map(redacting)
            note.text = search.replacing(note.text)
            event.content = .note(note)
        case .other: return nil
        }
        return event
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
        data.serviceUUIDs = data.serviceUUIDs.map(redacting)
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

    private mutating func redacting(_ request: RecordedRequest) -> RecordedRequest {
        var redacted = request
        let isSecret = secrets.isSecret(request)
        redacted.device = request.device.map(redacting)
        redacted.client = request.client.map(search.replacing)
        redacted.uuid = request.uuid.map(redacting)
        redacted.value = request.value.map { redacting($0, isSecret: isSecret) }
        redacted.setting = request.setting.mapValues(search.replacing)
        // The filter of a scan: the beginning of a name or an address.
        if redacted.setting["Pattern"] != nil { redacted.setting["Pattern"] = "" }
        if request.setting["property"] == "Alias" { redacted.setting["value"] = request.setting["value"].map(name) }
        return redacted
    }

    private mutating func redacting(_ response: RecordedResponse) -> RecordedResponse {
        var redacted = response
        let isSecret = secrets.endsSecret(response)
        redacted.value = response.value.map { redacting($0, isSecret: isSecret) }
        redacted.values = response.values?.map { value in
            RecordedResponse.Value(handle: value.handle, value: redacting(value.value, isSecret: isSecret))
        }
        if case .bus(let name, let text)? = response.failure {
            redacted.failure = .bus(name: search.replacing(name), text: search.replacing(text))
        }
        return redacted
    }

    private func redacting(_ database: RecordedDatabase) -> RecordedDatabase {
        var database = database
        database.device = redacting(database.device)
        for service in database.services.indices {
            database.services[service].uuid = redacting(database.services[service].uuid)
            for index in database.services[service].includes.indices {
                let uuid = database.services[service].includes[index].uuid
                database.services[service].includes[index].uuid = uuid.map(redacting)
            }
            for index in database.services[service].characteristics.indices {
                var characteristic = database.services[service].characteristics[index]
                characteristic.uuid = redacting(characteristic.uuid)
                for descriptor in characteristic.descriptors.indices {
                    characteristic.descriptors[descriptor].uuid = redacting(characteristic.descriptors[descriptor].uuid)
                }
                database.services[service].characteristics[index] = characteristic
            }
        }
        return database
    }
}
