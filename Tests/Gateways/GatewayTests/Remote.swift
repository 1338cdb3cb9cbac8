import BlueZDBus
import BlueZJSONLine
import BlueZValues
import GatewayProtocol
import TestSupport
import Testing

/// A client of a gateway.
final class Remote: Sendable {
    private struct State {
        var responses: [Identifier: [[UInt8]]] = [:]
        var events: [GatewayEvent] = []
        var advertisements: [GatewayAdvertisement] = []
        var instance: Identifier?
        var clock = GatewayClock()
    }

    let name: GatewayName
    let client: InMemoryClient
    private let topics = Topics.standard
    private let state = Lock(State())

    init(_ broker: InMemoryBroker, _ name: String) throws {
        self.name = try #require(GatewayName(name)?.client())
        client = broker.client(self.name.description)
        try client.start(will: nil, subscriptions: topics.subscriptions(client: self.name)) { [state, topics] event in
            guard case .message(let message) = event else { return }
            state.withLock { Self.receive(message, topics, &$0) }
        }
    }

    private static func receive(_ message: BrokerMessage, _ topics: Topics, _ state: inout State) {
        switch topics.kind(of: message.topic) {
        case .status:
            if let status = try? GatewayStatus(payload: message.payload), status.state == .online {
                state.instance = status.instance
                state.clock = GatewayClock()
            }
        case .advertisement:
            if let advertisement = try? GatewayAdvertisement(payload: message.payload) {
                state.advertisements.append(advertisement)
            }
        case .event:
            if let event = try? GatewayEvent(payload: message.payload) { state.events.append(event) }
        case .response:
            guard let response = try? GatewayResponse<EmptyResult>(payload: message.payload) else { return }
            state.clock.update(now: response.now, receivedAt: .now)
            state.responses[response.id, default: []].append(message.payload)
        default: break
        }
    }

    var events: [GatewayEvent] { state.withLock { $0.events } }
    var instance: Identifier? { state.withLock { $0.instance } }
    var advertisements: [GatewayAdvertisement] { state.withLock { $0.advertisements } }

    func heard(_ device: BluetoothAddress) -> GatewayAdvertisement? {
        state.withLock { $0.advertisements.last { $0.device == device } }
    }

    func responses(_ id: Identifier) -> Int { state.withLock { $0.responses[id]?.count ?? 0 } }

    /// The different responses to a request.
    func contents(_ id: Identifier) -> Set<[UInt8]> { Set(state.withLock { $0.responses[id] ?? [] }) }

    // Not inlined: in a release build Swift 6.3 crashes when it splits an asynchronous function that has these inside.

    /// The response to a request that was sent.
    @inline(never) func response<Value: JSONObject & Hashable>(
        _ id: Identifier, _ type: Value.Type
    ) async throws -> GatewayResponse<Value> {
        try await Patience.wait(for: "the response", within: .seconds(60)) { responses(id) > 0 }
        let payload = try #require(state.withLock { $0.responses[id]?.first })
        return try GatewayResponse<Value>(payload: payload)
    }

    /// Learns what the gateway's clock shows.
    func greet() async throws {
        let id = send(request(.hello, notAfter: nil))
        _ = try await response(id, HelloResult.self)
    }

    func request(
        _ operation: GatewayOperation, timeout: Duration = .seconds(60), instance: Identifier? = nil
    ) -> GatewayRequest {
        let notAfter = state.withLock { $0.clock.notAfter(timeout: timeout, at: .now) }
        return request(operation, notAfter: notAfter, instance: instance)
    }

    func request(_ operation: GatewayOperation, notAfter: UInt64?, instance: Identifier? = nil) -> GatewayRequest {
        GatewayRequest(
            id: .random(), instance: instance ?? self.instance, client: name, notAfter: notAfter, operation: operation)
    }

    func message(_ request: GatewayRequest) -> BrokerMessage {
        BrokerMessage(
            topic: topics.requests(GatewayFixture.name, from: name.user), payload: (try? request.payload()) ?? [],
            quality: .atLeastOnce,
            responseTopic: topics.responses(name, from: GatewayFixture.name), correlation: request.id.bytes, expiry: 60)
    }

    @discardableResult func send(_ request: GatewayRequest) -> Identifier {
        client.publish(message(request))
        return request.id
    }

    /// Asks, and returns the result or the failure.
    @inline(never) func ask<Value: JSONObject & Hashable>(
        _ operation: GatewayOperation, _ type: Value.Type
    ) async throws -> Result<Value, GatewayFailure> {
        try await greet()
        return try await response(send(request(operation)), type).outcome
    }

    @inline(never) func succeed<Value: JSONObject & Hashable>(
        _ operation: GatewayOperation, _ type: Value.Type
    ) async throws -> Value {
        try await ask(operation, type).get()
    }

    func failure(_ operation: GatewayOperation) async throws -> GatewayFailure? {
        guard case .failure(let failure) = try await ask(operation, EmptyResult.self) else { return nil }
        return failure
    }

    /// How many of the requests failed, by code.
    func failures(_ ids: [Identifier]) -> [GatewayFailure.Code: Int] {
        var result: [GatewayFailure.Code: Int] = [:]
        for payload in ids.compactMap({ id in state.withLock { $0.responses[id]?.first } }) {
            guard case .failure(let failure)? = try? GatewayResponse<EmptyResult>(payload: payload).outcome else {
                continue
            }
            result[failure.code, default: 0] += 1
        }
        return result
    }

    /// Connects, and discovers the services.
    func connect(_ device: BluetoothAddress = GatewaySimulator.device, lease: Int = 60_000) async throws -> Connected {
        let operation = GatewayOperation.connect(device, .public, lease: lease, timeout: 45_000)
        let result = try await succeed(operation, ConnectResult.self)
        let link = LinkReference(device: device, link: result.link)
        let discovered = try await succeed(.discover(link, timeout: 30_000), DiscoverResult.self)
        return Connected(link: link, services: discovered.services)
    }
}

/// A link and its services.
struct Connected: Sendable {
    var link: LinkReference
    var services: [ServiceDescription]

    func characteristic(_ uuid: BluetoothUUID) throws -> CharacteristicDescription {
        let all = services.flatMap(\.characteristics)
        return try #require(all.first { $0.uuid == uuid })
    }

    var value: UInt16 {
        get throws { try characteristic(GatewaySimulator.value).handle }
    }

    var updates: UInt16 {
        get throws { try characteristic(GatewaySimulator.updates).handle }
    }
}
