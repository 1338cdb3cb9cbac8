import BluetoothValues

/// A gateway's published status: retained, and with state `offline` as its will.
package struct GatewayStatus: GatewayMessage {
    package enum State: String, Codable, Hashable, Sendable {
        case online, offline
    }

    package static let limit = GatewayLimits.status

    package var version = Topics.version
    package var state: State
    /// Different after each start.
    package var instance: Identifier
    package var software: String?
    /// The adapter's address; nil without one.
    package var adapter: BluetoothAddress?
    package var powered: Bool?
    /// How many links the gateway offers, and how many of them are free.
    package var slots: Int?
    package var free: Int?
    /// The devices that have a link, or get one now; nil without any, and from gateways that don't publish them.
    package var links: [BluetoothAddress]?
}

extension GatewayStatus {
    package init(state: State, instance: Identifier) {
        self.state = state
        self.instance = instance
    }
}
