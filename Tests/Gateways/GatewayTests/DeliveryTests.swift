import BlueZDBus
import BlueZSimulator
import CoreBlueZ
import GatewayProtocol
import Testing

@testable import Gateway

extension Gateways {
    @Suite("Deliveries")
    struct DeliveryTests {
        @Test("A request that is delivered twice is carried out once, and answered with the same response")
        func duplicates() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let connected = try await remote.connect()
                let handle = try connected.value
                fixture.broker.setDisposition { message, _ in
                    message.topic.contains("/requests/") ? .duplicate : .deliver
                }
                let write = GatewayOperation.write(connected.link, handle: handle, value: [5], .request, offset: 0)
                let request = remote.request(write)
                remote.send(request)
                _ = try await remote.response(request.id, EmptyResult.self)
                // Once more, after it has been answered.
                let answered = remote.responses(request.id)
                remote.send(request)
                try await Patience.wait(for: "the response again") { remote.responses(request.id) > answered }
                #expect(await fixture.simulator.writes == [[5]])
                #expect(remote.contents(request.id).count == 1)
            }
        }

        @Test("A request whose deadline has passed, or that waited too long at the broker, is not carried out")
        func expired() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let connected = try await remote.connect()
                let handle = try connected.value
                let write = GatewayOperation.write(connected.link, handle: handle, value: [5], .request, offset: 0)
                try await remote.greet()
                let late = remote.request(write, timeout: .milliseconds(-1000))
                let outcome = try await remote.response(remote.send(late), EmptyResult.self).outcome
                #expect(outcome == .failure(GatewayFailure(.expired, text: "The deadline has passed")))
                // It waited in the gateway for longer than the broker said was left.
                var stale = remote.message(remote.request(write))
                stale.expiry = 1
                fixture.gateway?.receiveRequest(
                    stale, from: remote.name.user, arrival: BootInstant.now.advanced(by: .seconds(-2)))
                try await remote.greet()
                #expect(await fixture.simulator.writes == [])
            }
        }

        @Test("A request that waits behind others until its deadline is not carried out later")
        func queued() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let connected = try await remote.connect()
                let handle = try connected.value
                let write = { (byte: UInt8) in
                    GatewayOperation.write(connected.link, handle: handle, value: [byte], .request, offset: 0)
                }
                try await remote.greet()
                let limit = Patience.scaled(.milliseconds(300))
                await fixture.simulator.delay(limit * 4)
                let first = remote.send(remote.request(write(1)))
                let second = remote.send(remote.request(write(2), timeout: limit))
                let failure = try await remote.response(second, EmptyResult.self).outcome
                guard case .failure(let error) = failure else { return #expect(Bool(false), "\(failure)") }
                #expect(error.code == .unknown)
                #expect(try await remote.response(first, EmptyResult.self).outcome == .success(EmptyResult()))
                await fixture.simulator.delay(.zero)
                _ = try await remote.succeed(write(3), EmptyResult.self)
                #expect(await fixture.simulator.writes == [[1], [3]])
            }
        }

        @Test("A request for another instance, as before the gateway's restart, is not carried out")
        func otherInstance() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let connected = try await remote.connect()
                let old = try #require(remote.instance)
                let write = GatewayOperation.write(
                    connected.link, handle: try connected.value, value: [5], .request, offset: 0)
                await fixture.end()
                #expect(fixture.status?.state == .offline)
                #expect(await !fixture.simulator.peripheral.isConnected)
                try fixture.start()
                try await fixture.isOnline()
                try await remote.greet()
                let request = remote.request(write, instance: old)
                let outcome = try await remote.response(remote.send(request), EmptyResult.self).outcome
                guard case .failure(let error) = outcome else { return #expect(Bool(false), "\(outcome)") }
                #expect(error.code == .instance)
                #expect(await fixture.simulator.writes == [])
            }
        }

        @Test(
            "A retained request, a foreign response topic, and another identifier or client are not answered as asked")
        func foreign() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let spy = try Remote(fixture.broker, "spy")
                let other = try Remote(fixture.broker, "hall")
                let good = remote.message(remote.request(.heard))
                let change = { (body: (inout BrokerMessage) -> Void) in
                    var message = good
                    body(&message)
                    fixture.broker.publish(message)
                }
                // The first delivery does not show that it is retained; the next one, after a reconnection, does.
                change { $0.isRetained = true }
                let id = try #require(good.correlation.flatMap { Identifier(bytes: $0) })
                try await Patience.wait(for: "the response") { remote.responses(id) == 1 }
                fixture.broker.cut(fixture.client.name)
                fixture.broker.reconnect(fixture.client.name)
                change { $0.responseTopic = "somewhere/else" }
                change { $0.responseTopic = Topics.standard.responses(remote.name, from: GatewayName("cellar")!) }
                change { $0.responseTopic = nil }
                change { $0.correlation = nil }
                change { $0.correlation = [1, 2, 3] }
                change { $0.responseTopic = Topics.standard.responses(spy.name, from: GatewayFixture.name) }
                // The response topic of another client of the user: it gets an error, and nothing is carried out for it.
                change { $0.responseTopic = Topics.standard.responses(other.name, from: GatewayFixture.name) }
                try await Patience.wait(for: "the refusal") { other.responses(id) == 1 }
                try await remote.greet()
                #expect(remote.responses(id) == 1)
                #expect(spy.responses(id) == 0)
                fixture.broker.publish(
                    BrokerMessage(topic: good.topic, payload: [], isRetained: true))
            }
        }

        @Test("A message of 10 MB and malformed ones are dropped, and the gateway goes on")
        func garbage() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let topic = Topics.standard.requests(GatewayFixture.name, from: remote.name.user)
                let large = [UInt8](repeating: 0x20, count: 10 * 1024 * 1024)
                var message = remote.message(remote.request(.heard))
                message.payload = large
                fixture.broker.publish(message)
                message.payload = .init(repeating: 0x20, count: 100_000)
                fixture.broker.publish(message)
                for payload in [[], [0], Array("{}".utf8), Array("[[[[".utf8)] as [[UInt8]] {
                    fixture.broker.publish(BrokerMessage(topic: topic, payload: payload))
                    fixture.broker.publish(
                        BrokerMessage(topic: Topics.standard.status(GatewayFixture.name), payload: payload))
                }
                message.payload = Array("{}".utf8)
                message.correlation = Identifier.random().bytes
                fixture.broker.publish(message)
                let id = try #require(message.correlation.flatMap { Identifier(bytes: $0) })
                let outcome = try await remote.response(id, EmptyResult.self).outcome
                guard case .failure(let error) = outcome else { return #expect(Bool(false), "\(outcome)") }
                #expect(error.code == .malformed)
                _ = try await remote.succeed(.heard, EmptyResult.self)
            }
        }

        @Test("A request of another version is refused as such")
        func version() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                var request = remote.request(.heard)
                request.version = 2
                let outcome = try await remote.response(remote.send(request), EmptyResult.self).outcome
                guard case .failure(let error) = outcome else { return #expect(Bool(false), "\(outcome)") }
                #expect(error.code == .version)
            }
        }

        @Test("A flood of requests is refused as busy, and other clients are served")
        func flood() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let other = try await fixture.remote("attic")
                let connected = try await other.connect()
                try await remote.greet()
                let ids = (0..<10_000).map { _ in remote.send(remote.request(.heard)) }
                let read = GatewayOperation.read(connected.link, handle: try connected.value, offset: 0)
                #expect(try await other.succeed(read, ValueResult.self) == ValueResult([1, 2, 3]))
                let counts = remote.failures(ids)
                #expect(counts[.busy, default: 0] > 0)
                #expect(counts.values.reduce(0, +) < 5000)
            }
        }

        @Test("A user that invents clients, sends garbage or asks for responses again gets no more than its rate")
        func inventedClients() async throws {
            try await GatewayFixture.run { fixture in
                let users = GatewayLimits.users
                let flooder = try await fixture.remote("flooder")
                let honest = try await fixture.remote("attic")
                let connected = try await honest.connect()
                for number in 0..<2000 {
                    var message = flooder.message(flooder.request(.hello, notAfter: nil))
                    message.responseTopic = Topics.standard.responses(
                        try #require(GatewayName("flooder-\(String(hexadecimal: UInt32(number), digits: 8))")),
                        from: GatewayFixture.name)
                    flooder.client.publish(message)
                    message.payload = [0]
                    flooder.client.publish(message)
                }
                // Other users' names, as if the broker had no access list.
                for number in 0..<users * 2 {
                    let user = try #require(GatewayName("user\(number)"))
                    flooder.client.publish(
                        BrokerMessage(
                            topic: Topics.standard.requests(GatewayFixture.name, from: user), payload: [],
                            quality: .atLeastOnce))
                }
                let read = GatewayOperation.read(connected.link, handle: try connected.value, offset: 0)
                for _ in 0..<10 {
                    #expect(try await honest.succeed(read, ValueResult.self) == ValueResult([1, 2, 3]))
                }
                try await Remote(fixture.broker, "third").greet()
                #expect(fixture.gateway?.users.count ?? .max <= users)
            }
        }

        @Test("Each request gets one response, even if the link is lost with it under way")
        func oneResponse() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let connected = try await remote.connect()
                let handle = try connected.value
                await fixture.simulator.delay(.seconds(20))
                let ids = (0..<10).map { _ in
                    remote.send(remote.request(.read(connected.link, handle: handle, offset: 0)))
                }
                try await remote.greet()
                await fixture.simulator.peripheral.simulateDisconnection()
                for id in ids { _ = try await remote.response(id, ValueResult.self) }
                try await remote.greet()
                #expect(ids.map(remote.responses) == ids.map { _ in 1 })
            }
        }
    }
}
