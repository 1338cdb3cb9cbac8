import BlueZScript
import CoreBlueZ
import FoundationEssentials

/// The target of a read or write: a characteristic or one of its descriptors.
@BluetoothActor struct Attribute {
    let characteristic: Characteristic
    var descriptor: Descriptor?

    /// The attribute for the argument: a characteristic or, if none matches, characteristic/descriptor,
    /// service/characteristic/descriptor, or the handle of a descriptor; or a characteristic whose name begins with it.
    static func find(
        _ text: String, for use: AttributeUse, on peripheral: Peripheral
    ) async throws -> Attribute {
        let characteristics = try CharacteristicMatch.fitting(text, on: peripheral)
        if let only = try CharacteristicMatch.only(of: characteristics, text, for: use) {
            return Attribute(characteristic: only)
        }
        let fitting = try await descriptors(text, on: peripheral)
        guard fitting.count <= 1 else {
            throw CharacteristicMatch.ambiguous(
                text, "descriptors", "service/characteristic/descriptor",
                fitting.map { (handle: $0.handle, path: $0.path) })
        }
        if let only = fitting.first { return only }
        return Attribute(characteristic: try CharacteristicMatch.find(text, for: use, on: peripheral))
    }

    private static func descriptors(_ text: String, on peripheral: Peripheral) async throws -> [Attribute] {
        if text.hasPrefix("@") {
            let handle = try CharacteristicMatch.handle(text)
            return try await all(of: CharacteristicMatch.all(on: peripheral)).filter { $0.handle == handle }
        }
        var fitting: [Attribute] = []
        // Some assigned names contain a slash, so each may be the separator.
        for slash in text.indices where text[slash] == "/" {
            let descriptor = String(text[text.index(after: slash)...])
            let characteristics = try CharacteristicMatch.fitting(String(text[..<slash]), on: peripheral)
            fitting += try await all(of: characteristics).filter { CharacteristicMatch.fits(descriptor, $0.uuid) }
        }
        return fitting
    }

    private static func all(of characteristics: [Characteristic]) async throws -> [Attribute] {
        var result: [Attribute] = []
        for characteristic in characteristics {
            result += try await characteristic.discoverDescriptors().map {
                Attribute(characteristic: characteristic, descriptor: $0)
            }
        }
        return result
    }

    var uuid: BluetoothUUID { descriptor?.uuid ?? characteristic.uuid }

    /// The handle of the declaration or, for a descriptor, of the descriptor itself.
    private var handle: UInt16 { descriptor?.handle ?? characteristic.handle }

    private var path: String {
        [characteristic.service?.uuid, characteristic.uuid, descriptor?.uuid].compactMap { $0?.description }
            .joined(separator: "/")
    }

    /// A line of `--json` about it.
    func record(_ event: String) -> Record {
        var record = Record(event, characteristic)
        guard let descriptor else { return record }
        record.descriptor = descriptor.uuid.description
        record.descriptorName = descriptor.uuid.name
        record.handle = descriptor.handle
        return record
    }

    /// Throws if the characteristic does not permit it. Descriptors do not report their permissions.
    func check(_ use: AttributeUse) throws(CommandFailure) {
        if descriptor == nil { try use.check(characteristic) }
    }

    func read() async throws -> Data {
        if let descriptor { try await descriptor.readValue() } else { try await characteristic.readValue() }
    }

    func write(_ data: Data, withoutResponse: Bool) async throws {
        guard let descriptor else {
            return try await characteristic.writeValue(data, type: withoutResponse ? .withoutResponse : .withResponse)
        }
        guard !withoutResponse else {
            throw CommandFailure(
                .usage, "Descriptors are always written with a response; omit --without-response")
        }
        try await descriptor.writeValue(data)
    }
}
