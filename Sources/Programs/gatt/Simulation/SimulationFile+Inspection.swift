import BlueZJSONLine
import BlueZSimulator

extension SimulationFile.Peripheral {
    /// The keys of a record of `gatt inspect --json`, which Documentation/gatt.md describes.
    private enum RecordKey: String, CaseIterable {
        case event, time, adapter, device, deviceName, service, serviceName, characteristic, characteristicName
        case descriptor, descriptorName, handle, valueHandle, isPrimary, properties, mtu, value, decoded, unit, error
    }

    /// Whether a value is such a record.
    static func isRecord(_ node: JSONNode) -> Bool {
        guard case .object(let members) = node.content else { return false }
        return members.contains { $0.key == RecordKey.event.rawValue }
    }

    /// Creates a peripheral of the records that describe it: the device, then each service with its characteristics and
    /// their descriptors.
    init(records: [JSONNode]) throws(FileError) {
        guard let first = records.first else { throw FileError(1, "The file is empty") }
        line = first.line
        specification = PeripheralSpecification(name: "", address: "")
        for (index, node) in records.enumerated() {
            let value = FileValue(node: node, path: "")
            let object = try FileObject<RecordKey>(value, "a record")
            let kind = try object.required(.event).choice(Self.recordKinds)
            guard (kind == .device) == (index == 0) else {
                throw value.error("The records must begin with a device, and describe only one")
            }
            switch kind {
            case .device: try decode(device: object)
            case .service: try decode(service: object)
            case .characteristic: try decode(characteristic: object, value)
            case .descriptor: try decode(descriptor: object, value)
            }
        }
        // The simulated peripheral has its own.
        leaveOutGenericServices()
    }

    /// Removes Generic Access and Generic Attribute.
    mutating func leaveOutGenericServices() {
        let generic: Set<BluetoothUUID> = [.genericAccess, .genericAttribute]
        genericServices += specification.services.map(\.uuid).filter(generic.contains)
        specification.services.removeAll { generic.contains($0.uuid) }
    }

    private enum RecordKind: String, CaseIterable { case device, service, characteristic, descriptor }
    private static var recordKinds: [(name: String, value: RecordKind)] {
        RecordKind.allCases.map { ($0.rawValue, $0) }
    }

    private mutating func decode(device object: FileObject<RecordKey>) throws(FileError) {
        let address = try object.required(.device).address()
        specification = PeripheralSpecification(name: try object[.deviceName]?.name() ?? address, address: address)
        specification.maximumMTU = try object[.mtu]?.integer(in: 23...517) ?? 517
    }

    private mutating func decode(service object: FileObject<RecordKey>) throws(FileError) {
        specification.services.append(
            ServiceSpecification(
                try object.required(.service).uuid(), isPrimary: try object[.isPrimary]?.flag() ?? true,
                handle: try object[.handle]?.integer(in: 1...UInt16.max)))
    }

    private mutating func decode(characteristic object: FileObject<RecordKey>, _ value: FileValue) throws(FileError) {
        guard let last = specification.services.indices.last else {
            throw value.error("A service must precede its characteristics")
        }
        specification.services[last].characteristics.append(
            CharacteristicSpecification(
                try object.required(.characteristic).uuid(), try object.required(.properties).properties(),
                value: try object[.value]?.bytes() ?? [], handle: try object[.handle]?.integer(in: 1...UInt16.max)))
    }

    private mutating func decode(descriptor object: FileObject<RecordKey>, _ value: FileValue) throws(FileError) {
        let uuid = try object.required(.descriptor).uuid()
        // The simulated characteristic has its own, which a central writes.
        guard uuid != .clientConfiguration else { return }
        let descriptor = DescriptorSpecification(uuid, value: try object[.value]?.bytes() ?? [])
        guard let service = specification.services.indices.last,
            let last = specification.services[service].characteristics.indices.last
        else { throw value.error("A characteristic must precede its descriptors") }
        specification.services[service].characteristics[last].descriptors.append(descriptor)
    }
}
