import BlueZJSONLine
import BlueZValues

/// `database`: the services of a device as far as they are known.
package struct RecordedDatabase: Equatable, Sendable, RecordedDeviceFields {
    static let name = "database"
    package var device: BluetoothAddress
    /// Whether it is the database of this side.
    package var isServedHere: Bool
    package var services: [ServiceDescription]
    /// Whether everything is known.
    package var isComplete: Bool
    /// The handles of attributes that were used, but of which nothing else is known.
    package var unknownHandles: [UInt16] = []

    package init(
        device: BluetoothAddress, isServedHere: Bool = false, services: [ServiceDescription], isComplete: Bool
    ) {
        self.device = device
        self.isServedHere = isServedHere
        self.services = services
        self.isComplete = isComplete
    }

    package init() { self.init(device: .unread, services: [], isComplete: false) }

    var content: RecordedEvent.Content { .database(self) }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("device", required: &device, .address)
        keys.add("server", &isServedHere, unless: false, .here)
        keys.add("complete", orElse: &isComplete, .flag)
        keys.add("services", required: &services, .list(.service))
        keys.add("unknown", &unknownHandles, unless: [], .list(.number()))
    }
}

extension JSONField<ServiceDescription> {
    fileprivate static var service: JSONField {
        .object("a service", ServiceDescription(handle: 0, uuid: .unread)) { service, keys in
            keys.add("uuid", required: &service.uuid, .uuid)
            keys.add("handle", required: &service.handle, .number())
            keys.add("end", &service.end, .number())
            keys.add("primary", orElse: &service.isPrimary, .flag)
            keys.add("includes", &service.includes, unless: [], .list(.included))
            keys.add("characteristics", orElse: &service.characteristics, .list(.characteristic))
        }
    }
}

extension JSONField<IncludedService> {
    fileprivate static var included: JSONField {
        .object("an included service", IncludedService(handle: 0)) { included, keys in
            keys.add("handle", required: &included.handle, .number())
            keys.add("end", &included.end, .number())
            keys.add("uuid", &included.uuid, .uuid)
        }
    }
}

extension JSONField<CharacteristicDescription> {
    fileprivate static var characteristic: JSONField {
        .object("a characteristic", CharacteristicDescription(handle: 0, uuid: .unread, properties: [])) {
            characteristic, keys in
            keys.add("uuid", required: &characteristic.uuid, .uuid)
            keys.add("handle", required: &characteristic.handle, .number())
            // Left out if it is the next one.
            keys.add("valueHandle", &characteristic.valueHandle, unless: characteristic.handle &+ 1, .number())
            keys.add("properties", orElse: &characteristic.properties, .properties)
            keys.add("descriptors", &characteristic.descriptors, unless: [], .list(.descriptor))
        }
    }
}

extension JSONField<DescriptorDescription> {
    fileprivate static var descriptor: JSONField {
        .object("a descriptor", DescriptorDescription(handle: 0, uuid: .unread)) { descriptor, keys in
            keys.add("uuid", required: &descriptor.uuid, .uuid)
            keys.add("handle", required: &descriptor.handle, .number())
        }
    }
}

extension JSONField<CharacteristicProperties> {
    /// bluetoothd's flags. Unknown ones are left out.
    fileprivate static var properties: JSONField {
        let names = JSONField<[String]>.list(.text)
        return JSONField { node throws(FileError) in
            CharacteristicProperties(flags: try names.read(node))
        } write: { properties, output in
            names.write(properties.names, &output)
        }
    }
}

extension BluetoothUUID {
    /// What a UUID is before it is read.
    fileprivate static let unread: BluetoothUUID = 0
}
