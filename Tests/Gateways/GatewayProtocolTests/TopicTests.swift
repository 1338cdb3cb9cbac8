import Testing

@testable import GatewayProtocol

@Suite("Topics")
struct TopicTests {
    private let topics = (try? Topics(prefix: "corebluez"))!

    @Test("What is made is read as what it is")
    func roundTrip() {
        #expect(topics.kind(of: topics.status(Sample.gateway)) == .status(gateway: Sample.gateway))
        #expect(
            topics.kind(of: topics.requests(Sample.gateway, from: Sample.client.user))
                == .request(gateway: Sample.gateway, user: Sample.client.user))
        #expect(
            topics.kind(of: topics.advertisement(Sample.gateway, Sample.device))
                == .advertisement(gateway: Sample.gateway, device: Sample.device))
        #expect(
            topics.kind(of: topics.events(Sample.gateway, to: Sample.client))
                == .event(gateway: Sample.gateway, client: Sample.client))
        #expect(
            topics.kind(of: topics.responses(Sample.client, from: Sample.gateway))
                == .response(client: Sample.client, gateway: Sample.gateway))
        #expect(topics.status(Sample.gateway) == "corebluez/1/gateways/kitchen/status")
        #expect(
            topics.advertisement(Sample.gateway, Sample.device)
                == "corebluez/1/gateways/kitchen/advertisements/BC6A29AC166B")
    }

    @Test(
        "Other topics are none",
        arguments: [
            "", "/", "corebluez", "corebluez/", "corebluez/1", "corebluez/1/gateways", "corebluez/1/gateways/kitchen",
            "corebluez/1/gateways//status", "corebluez/1/gateways/kitchen/status/", "corebluez/1/gateways/+/status",
            "corebluez/1/gateways/k#/status", "corebluez/1/gateways/kitchen/advertisements",
            "corebluez/1/gateways/kitchen/advertisements/BC6A29AC16", "corebluez/1/gateways/kitchen/events/a b",
            "corebluez/1/clients/a/responses", "corebluez/1/clients/a/responses/", "other/1/gateways/kitchen/status",
            "corebluez2/1/gateways/kitchen/status", "corebluez/2/gateways/kitchen/requests/hall",
            "corebluez/1/gateways/kitchen/requests", "corebluez/1/gateways/kitchen/requests/a b",
            "corebluez/123456789/gateways/kitchen/status", "\u{0}",
        ])
    func others(topic: String) {
        #expect(topics.kind(of: topic) == nil)
    }

    @Test("The status of a gateway that speaks another version is known as such")
    func versions() {
        #expect(
            topics.kind(of: "corebluez/2/gateways/kitchen/status")
                == .otherVersion("2", gateway: Sample.gateway))
    }

    @Test("A prefix has levels of names", arguments: ["a", "a/b", "home_1/ble-x"])
    func prefixes(prefix: String) throws {
        let topics = try Topics(prefix: prefix)
        #expect(topics.kind(of: topics.status(Sample.gateway)) == .status(gateway: Sample.gateway))
    }

    @Test("Other prefixes are refused", arguments: ["", "/", "a/", "/a", "a//b", "a b", "+", "#", "$SYS"])
    func wrongPrefixes(prefix: String) {
        let error = #expect(throws: BrokerError.self) { try Topics(prefix: prefix) }
        #expect(error?.code == .configuration)
    }

    @Test("A name has 1 to 64 letters, digits, _ and -")
    func names() {
        #expect(GatewayName(String(repeating: "x", count: 64)) != nil)
        #expect(GatewayName(String(repeating: "x", count: 65)) == nil)
        #expect(["", "a/b", "+", "#", "\u{E9}", "a.b", " "].allSatisfy { GatewayName($0) == nil })
    }

    @Test("A client has another name after each start, of allowed length")
    func clients() {
        let long = GatewayName(String(repeating: "x", count: 55))!
        #expect(long.client() != long.client())
        #expect(long.client()?.description.utf8.count == 64)
        #expect(long.client()?.user == long)
        #expect(GatewayName(String(repeating: "x", count: 56))?.client() == nil)
    }

    @Test("The user of a client is its name without the digits of one start")
    func users() {
        #expect(Sample.client.user == GatewayName("hall"))
        for name in ["hall", "hall-0123", "hall-0123ABCD", "-0123abcd", "hall0123abcd"] {
            #expect(GatewayName(name)?.user == GatewayName(name))
        }
        let name = GatewayName("fleet-1")!
        #expect(name.client()?.user == name)
    }

    @Test("All that a client gets fits its subscriptions, and nothing else does")
    func subscriptions() {
        let mine = topics.subscriptions(client: Sample.client).map { TopicLevels($0.filter) }
        let fits = { (topic: String) in mine.contains { $0.match(TopicLevels(topic)) } }
        #expect(fits(topics.status(Sample.gateway)))
        #expect(fits("corebluez/2/gateways/kitchen/status"))
        #expect(fits(topics.advertisement(Sample.gateway, Sample.device)))
        #expect(fits(topics.events(Sample.gateway, to: Sample.client)))
        #expect(fits(topics.responses(Sample.client, from: Sample.gateway)))
        #expect(!fits(topics.events(Sample.gateway, to: Sample.other)))
        #expect(!fits(topics.responses(Sample.other, from: Sample.gateway)))
        #expect(!fits(topics.requests(Sample.gateway, from: Sample.client.user)))
    }
}
