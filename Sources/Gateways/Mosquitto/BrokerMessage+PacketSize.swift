import GatewayProtocol

extension BrokerMessage {
    /// How many bytes its PUBLISH packet has in all (MQTT 5, 3.3): a broker's Maximum Packet Size counts these.
    var packetSize: Int {
        // A property's identifier has one byte, and the length of text or binary data two (2.2.2.2).
        var properties = 0
        if let responseTopic { properties += 3 + responseTopic.utf8.count }
        if let correlation { properties += 3 + correlation.count }
        if expiry != nil { properties += 5 }
        let identifier = quality == .atMostOnce ? 0 : 2
        let header = 2 + topic.utf8.count + identifier + Self.lengthOfVariableInteger(properties) + properties
        let remaining = header + payload.count
        return 1 + Self.lengthOfVariableInteger(remaining) + remaining
    }

    /// How many bytes a Variable Byte Integer has (1.5.5): 7 bits in each.
    private static func lengthOfVariableInteger(_ value: Int) -> Int {
        switch value {
        case ..<0x80: 1
        case ..<0x4000: 2
        case ..<0x20_0000: 3
        default: 4
        }
    }
}
