import BlueZServer

/// An attribute that a central reads and writes by its handle.
@SimulatorActor enum SimulatedAttribute {
    case characteristic(SimulatedCharacteristic)
    case descriptor(SimulatedDescriptor, of: SimulatedCharacteristic)

    var value: [UInt8] {
        switch self {
        case .characteristic(let characteristic): characteristic.value
        case .descriptor(let descriptor, _): descriptor.value
        }
    }

    var faults: AttributeFaults {
        switch self {
        case .characteristic(let characteristic): characteristic.faults
        case .descriptor(let descriptor, _): descriptor.faults
        }
    }
}

extension SimulatedPeripheral {
    /// Returns the attributes of services by handle. For a characteristic, that is the handle of its declaration.
    static func attributes(_ services: [SimulatedService]) -> [UInt16: SimulatedAttribute] {
        var attributes: [UInt16: SimulatedAttribute] = [:]
        for characteristic in services.flatMap(\.characteristics) {
            attributes[characteristic.handle] = .characteristic(characteristic)
            for descriptor in characteristic.descriptors {
                attributes[descriptor.handle] = .descriptor(descriptor, of: characteristic)
            }
        }
        return attributes
    }

    /// The result when a central discovers the services, or browses those of classic Bluetooth.
    var discovery: Discovery {
        if let classic = specification.classic { return Discovery(services: [], uuids: classic.services) }
        return Discovery(
            services: services.map { service in
                service.description(including: service.includes.compactMap { self[$0]?.handle })
            })
    }
}

extension SimulatedService {
    func description(including handles: [UInt16]) -> ServiceDescription {
        ServiceDescription(
            handle: handle, uuid: uuid, isPrimary: isPrimary, includes: handles.map { IncludedService(handle: $0) },
            characteristics: characteristics.map { characteristic in
                CharacteristicDescription(
                    handle: characteristic.handle, uuid: characteristic.uuid, properties: characteristic.properties,
                    descriptors: characteristic.descriptors.map {
                        DescriptorDescription(handle: $0.handle, uuid: $0.uuid)
                    })
            })
    }
}
