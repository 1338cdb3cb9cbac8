import BlueZValues

/// An event of a link, for the client that holds the lease. The events of a link are numbered from 1.
package struct GatewayEvent: GatewayMessage {
    package enum Content: Hashable, Sendable {
        /// The link is gone. This is the last event of the link.
        case disconnected
        /// The services have changed. Discover them again.
        case services
        /// The device's properties have changed.
        case changed(DeviceState)
        /// A notification or an indication of a characteristic.
        case value(handle: UInt16, [UInt8])
        /// Notifications of a characteristic have ended without a request.
        case ended(handle: UInt16)
    }

    package static let limit = GatewayLimits.report

    package var version = Topics.version
    package var instance: Identifier
    package var device: BluetoothAddress
    package var link: UInt64
    package var sequence: UInt64
    package var content: Content

    package init(instance: Identifier, device: BluetoothAddress, link: UInt64, sequence: UInt64, content: Content) {
        self.instance = instance
        self.device = device
        self.link = link
        self.sequence = sequence
        self.content = content
    }

    private enum CodingKeys: String, CodingKey {
        case version, instance, device, link, sequence, event, handle, value, state
    }

    private enum Code: String, Codable {
        case disconnected, services, changed, value, ended
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(Int.self, forKey: .version)
        instance = try container.decode(Identifier.self, forKey: .instance)
        device = try container.decode(BluetoothAddress.self, forKey: .device)
        link = try container.decode(UInt64.self, forKey: .link)
        sequence = try container.decode(UInt64.self, forKey: .sequence)
        switch try container.decode(Code.self, forKey: .event) {
        case .disconnected: content = .disconnected
        case .services: content = .services
        case .changed: content = .changed(try container.decode(DeviceState.self, forKey: .state))
        case .value:
            guard let value = try container.bytes(.value, limit: GatewayLimits.value) else {
                throw container.corrupted(.value, "a notification has a value")
            }
            content = .value(handle: try container.decode(UInt16.self, forKey: .handle), value)
        case .ended: content = .ended(handle: try container.decode(UInt16.self, forKey: .handle))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(instance, forKey: .instance)
        try container.encode(device, forKey: .device)
        try container.encode(link, forKey: .link)
        try container.encode(sequence, forKey: .sequence)
        switch content {
        case .disconnected: try container.encode(Code.disconnected, forKey: .event)
        case .services: try container.encode(Code.services, forKey: .event)
        case .changed(let state):
            try container.encode(Code.changed, forKey: .event)
            try container.encode(state, forKey: .state)
        case .value(let handle, let value):
            try container.encode(Code.value, forKey: .event)
            try container.encode(handle, forKey: .handle)
            try container.encode(Hexadecimal(value), forKey: .value)
        case .ended(let handle):
            try container.encode(Code.ended, forKey: .event)
            try container.encode(handle, forKey: .handle)
        }
    }
}
