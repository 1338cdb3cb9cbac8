import BlueZJSONLine
import BlueZValues

/// A gateway's published status. It is retained, and with the state `offline` it is the gateway's will.
package struct GatewayStatus: GatewayMessage {
    package enum State: String, CaseIterable, Sendable {
        case online, offline
    }

    package static let limit = GatewayLimits.status

    package var version = Topics.version
    package var state: State
    /// The instance of the gateway, which differs after each start.
    package var instance: Identifier
    package var software: ShortText?
    /// The adapter's address, or nil if there is none.
    package var adapter: BluetoothAddress?
    package var powered: Bool?
    /// The number of links that the gateway offers, and how many of them are free.
    package var slots: Int?
    package var free: Int?
    /// The devices that are connected or connecting. Nil if there are none, and from gateways that do not publish them.
    package var links: [BluetoothAddress]?
}

extension GatewayStatus {
    package init(state: State, instance: Identifier) {
        self.state = state
        self.instance = instance
    }

    package init() { self.init(state: .offline, instance: .unread) }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("version", required: &version, .number())
        keys.add("state", required: &state, .choice())
        keys.add("instance", required: &instance, .identifier)
        keys.add("software", &software, .shortText)
        keys.add("adapter", &adapter, .address)
        keys.add("powered", &powered, .flag)
        keys.add("slots", &slots, .number())
        keys.add("free", &free, .number())
        keys.add(
            "links", &links, .list(.address).checked { $0.count > GatewayLimits.links ? "There are too many" : nil })
    }
}
