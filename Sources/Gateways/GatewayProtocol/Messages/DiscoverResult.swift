import BlueZValues

/// The result of `discover`: the device's services, by handles. Of those that a service includes, a message has only the
/// handles, and each characteristic has the link's MTU.
package struct DiscoverResult: Codable, Hashable, Sendable {
    package var services: [ServiceDescription]
    /// The UUIDs of all services, as bluetoothd reports them, including those that it reserves for itself.
    package var uuids: [BluetoothUUID]?
    package var state: DeviceState
    /// The link's ATT MTU in bytes; nil if bluetoothd does not report it, or there is no characteristic.
    package var mtu: Int?

    package init(services: [ServiceDescription], uuids: [BluetoothUUID]? = nil, state: DeviceState, mtu: Int? = nil) {
        self.services = services
        self.uuids = uuids
        self.state = state
        self.mtu = mtu
    }

    private enum CodingKeys: String, CodingKey {
        case services, uuids, state
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        uuids = try container.decodeIfPresent([BluetoothUUID].self, forKey: .uuids)
        state = try container.decode(DeviceState.self, forKey: .state)
        var mtu: Int?
        services = try container.attributes(.services) { service in
            ServiceDescription(
                handle: try service.decode(UInt16.self, forKey: .handle),
                uuid: try service.decode(BluetoothUUID.self, forKey: .uuid),
                isPrimary: try service.decode(Bool.self, forKey: .primary),
                includes: try service.decode([UInt16].self, forKey: .includes).map { IncludedService(handle: $0) },
                characteristics: try service.attributes(.characteristics) { characteristic in
                    let own = try characteristic.decodeIfPresent(Int.self, forKey: .mtu)
                    // Core Specification, volume 3, part F, 3.2.8, and part G, 5.3.1.
                    guard own.map({ (23...517).contains($0) }) ?? true else {
                        throw characteristic.corrupted(.mtu, "out of range")
                    }
                    mtu = [mtu, own].compactMap(\.self).max()
                    return CharacteristicDescription(
                        handle: try characteristic.decode(UInt16.self, forKey: .handle),
                        uuid: try characteristic.decode(BluetoothUUID.self, forKey: .uuid),
                        // bluetoothd's flags. Those of a newer one that are unknown here are left out.
                        properties: CharacteristicProperties(
                            flags: try characteristic.decode([String].self, forKey: .flags)),
                        descriptors: try characteristic.attributes(.descriptors) { descriptor in
                            DescriptorDescription(
                                handle: try descriptor.decode(UInt16.self, forKey: .handle),
                                uuid: try descriptor.decode(BluetoothUUID.self, forKey: .uuid))
                        })
                })
        }
        self.mtu = mtu
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(uuids, forKey: .uuids)
        try container.encode(state, forKey: .state)
        try container.encode(services, .services) { service, entry in
            try entry.encode(service.handle, forKey: .handle)
            try entry.encode(service.uuid, forKey: .uuid)
            try entry.encode(service.isPrimary, forKey: .primary)
            try entry.encode(service.includes.map(\.handle), forKey: .includes)
            try entry.encode(service.characteristics, .characteristics) { characteristic, entry in
                try entry.encode(characteristic.handle, forKey: .handle)
                try entry.encode(characteristic.uuid, forKey: .uuid)
                try entry.encode(characteristic.properties.names, forKey: .flags)
                try entry.encodeIfPresent(mtu, forKey: .mtu)
                try entry.encode(characteristic.descriptors, .descriptors) { descriptor, entry in
                    try entry.encode(descriptor.handle, forKey: .handle)
                    try entry.encode(descriptor.uuid, forKey: .uuid)
                }
            }
        }
    }
}

/// The keys of services, characteristics and descriptors.
private enum AttributeKey: String, CodingKey {
    case handle, uuid, primary, includes, characteristics, flags, mtu, descriptors
}

extension KeyedDecodingContainer {
    fileprivate func attributes<Attribute>(
        _ key: Key, _ body: (KeyedDecodingContainer<AttributeKey>) throws -> Attribute
    ) throws -> [Attribute] {
        var list = try nestedUnkeyedContainer(forKey: key)
        var result: [Attribute] = []
        while !list.isAtEnd { result.append(try body(list.nestedContainer(keyedBy: AttributeKey.self))) }
        return result
    }
}

extension KeyedEncodingContainer {
    fileprivate mutating func encode<Attribute>(
        _ attributes: [Attribute], _ key: Key,
        _ body: (Attribute, inout KeyedEncodingContainer<AttributeKey>) throws -> Void
    ) throws {
        var list = nestedUnkeyedContainer(forKey: key)
        for attribute in attributes {
            var entry = list.nestedContainer(keyedBy: AttributeKey.self)
            try body(attribute, &entry)
        }
    }
}
