import BlueZDBus
import Foundation
import GatewayProtocol
import Mosquitto
import TestSupport

/// A connection to a broker that keeps what it is told.
final class TestClient: Sendable {
    let broker: MosquittoBroker
    private let events = Lock([BrokerEvent]())

    init(
        _ url: String, identifier: String = "test\(UInt32.random(in: 0...UInt32.max))", subscriptions: [String] = [],
        quality: BrokerMessage.Quality = .atLeastOnce,
        will: BrokerMessage? = nil, _ change: (inout BrokerConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = BrokerConfiguration(url: url, clientIdentifier: identifier)!
        change(&configuration)
        broker = MosquittoBroker(configuration)
        try broker.start(
            will: will, subscriptions: subscriptions.map { BrokerSubscription(filter: $0, quality: quality) }
        ) { [events] event in
            events.withLock { $0.append(event) }
        }
    }

    /// What has happened so far.
    var happened: [BrokerEvent] { events.withLock { $0 } }

    var messages: [BrokerMessage] {
        happened.compactMap { event in
            if case .message(let message) = event { message } else { nil }
        }
    }

    /// How often the connection came up.
    var connections: Int { happened.count { $0 == .connected } }

    /// How often the connection was lost or refused.
    var losses: [BrokerError] {
        happened.compactMap { event in
            if case .disconnected(let error) = event { error } else { nil }
        }
    }

    var refusals: [BrokerError] {
        happened.compactMap { event in
            if case .refused(let error) = event { error } else { nil }
        }
    }

    var unpublished: [BrokerError] {
        happened.compactMap { event in
            if case .publishRefused(_, _, let error) = event { error } else { nil }
        }
    }

    /// How many messages to a topic were refused.
    func refusals(of topic: String) -> Int {
        happened.count { event in
            if case .publishRefused(topic, _, _) = event { true } else { false }
        }
    }

    func waitUntilConnected(times: Int = 1) async throws {
        try await Patience.wait(for: "connection \(times)") { connections >= times }
    }

    func publish(_ topic: String, _ text: String, _ quality: BrokerMessage.Quality = .atLeastOnce) {
        broker.publish(BrokerMessage(topic: topic, payload: Array(text.utf8), quality: quality))
    }
}

extension BrokerMessage {
    var text: String { String(decoding: payload, as: UTF8.self) }
}
