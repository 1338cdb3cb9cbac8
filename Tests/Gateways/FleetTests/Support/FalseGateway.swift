import BlueZDBus
import BlueZValues
import GatewayProtocol
import Testing

/// A gateway whose answers a test makes up: JSON that need not be right.
final class FalseGateway: Sendable {
    private struct State {
        var operations: [String] = []
        var unanswered: [String] = []
        var expiries: [String: UInt32] = [:]
        var instance = Identifier.random()
        var answers: [String: String] = [:]
    }

    static let device = "BC:6A:29:00:00:01"
    let name: GatewayName
    let client: InMemoryClient
    var instance: Identifier { state.withLock(\.instance) }
    private let hears: Bool
    private let topics = (try? Topics(prefix: "corebluez"))!
    private let state = Lock(State())

    /// Starts it: it is online and hears a device.
    init(_ name: String, _ broker: InMemoryBroker, version: Int = 1, hears: Bool = true) throws {
        self.hears = hears
        self.name = try #require(GatewayName(name))
        client = broker.client(name)
        let requests = BrokerSubscription(
            filter: "corebluez/1/gateways/\(name)/requests/+", quality: .atLeastOnce)
        state.withLock { state in
            state.answers = [
                "hello": "{}", "heard": "{}", "disconnect": "{}",
                "connect": #"{"link":1,"lease":15000,"state":{"name":"False"}}"#,
                "discover": #"{"services":[],"state":{}}"#,
                "renew": #"{"links":[{"device":"\#(Self.device)","link":1,"sequence":0}],"lease":15000}"#,
            ]
        }
        try client.start(will: nil, subscriptions: [requests]) { [weak self] event in
            if case .message(let message) = event { self?.receive(message) }
        }
        publishOnline(version: version)
    }

    /// It says that it is online.
    func publishOnline(version: Int = 1, as name: GatewayName? = nil) {
        publishStatus(
            #"{"version":\#(version),"state":"online","instance":"\#(instance)","free":10,"powered":true}"#, as: name)
    }

    /// It starts again, as another instance.
    ///
    /// - Returns: an advertisement of the instance before.
    @discardableResult func restart() -> BrokerMessage? {
        let late = advertisement()
        state.withLock { $0.instance = .random() }
        publishOnline()
        return late
    }

    /// What it answers to an operation: a result as JSON.
    func answer(_ operation: String, _ result: String) {
        state.withLock { $0.answers[operation] = result }
    }

    /// From now on it does not answer an operation.
    func ignore(_ operation: String) {
        state.withLock { $0.answers[operation] = nil }
    }

    /// How often it was asked.
    func count(_ operation: String) -> Int { state.withLock { $0.operations.count { $0 == operation } } }

    /// How often it has not answered.
    func unansweredCount(_ operation: String) -> Int { state.withLock { $0.unanswered.count { $0 == operation } } }

    /// For how many seconds the broker keeps the newest request of an operation.
    func expiry(_ operation: String) -> UInt32? { state.withLock { $0.expiries[operation] } }

    func publishStatus(_ json: String, as name: GatewayName? = nil) {
        client.publish(
            BrokerMessage(
                topic: topics.status(name ?? self.name), payload: Array(json.utf8), quality: .atLeastOnce,
                isRetained: true))
    }

    func publishAdvertisement(of device: BluetoothAddress? = nil, _ data: AdvertisementData = AdvertisementData()) {
        if let message = advertisement(of: device, data) { client.publish(message) }
    }

    private func advertisement(
        of device: BluetoothAddress? = nil, _ data: AdvertisementData = AdvertisementData()
    ) -> BrokerMessage? {
        guard let device = device ?? BluetoothAddress(Self.device) else { return nil }
        let advertisement = GatewayAdvertisement(
            instance: instance, device: device, kind: .public, rssi: -60, data: data)
        return BrokerMessage(
            topic: topics.advertisement(name, device), payload: (try? advertisement.payload()) ?? [])
    }

    /// Publishes an event of link 1.
    func publishEvent(_ sequence: UInt64, to client: GatewayName) {
        let json = """
            {"version":1,"instance":"\(instance)","device":"\(Self.device)","link":1,"sequence":\(sequence),\
            "event":"value","handle":3,"value":"00"}
            """
        self.client.publish(BrokerMessage(topic: topics.events(name, to: client), payload: Array(json.utf8)))
    }

    private func receive(_ message: BrokerMessage) {
        guard let request = try? GatewayRequest(payload: message.payload), let topic = message.responseTopic else {
            return
        }
        let operation = request.operation.name
        let result = state.withLock { state in
            state.operations.append(operation)
            state.expiries[operation] = message.expiry
            if state.answers[operation] == nil { state.unanswered.append(operation) }
            return state.answers[operation]
        }
        if operation == "heard", hears { publishAdvertisement() }
        guard let result else { return }
        let json = #"{"version":1,"id":"\#(request.id)","instance":"\#(instance)","now":1000,"result":\#(result)}"#
        client.publish(
            BrokerMessage(
                topic: topic, payload: Array(json.utf8), quality: .atLeastOnce, correlation: request.id.bytes))
    }
}
