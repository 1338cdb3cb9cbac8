import BlueZValues

/// The topics under one prefix, for gateways and clients.
///
/// A gateway publishes its own messages below `P/1/gateways/NAME/`, and responses below
/// `P/1/clients/CLIENT/responses/`. So a broker's access control list needs one pattern for each.
package struct Topics: Hashable, Sendable {
    /// The kind of a received message, by its topic.
    package enum Kind: Hashable, Sendable {
        case status(gateway: GatewayName)
        case advertisement(gateway: GatewayName, device: BluetoothAddress)
        case request(gateway: GatewayName, user: GatewayName)
        case event(gateway: GatewayName, client: GatewayName)
        case response(client: GatewayName, gateway: GatewayName)
        /// The status of a gateway that uses another version.
        case otherVersion(String, gateway: GatewayName)

        /// The user that publishes to the topic, if the broker's access control list is as documented.
        package var sender: GatewayName {
            switch self {
            case .request(_, let user): user
            case .status(let gateway), .advertisement(let gateway, _), .event(let gateway, _),
                .response(_, let gateway),
                .otherVersion(_, let gateway):
                gateway
            }
        }
    }

    /// The levels before the version.
    package let prefix: String
    /// The version of the protocol, which is the second level of each topic, and `version` in each message.
    package static let version = 1

    /// Creates the topics for a prefix of 1 to 128 bytes: names of the same form as a gateway's, with `/` between them.
    ///
    /// - Throws: `BrokerError` with the code `configuration` if it has another form.
    package init(prefix: String) throws(BrokerError) {
        let levels = prefix.split(separator: "/", omittingEmptySubsequences: false)
        guard prefix.utf8.count <= 128, levels.allSatisfy({ GatewayName($0) != nil }) else {
            throw BrokerError(
                .configuration, "The prefix of topics must consist of letters, digits, _ and -, with / between levels")
        }
        self.prefix = prefix
    }

    private var gateways: String { "\(prefix)/\(Self.version)/gateways" }
    private var clients: String { "\(prefix)/\(Self.version)/clients" }

    // MARK: Making

    package func status(_ gateway: GatewayName) -> String { "\(gateways)/\(gateway)/status" }

    package func advertisement(_ gateway: GatewayName, _ device: BluetoothAddress) -> String {
        "\(gateways)/\(gateway)/advertisements/\(device.compact)"
    }

    /// - Parameter user: the user that the client belongs to, which the broker's access control list can check.
    package func requests(_ gateway: GatewayName, from user: GatewayName) -> String {
        "\(gateways)/\(gateway)/requests/\(user)"
    }

    package func events(_ gateway: GatewayName, to client: GatewayName) -> String {
        "\(gateways)/\(gateway)/events/\(client)"
    }

    package func responses(_ client: GatewayName, from gateway: GatewayName) -> String {
        "\(clients)/\(client)/responses/\(gateway)"
    }

    // MARK: Subscribing

    /// Returns a gateway's subscriptions: to its requests, and to its own status, to detect another gateway with its
    /// name.
    package func subscriptions(gateway: GatewayName) -> [BrokerSubscription] {
        [
            BrokerSubscription(filter: status(gateway), quality: .atLeastOnce),
            BrokerSubscription(filter: "\(gateways)/\(gateway)/requests/+", quality: .atLeastOnce),
            BrokerSubscription(filter: responses(gateway, from: gateway), quality: .atLeastOnce),
        ]
    }

    /// Returns a client's subscriptions: to all gateways' statuses (of other versions too) and advertisements, to its
    /// events and to its responses.
    package func subscriptions(client: GatewayName) -> [BrokerSubscription] {
        subscriptionsOfObserver + [
            BrokerSubscription(filter: "\(gateways)/+/events/\(client)", quality: .atMostOnce),
            BrokerSubscription(filter: "\(clients)/\(client)/responses/+", quality: .atLeastOnce),
        ]
    }

    /// An observer's subscriptions: all gateways' statuses (of other versions too) and advertisements.
    package var subscriptionsOfObserver: [BrokerSubscription] {
        [
            BrokerSubscription(filter: "\(prefix)/+/gateways/+/status", quality: .atLeastOnce),
            BrokerSubscription(filter: "\(gateways)/+/advertisements/+", quality: .atMostOnce),
        ]
    }

    // MARK: Reading

    /// Returns the kind of a topic, or nil if it is none of these.
    package func kind(of topic: String) -> Kind? {
        guard topic.utf8.count <= 512, topic.hasPrefix(prefix + "/") else { return nil }
        let levels = topic.dropFirst(prefix.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        guard (4...5).contains(levels.count), let name = GatewayName(levels[2]) else { return nil }
        let last = levels.count == 5 ? levels[4] : nil
        guard levels[0] == "\(Self.version)" else {
            guard levels[1] == "gateways", levels[3] == "status", last == nil, levels[0].utf8.count <= 8 else {
                return nil
            }
            return .otherVersion(String(levels[0]), gateway: name)
        }
        switch (levels[1], levels[3], last) {
        case ("gateways", "status", nil): return .status(gateway: name)
        case ("gateways", "requests", let last?): return GatewayName(last).map { .request(gateway: name, user: $0) }
        case ("gateways", "advertisements", let last?):
            return BluetoothAddress(compact: String(last)).map { .advertisement(gateway: name, device: $0) }
        case ("gateways", "events", let last?): return GatewayName(last).map { .event(gateway: name, client: $0) }
        case ("clients", "responses", let last?): return GatewayName(last).map { .response(client: name, gateway: $0) }
        default: return nil
        }
    }
}
