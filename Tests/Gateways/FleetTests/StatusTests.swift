import BlueZDBus
import BlueZValues
import CoreBlueZ
import GatewayProtocol
import TestSupport
import Testing

@testable import Fleet

/// What an observer of the broker shows.
@Suite("The status of gateways")
struct StatusTests {
    private static func observer(_ broker: InMemoryBroker) async throws -> (FleetObserver, InMemoryClient) {
        let client = broker.client("observer")
        return (try await FleetObserver(prefix: "corebluez", broker: client), client)
    }

    @Test("Gateways, their links, and the devices with those who hear them, the best first")
    func report() async throws {
        try await FleetFixture.with(["attic", "cellar"], rssi: [-90, -40], slots: 3) { fixture, central in
            let (observer, _) = try await Self.observer(fixture.broker)
            let observation = Task { try await observer.observe(for: .seconds(86400)) }
            try await Patience.wait(for: "both to hear it") {
                guard await observer.report.devices.first?.heard.count == 2 else { return false }
                return await fixture.fleet.hearing(BluetoothAddress("BC:6A:29:00:00:01")) == ["cellar", "attic"]
            }
            _ = try await central.connectThing()
            try await Patience.wait(for: "the link") { await observer.report.devices.first?.links.isEmpty == false }
            await observer.end()
            let report = try await observation.value
            #expect(report.gateways.map(\.gateway) == ["attic", "cellar"])
            #expect(report.gateways.allSatisfy { $0.state == .online && $0.powered == true && $0.slots == 3 })
            #expect(report.gateways.map(\.free) == [3, 2])
            #expect(report.gateways.map(\.links) == [[], [try #require(BluetoothAddress("BC:6A:29:00:00:01"))]])
            let device = try #require(report.devices.first)
            #expect(device.name == "Thing")
            #expect(device.heard.map(\.gateway) == ["cellar", "attic"])
            #expect(device.heard.map(\.rssi) == [-40, -90])
            #expect(device.links == ["cellar"])
        }
    }

    @Test("An observer publishes nothing, and ends with its time")
    func silent() async throws {
        let broker = InMemoryBroker()
        let published = Lock([String]())
        broker.setRefusal { message, client in
            if client == "observer" { published.withLock { $0.append(message.topic) } }
            return nil
        }
        _ = try FalseGateway("false", broker)
        let (observer, _) = try await Self.observer(broker)
        let report = try await observer.observe(for: .milliseconds(10))
        #expect(report.gateways.map(\.gateway) == ["false"])
        #expect(published.withLock { $0 }.isEmpty)
        #expect(try await observer.observe(for: .seconds(86400)) == report)
    }

    @Test("A broker that refuses the observer or is not there is an error, not an empty list")
    func errors() async throws {
        let broker = InMemoryBroker()
        let refusal = BrokerError(.badCredentials, "The password is wrong")
        broker.refuse("observer", refusal)
        let (refused, _) = try await Self.observer(broker)
        await #expect(throws: refusal) { try await refused.observe(for: .seconds(86400)) }
        let dead = InMemoryBroker()
        dead.kill()
        let (lonely, _) = try await Self.observer(dead)
        let error = await #expect(throws: BrokerError.self) {
            try await lonely.observe(for: .seconds(86400), timeout: .milliseconds(10))
        }
        #expect(error?.code == .unreachable)
    }

    private static let instance = Identifier.random()

    /// The report after some messages of a gateway.
    private func report(_ messages: [(topic: String, payload: String)]) throws -> FleetReport {
        let topics = try Topics(prefix: "corebluez")
        var survey = FleetSurvey()
        for (topic, payload) in messages {
            let topic = "corebluez/1/gateways/\(topic)"
            let message = BrokerMessage(topic: topic, payload: Array(payload.utf8))
            try? survey.received(message, topics.kind(of: topic))
        }
        return survey.report
    }

    private static func advertisement(_ name: String) throws -> String {
        var data = AdvertisementData()
        data.localName = name
        let device = try #require(BluetoothAddress(FalseGateway.device))
        let message = GatewayAdvertisement(instance: instance, device: device, kind: .public, rssi: -60, data: data)
        return String(decoding: try message.payload(), as: UTF8.self)
    }

    private static let online = #"{"version":1,"state":"online","instance":"\#(instance)","slots":4,"free":3}"#

    @Test("A gateway that goes offline hears nothing, one whose status is removed is gone, another version is shown")
    func changes() throws {
        let heard = ("attic/advertisements/BC6A29000001", try Self.advertisement("Thing"))
        #expect(try report([heard]).devices.isEmpty)
        let online = ("attic/status", Self.online)
        #expect(try report([online, heard]).devices.map(\.heard.count) == [1])
        let offline = ("attic/status", #"{"version":1,"state":"offline","instance":"\#(Self.instance)"}"#)
        let after = try report([online, heard, offline])
        #expect(after.gateways.map(\.state) == [.offline])
        #expect(after.devices.isEmpty)
        #expect(try report([online, heard, offline, online]).devices.isEmpty)
        #expect(try report([online, heard, ("attic/status", "")]).gateways.isEmpty)
        let other = ("attic/status", #"{"version":2,"state":"online","instance":"\#(Self.instance)"}"#)
        #expect(try report([online, heard, other]).gateways.map(\.state) == [.otherVersion])
        #expect(try report([online, ("attic/status", "rubbish"), heard]).devices.count == 1)
    }

    @Test("Names from the air are escaped in the table and in JSON")
    func escaped() throws {
        let report = try report([
            ("attic/status", Self.online),
            ("attic/advertisements/BC6A29000001", try Self.advertisement("a\u{1b}[2J\u{9b}")),
        ])
        let lines = report.lines
        #expect(lines.count == 5)
        #expect(lines[0] == "GATEWAY  STATE   BLUETOOTH  LINKS  FREE  HEARS")
        #expect(lines[1] == "attic    online  on         1/4    3     1")
        #expect(lines[4].hasPrefix(#"BC:6A:29:00:00:01  a\u{1b}[2J\u{9b}  attic -60 dBm"#))
        let json = try report.jsonLines()
        #expect(json.count == 2)
        #expect(json[0].contains(#""gateway":"attic""#))
        #expect(json[1].contains(#""heard":[{"gateway":"attic","rssi":-60}]"#))
        #expect((lines + json).allSatisfy { line in line.unicodeScalars.allSatisfy { 0x20..<0x7F ~= $0.value } })
    }

    @Test("A gateway that invents devices cannot use up the space of the others")
    func flood() throws {
        let topics = try Topics(prefix: "corebluez")
        var survey = FleetSurvey()
        func hear(_ gateway: String, _ number: Int) throws {
            let device = try #require(BluetoothAddress(compact: String(100_000_000_000 + number)))
            let message = GatewayAdvertisement(
                instance: Self.instance, device: device, kind: .public, rssi: nil, data: AdvertisementData())
            let topic = topics.advertisement(try #require(GatewayName(gateway)), device)
            try survey.received(
                BrokerMessage(topic: topic, payload: try message.payload()), topics.kind(of: topic))
        }
        for gateway in ["attic", "cellar"] {
            let topic = "corebluez/1/gateways/\(gateway)/status"
            try survey.received(
                BrokerMessage(topic: topic, payload: Array(Self.online.utf8)), topics.kind(of: topic))
        }
        for number in 1...10_000 { try hear("attic", number) }
        #expect(throws: MessageError.self) { try hear("attic", 10_001) }
        try hear("cellar", 1)
        #expect(survey.report.devices.count == 10_000)
    }
}
