import BlueZValues

/// The result of an operation without a value. As a type to decode, it accepts every result.
package struct EmptyResult: Codable, Hashable, Sendable {
    private enum CodingKeys: CodingKey {}

    package init() {}

    package init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: CodingKeys.self)
    }

    package func encode(to encoder: any Encoder) throws {
        _ = encoder.container(keyedBy: CodingKeys.self)
    }
}

/// The result of `hello`.
package struct HelloResult: Codable, Hashable, Sendable {
    package var adapter: BluetoothAddress?
    package var powered: Bool
    package var slots: Int
    package var free: Int
    /// Whether the gateway has published that it is online, or is still probing its name.
    package var online: Bool?

    package init(adapter: BluetoothAddress?, powered: Bool, slots: Int, free: Int, online: Bool? = nil) {
        self.adapter = adapter
        self.powered = powered
        self.slots = slots
        self.free = free
        self.online = online
    }
}

/// The result of `connect`.
package struct ConnectResult: Codable, Hashable, Sendable {
    /// The link's number, for all requests that concern it.
    package var link: UInt64
    /// The granted lease, in milliseconds: the shorter of the requested and the allowed one.
    package var lease: Int
    package var state: DeviceState

    package init(link: UInt64, lease: Int, state: DeviceState) {
        self.link = link
        self.lease = lease
        self.state = state
    }
}

/// The result of `read`.
package struct ValueResult: Codable, Hashable, Sendable {
    package var value: Hexadecimal

    package init(_ value: [UInt8]) {
        self.value = Hexadecimal(value)
    }
}

/// The result of `renew`: the links that are still up. Links of the request that are missing here are gone.
package struct RenewResult: Codable, Hashable, Sendable {
    package struct Entry: Codable, Hashable, Sendable {
        package var device: BluetoothAddress
        package var link: UInt64
        /// The number of the link's latest event. If it is greater than the last one received, events were lost or have
        /// not arrived yet.
        package var sequence: UInt64

        package init(device: BluetoothAddress, link: UInt64, sequence: UInt64) {
            self.device = device
            self.link = link
            self.sequence = sequence
        }
    }

    package var links: [Entry]
    /// The granted lease, in milliseconds.
    package var lease: Int

    package init(links: [Entry], lease: Int) {
        self.links = links
        self.lease = lease
    }
}
