import BlueZJSONLine
import BlueZValues

/// The result of an operation without a value. As a type to read, it accepts every result.
package struct EmptyResult: JSONObject, Hashable {
    package init() {}
    package mutating func code(_ keys: inout JSONKeys) {}
}

/// The result of `hello`.
package struct HelloResult: JSONObject, Hashable {
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

    package init() { self.init(adapter: nil, powered: false, slots: 0, free: 0) }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("adapter", &adapter, .address)
        keys.add("powered", required: &powered, .flag)
        keys.add("slots", required: &slots, .number())
        keys.add("free", required: &free, .number())
        keys.add("online", &online, .flag)
    }
}

/// The result of `connect`.
package struct ConnectResult: JSONObject, Hashable {
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

    package init() { self.init(link: 0, lease: 0, state: DeviceState()) }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("link", required: &link, .number())
        keys.add("lease", required: &lease, .number())
        keys.add("state", required: &state, .object("a state"))
    }
}

/// The result of `read`.
package struct ValueResult: JSONObject, Hashable {
    package var value: [UInt8]

    package init(_ value: [UInt8]) { self.value = value }
    package init() { self.init([]) }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("value", required: &value, .bytes(limit: GatewayLimits.advertisement))
    }
}

/// The result of `renew`: the links that are still up. Links of the request that are missing here are gone.
package struct RenewResult: JSONObject, Hashable {
    package struct Entry: JSONObject, Hashable {
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

        package init() { self.init(device: .unread, link: 0, sequence: 0) }

        package mutating func code(_ keys: inout JSONKeys) {
            keys.add("device", required: &device, .address)
            keys.add("link", required: &link, .number())
            keys.add("sequence", required: &sequence, .number())
        }
    }

    package var links: [Entry]
    /// The granted lease, in milliseconds.
    package var lease: Int

    package init(links: [Entry], lease: Int) {
        self.links = links
        self.lease = lease
    }

    package init() { self.init(links: [], lease: 0) }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("links", required: &links, .list(.object("a link")))
        keys.add("lease", required: &lease, .number())
    }
}
