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

    package init(
        state: State, instance: Identifier, software: String? = nil, adapter: BluetoothAddress? = nil,
        powered: Bool? = nil, slots: Int? = nil, free: Int? = nil
    ) {
        self.state = state
        self.instance = instance
        self.software = software
        self.adapter = adapter
        self.powered = powered
        self.slots = slots
        self.free = free
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(Int.self, forKey: .version)
        state = try container.decode(State.self, forKey: .state)
        instance = try container.decode(Identifier.self, forKey: .instance)
        software = try container.text(.software)
        adapter = try container.decodeIfPresent(BluetoothAddress.self, forKey: .adapter)
        powered = try container.decodeIfPresent(Bool.self, forKey: .powered)
        slots = try container.decodeIfPresent(Int.self, forKey: .slots)
        free = try container.decodeIfPresent(Int.self, forKey: .free)
    }
}
