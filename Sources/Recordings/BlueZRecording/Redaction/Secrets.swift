import BlueZPrintableText
import BlueZValues

/// The addresses, names, serial numbers and keys of a recording, each with what replaces it.
///
/// Add all events of the recording twice: what a value is may be known only from an event that comes later.
package struct Secrets {
    /// More secrets than this are an error, and more bytes of texts.
    private static let most = 50_000
    private static let mostBytes = 1 << 20

    /// The recording has too many secrets.
    package struct TooMany: Error {}

    private struct Attribute: Hashable {
        var device: BluetoothAddress?
        var isServedHere: Bool
        var handle: UInt16
    }

    /// The attributes whose values are names, serial numbers and keys: Device Name, System ID, Serial Number String and
    /// Encrypted Data Key Material.
    private static let secretTypes: Set<BluetoothUUID> = [0x2A00, 0x2A23, 0x2A25, 0x2B88]
    /// The AD type Broadcast Name (Assigned Numbers, 2.3).
    static let broadcastName: UInt8 = 0x30

    private(set) var addresses: [BluetoothAddress: BluetoothAddress] = [:]
    private(set) var texts: [[UInt8]: [UInt8]] = [:]
    private var attributes: Set<Attribute> = []
    /// The requests for such attributes that wait for a response.
    private var requests: Set<Int64> = []
    private(set) var bytes = SecretBytes()
    private var textBytes = 0

    /// Creates an empty collection.
    package init() {}

    /// Adds what is secret in an event.
    package mutating func add(_ event: RecordedEvent) throws {
        if let device = event.device { add(device) }
        switch event.content {
        case .adapter(let adapter): if let address = adapter.address { add(address) }
        case .heard(let report):
            add(report.data.localName)
            add(report.data.structures[Self.broadcastName].map(Array.init))
        case .device(let device):
            add(device.deviceName)
            add(device.alias)
        case .database(let database):
            for service in database.services {
                for characteristic in service.characteristics where Self.secretTypes.contains(characteristic.uuid) {
                    let attribute = Attribute(
                        device: database.device, isServedHere: database.isServedHere,
                        handle: characteristic.valueHandle)
                    attributes.insert(attribute)
                }
            }
        case .request(let request):
            if isSecret(request) { add(request.value) }
            if request.setting["property"] == "Alias" { add(request.setting["value"]) }
        case .response(let response): if endsSecret(response) { add(values: response) }
        case .value(let value): if isSecret(value) { add(value.value) }
        default: break
        }
        guard addresses.count + texts.count <= Self.most, textBytes <= Self.mostBytes, attributes.count <= Self.most,
            requests.count <= Self.most
        else { throw TooMany() }
    }

    // MARK: Attributes

    /// Whether a request concerns a name, a serial number or a key. Its response does as well.
    mutating func isSecret(_ request: RecordedRequest) -> Bool {
        let handles = (request.handles ?? []) + (request.handle.map { [$0] } ?? [])
        let isKnown = handles.contains { handle in
            attributes.contains(
                Attribute(device: request.device, isServedHere: request.isServedHere, handle: handle))
        }
        guard isKnown || request.uuid.map({ Self.secretTypes.contains($0) }) ?? false else { return false }
        requests.insert(request.number)
        return true
    }

    mutating func endsSecret(_ response: RecordedResponse) -> Bool { requests.remove(response.number) != nil }

    func isSecret(_ value: RecordedValue) -> Bool {
        attributes.contains(Attribute(device: value.device, isServedHere: value.isServedHere, handle: value.handle))
    }

    private mutating func add(values response: RecordedResponse) {
        add(response.value)
        for value in response.values ?? [] { add(value.value) }
    }

    // MARK: Replacements

    private mutating func add(_ address: BluetoothAddress) {
        guard addresses[address] == nil else { return }
        // What stands for the address of a link that was up before a capture began, its adapter and handle, is none.
        guard address.value >> 24 != 0 else {
            addresses[address] = address
            return
        }
        // The upper bits say what kind of random address it is.
        let kind = UInt64(address.bytes[0] & 0xC0 | 0x02) << 40
        let new = BluetoothAddress(bits: kind | UInt64(addresses.count + 1))
        addresses[address] = new
        bytes.add(address: address.bytes, replacement: new.bytes)
    }

    private mutating func add(_ text: String?) { if let text { add(Array(text.utf8)) } }

    private mutating func add(_ value: [UInt8]?) {
        guard let value, !value.isEmpty, texts[value] == nil else { return }
        textBytes += value.count
        let new = Self.replacement(texts.count + 1, value.count)
        texts[value] = new
        bytes.add(text: value, replacement: new)
        // Strings are often padded with zeros.
        guard let end = value.firstIndex(of: 0), end >= 3 else { return }
        bytes.add(text: Array(value[..<end]), replacement: Array(new[..<end]))
    }

    /// A text of this length, such as "Redacted 12".
    private static func replacement(_ number: Int, _ length: Int) -> [UInt8] {
        let digits = Array("\(number)".utf8)
        let word = Array("Redacted ".utf8) + [UInt8](repeating: UInt8(ascii: "0"), count: max(0, length - 9))
        return Array(word.prefix(max(0, length - digits.count)) + digits.suffix(length))
    }
}

extension BluetoothAddress {
    /// The six bytes, the high one first.
    var bytes: [UInt8] { stride(from: 40, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> UInt64($0)) } }
}
