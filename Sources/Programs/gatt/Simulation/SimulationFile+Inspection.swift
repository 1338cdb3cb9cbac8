import BlueZJSONLine
import BlueZSimulator

/// The records of `gatt inspect --json`, which Documentation/gatt.md describes.
extension SimulationFile.Peripheral {
    private enum RecordKind: String, CaseIterable { case device, service, characteristic, descriptor }

    /// The keys of records.
    private static let recordKeys = [
        "event", "time", "adapter", "device", "deviceName", "service", "serviceName", "characteristic",
        "characteristicName", "descriptor", "descriptorName", "handle", "valueHandle", "isPrimary", "properties", "mtu",
        "value", "decoded", "unit", "units", "reason", "reasons", "error",
    ]

    /// Whether a value is such a record.
    static func isRecord(_ node: JSONNode) -> Bool { node["event"] != nil }

    /// Creates a peripheral of the records that describe it: the device, then each service with its characteristics and
    /// their descriptors.
    init(records: [JSONNode]) throws(FileError) {
        self.init(line: records.first?.line ?? 1)
        for (index, node) in records.enumerated() {
            try JSONKeys.update(&self, from: node, "a record", isStrict: true) { peripheral, keys in
                keys.ignore(Self.recordKeys)
                var kind = RecordKind.device
                keys.add("event", required: &kind, .choice())
                if (kind == .device) != (index == 0) {
                    keys.refuse("The records must begin with a device, and describe only one")
                }
                peripheral.read(kind, &keys)
            }
        }
        specification.extendAdvertisementIfNeeded()
        // The simulated peripheral has its own.
        leaveOutGenericServices()
    }

    /// Removes Generic Access and Generic Attribute.
    mutating func leaveOutGenericServices() {
        let generic: Set<BluetoothUUID> = [.genericAccess, .genericAttribute]
        genericServices += specification.services.map(\.uuid).filter(generic.contains)
        specification.services.removeAll { generic.contains($0.uuid) }
    }

    private mutating func read(_ kind: RecordKind, _ keys: inout JSONKeys) {
        let service = specification.services.indices.last
        switch kind {
        case .device:
            var (address, name): (String, String?) = ("", nil)
            keys.add("device", required: &address, .address)
            keys.add("deviceName", &name, .name)
            specification = PeripheralSpecification(name: name ?? "", address: address)
            keys.add("mtu", orElse: &specification.maximumMTU, .number(from: 23, to: 517))
        case .service:
            var service = ServiceSpecification(0)
            keys.add("service", required: &service.uuid, .uuid)
            keys.add("isPrimary", orElse: &service.isPrimary, .flag)
            keys.add("handle", &service.handle, .number(from: 1))
            specification.services.append(service)
        case .characteristic:
            guard let service else { return keys.refuse("A service must precede its characteristics") }
            var characteristic = CharacteristicSpecification(0, [])
            keys.add("characteristic", required: &characteristic.uuid, .uuid)
            keys.add("properties", required: &characteristic.properties, .properties)
            keys.add("value", orElse: &characteristic.value, .hexadecimal)
            keys.add("handle", &characteristic.handle, .number(from: 1))
            specification.services[service].characteristics.append(characteristic)
        case .descriptor:
            var descriptor = DescriptorSpecification(0)
            keys.add("descriptor", required: &descriptor.uuid, .uuid)
            keys.add("value", orElse: &descriptor.value, .hexadecimal)
            // The simulated characteristic has its own, which a central writes.
            guard descriptor.uuid != .clientConfiguration else { return }
            guard let service, let last = specification.services[service].characteristics.indices.last else {
                return keys.refuse("A characteristic must precede its descriptors")
            }
            specification.services[service].characteristics[last].descriptors.append(descriptor)
        }
    }
}
