import BlueZValues

/// The result of `discover`: the device's services, by handles.
package struct DiscoverResult: Codable, Hashable, Sendable {
    package var services: [GatewayService]
    /// The UUIDs of all services, as bluetoothd reports them, including those that it reserves for itself.
    package var uuids: [BluetoothUUID]?
    package var state: DeviceState

    package init(services: [GatewayService], uuids: [BluetoothUUID]? = nil, state: DeviceState) {
        self.services = services
        self.uuids = uuids
        self.state = state
    }
}

/// A service of a device behind a gateway.
package struct GatewayService: Codable, Hashable, Sendable {
    package var handle: UInt16
    package var uuid: BluetoothUUID
    package var primary: Bool
    /// The handles of the included services.
    package var includes: [UInt16]
    package var characteristics: [GatewayCharacteristic]

    package init(
        handle: UInt16, uuid: BluetoothUUID, primary: Bool, includes: [UInt16],
        characteristics: [GatewayCharacteristic]
    ) {
        self.handle = handle
        self.uuid = uuid
        self.primary = primary
        self.includes = includes
        self.characteristics = characteristics
    }
}

/// A characteristic of a device behind a gateway.
package struct GatewayCharacteristic: Codable, Hashable, Sendable {
    package var handle: UInt16
    package var uuid: BluetoothUUID
    /// BlueZ's flags, such as "read" and "write-without-response".
    package var flags: [String]
    package var mtu: Int?
    package var descriptors: [GatewayDescriptor]

    package init(
        handle: UInt16, uuid: BluetoothUUID, flags: [String], mtu: Int?, descriptors: [GatewayDescriptor]
    ) {
        self.handle = handle
        self.uuid = uuid
        self.flags = flags
        self.mtu = mtu
        self.descriptors = descriptors
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        handle = try container.decode(UInt16.self, forKey: .handle)
        uuid = try container.decode(BluetoothUUID.self, forKey: .uuid)
        flags = try container.decode([String].self, forKey: .flags)
        mtu = try container.decodeIfPresent(Int.self, forKey: .mtu)
        descriptors = try container.decode([GatewayDescriptor].self, forKey: .descriptors)
        // BlueZ has 20 flags; the longest is "encrypt-authenticated-indicate" (org.bluez.GattCharacteristic).
        guard flags.count <= 32, flags.allSatisfy({ $0.utf8.count <= 40 && !$0.utf8.contains(0) }) else {
            throw container.corrupted(.flags, "the flags of BlueZ are expected")
        }
        // ATT_MTU lies between 23 and 517 (Core Specification, Vol 3, Part F, 3.2.8 and Part G, 5.3.1).
        guard mtu.map({ (23...517).contains($0) }) ?? true else { throw container.corrupted(.mtu, "out of range") }
    }
}

/// A descriptor of a device behind a gateway.
package struct GatewayDescriptor: Codable, Hashable, Sendable {
    package var handle: UInt16
    package var uuid: BluetoothUUID

    package init(handle: UInt16, uuid: BluetoothUUID) {
        self.handle = handle
        self.uuid = uuid
    }
}
