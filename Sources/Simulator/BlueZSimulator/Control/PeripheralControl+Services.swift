extension PeripheralControl {
    /// Adds a service after the others and notifies the central with Service Changed.
    func addService(_ request: ControlRequest) throws {
        let peripheral = try peripheral(request)
        let service = try request.require("service", request.object("service"))
        let characteristics = try (service.objects("characteristics") ?? []).map { characteristic in
            CharacteristicSpecification(
                try characteristic.require("uuid", characteristic.uuid("uuid")),
                try characteristic.require("properties", characteristic.texts("properties")).reduce(into: []) {
                    guard let property = CharacteristicProperties(flag: $1) else {
                        throw ControlRefusal("There is no property \"\($1)\"")
                    }
                    $0.insert(property)
                },
                value: try characteristic.bytes("value") ?? []
            )
        }
        let uuid = try service.require("uuid", service.uuid("uuid"))
        guard peripheral.addService(ServiceSpecification(uuid, characteristics: characteristics)) != nil else {
            throw ControlRefusal("The attributes of the service need handles above 65534")
        }
    }

    /// Removes the last service with the UUID and notifies the central with Service Changed.
    func removeService(_ request: ControlRequest) throws {
        let peripheral = try peripheral(request)
        let uuid = try request.require("uuid", request.uuid("uuid"))
        guard let service = peripheral.services.last(where: { $0.uuid == uuid }) else {
            throw ControlRefusal("There is no service \(uuid.fullString)")
        }
        peripheral.removeService(service)
    }
}
