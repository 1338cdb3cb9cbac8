import BlueZJSONLine
import BlueZValues

/// The result of `discover`: the device's services, by handles.
package struct DiscoverResult: JSONObject, Hashable {
    package var services: [ServiceDescription]
    /// The UUIDs of all services, as bluetoothd reports them, including those that it reserves for itself.
    package var uuids: [BluetoothUUID]?
    package var state: DeviceState

    package init(services: [ServiceDescription], uuids: [BluetoothUUID]? = nil, state: DeviceState) {
        self.services = services
        self.uuids = uuids
        self.state = state
    }

    package init() { self.init(services: [], state: DeviceState()) }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("services", required: &services, .list(.service))
        keys.add("uuids", &uuids, .list(.uuid))
        keys.add("state", required: &state, .object("a state"))
    }
}

extension JSONField<ServiceDescription> {
    /// Of the services that it includes, it has only the handles.
    fileprivate static var service: JSONField {
        .object("a service", ServiceDescription(handle: 0, uuid: 0)) { service, keys in
            var includes = service.includes.map(\.handle)
            keys.add("handle", required: &service.handle, .number())
            keys.add("uuid", required: &service.uuid, .uuid)
            keys.add("primary", required: &service.isPrimary, .flag)
            keys.add("includes", required: &includes, .list(.number()))
            keys.add("characteristics", required: &service.characteristics, .list(.characteristic))
            service.includes = includes.map { IncludedService(handle: $0) }
        }
    }
}

extension JSONField<CharacteristicDescription> {
    fileprivate static var characteristic: JSONField {
        .object("a characteristic", CharacteristicDescription(handle: 0, uuid: 0, properties: [])) {
            characteristic, keys in
            var flags = characteristic.properties.names
            keys.add("handle", required: &characteristic.handle, .number())
            keys.add("uuid", required: &characteristic.uuid, .uuid)
            keys.add("flags", required: &flags, .list(.text))
            // Core Specification, volume 3, part F, 3.2.8, and part G, 5.3.1.
            keys.add("mtu", &characteristic.mtu, .number(from: 23, to: 517))
            keys.add("descriptors", required: &characteristic.descriptors, .list(.descriptor))
            characteristic.valueHandle = characteristic.handle &+ 1
            // The flags of a newer bluetoothd that are unknown here are left out.
            characteristic.properties = CharacteristicProperties(flags: flags)
        }
    }
}

extension JSONField<DescriptorDescription> {
    fileprivate static var descriptor: JSONField {
        .object("a descriptor", DescriptorDescription(handle: 0, uuid: 0)) { descriptor, keys in
            keys.add("handle", required: &descriptor.handle, .number())
            keys.add("uuid", required: &descriptor.uuid, .uuid)
        }
    }
}
