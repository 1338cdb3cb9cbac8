extension PeripheralControl {
    /// Adds a service after the others and notifies the central with Service Changed.
    func addService(_ request: ControlRequest) throws {
        let peripheral = try peripheral(request)
        let service = try Self.require(request.service, "service")
        let characteristics = try (service.characteristics ?? []).map { characteristic in
            CharacteristicSpecification(
                try Self.uuid(characteristic.uuid),
                try characteristic.properties.reduce(into: []) { set, name in
                    guard let property = CharacteristicProperties(flag: name) else {
                        throw ControlRefusal("There is no property \"\(name)\"")
                    }
                    set.insert(property)
                },
                value: try Self.bytes(characteristic.value ?? "")
            )
        }
        let specification = ServiceSpecification(try Self.uuid(service.uuid), characteristics: characteristics)
        guard peripheral.addService(specification) != nil else {
            throw ControlRefusal("The attributes of the service need handles above 65534")
        }
    }

    /// Removes the last service with the UUID and notifies the central with Service Changed.
    func removeService(_ request: ControlRequest) throws {
        let peripheral = try peripheral(request)
        let uuid = try Self.uuid(Self.require(request.uuid, "uuid"))
        guard let service = peripheral.services.last(where: { $0.uuid == uuid }) else {
            throw ControlRefusal("There is no service \(uuid.fullString)")
        }
        peripheral.removeService(service)
    }

    private static func uuid(_ text: String) throws -> BluetoothUUID {
        guard let uuid = BluetoothUUID(text) else { throw ControlRefusal("\"\(text)\" is not a UUID") }
        return uuid
    }
}
