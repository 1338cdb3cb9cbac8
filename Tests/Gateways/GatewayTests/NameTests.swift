import BlueZDBus
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import GatewayProtocol
import Testing

@testable import Gateway

extension Gateways {
    @Suite("The name and the broker")
    struct NameTests {
        @Test("A second gateway of a name leaves, and the first one keeps its status, links and leases")
        func twice() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let connected = try await remote.connect()
                let instance = fixture.status?.instance
                var configuration = fixture.configuration
                configuration.stateFile = "\(fixture.directory)-2/leases.json"
                defer { try? FileManager.default.removeItem(atPath: "\(fixture.directory)-2") }
                let second = try Gateway(configuration: configuration, broker: fixture.broker.client("second"))
                #expect(await second.run() == .nameTaken(GatewayFixture.name))
                #expect(fixture.status?.instance == instance)
                #expect(fixture.status?.state == .online)
                let read = GatewayOperation.read(connected.link, handle: try connected.value, offset: 0)
                #expect(try await remote.succeed(read, ValueResult.self) == ValueResult([1, 2, 3]))
            }
        }

        @Test("Two gateways of a name that start at a time: one stays")
        @BluetoothActor func race() async throws {
            let simulator = try await GatewaySimulator()
            let fixture = GatewayFixture(simulator)
            defer { try? FileManager.default.removeItem(atPath: fixture.directory) }
            // Neither hears of the other until both are online.
            fixture.broker.setDisposition { message, _ in
                message.topic.hasSuffix("/status") || message.topic.contains("/responses/") ? .hold : .deliver
            }
            let gateways = try (0..<2).map { number in
                var configuration = fixture.configuration
                configuration.stateFile = "\(fixture.directory)/\(number).json"
                return try Gateway(configuration: configuration, broker: fixture.broker.client("g\(number)"))
            }
            try FileManager.default.createDirectory(
                atPath: fixture.directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
            )
            let runs = gateways.map { gateway in Task { await gateway.run() } }
            try await Patience.wait(for: "both") { gateways.allSatisfy(\.isOnline) }
            fixture.broker.setDisposition { _, _ in .deliver }
            fixture.broker.releaseHeld()
            try await Patience.wait(for: "the end of one") { gateways.count(where: \.isEnding) == 1 }
            let stayed = try #require(gateways.first { !$0.isEnding })
            try await Patience.wait(for: "the status of the other") { fixture.status?.instance == stayed.instance }
            for gateway in gateways { gateway.end() }
            var ends: [GatewayEnd] = []
            for run in runs { ends.append(await run.value) }
            #expect(Set(ends) == [.ended, .nameTaken(GatewayFixture.name)])
        }

        @Test("A status that a killed gateway left behind holds nobody up for long")
        @BluetoothActor func leftBehind() async throws {
            let simulator = try await GatewaySimulator()
            let fixture = GatewayFixture(simulator)
            defer { try? FileManager.default.removeItem(atPath: fixture.directory) }
            let old = GatewayStatus(state: .online, instance: .random())
            fixture.broker.publish(
                BrokerMessage(
                    topic: Topics.standard.status(GatewayFixture.name), payload: try old.payload(), isRetained: true
                ))
            try fixture.start()
            try await fixture.isOnline()
            #expect(fixture.status?.instance != old.instance)
            await fixture.end()
        }

        @Test("A will that comes late does not take the gateway offline")
        func lateWill() async throws {
            try await GatewayFixture.run { fixture in
                let will = GatewayStatus(state: .offline, instance: .random())
                fixture.broker.publish(
                    BrokerMessage(
                        topic: Topics.standard.status(GatewayFixture.name), payload: try will.payload(),
                        isRetained: true))
                try await fixture.isOnline()
            }
        }

        @Test("A broker that refuses the gateway ends it, with its reason, and the next can use its state file")
        @BluetoothActor func refused() async throws {
            let simulator = try await GatewaySimulator()
            let fixture = GatewayFixture(simulator)
            defer { try? FileManager.default.removeItem(atPath: fixture.directory) }
            var gateways: [Gateway] = []
            for error in [
                BrokerError(.badCredentials, "The password is wrong"),
                BrokerError(.unsupportedVersion, "The broker does not speak MQTT 5"),
            ] {
                fixture.broker.refuse("refused", error)
                let gateway = try Gateway(
                    configuration: fixture.configuration, broker: fixture.broker.client("refused"))
                #expect(await gateway.run() == .refused(error))
                gateways.append(gateway)
            }
        }

        @Test("A response that is too large for the broker is replaced by a failure")
        func largeResponse() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let connected = try await remote.connect()
                fixture.broker.setRefusal { message, _ in
                    message.topic.contains("/responses/") && message.payload.count > 400
                        ? BrokerError(.tooLarge, "A message is larger than the broker accepts") : nil
                }
                let failure = try await remote.failure(.discover(connected.link, timeout: 30_000))
                #expect(failure?.name == "org.bluez.Error.Failed")
                #expect(failure?.text.contains("larger") == true)
            }
        }

        @Test("A status that a full broker does not take is published again")
        func fullBroker() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let refusals = Lock(0)
                fixture.broker.setRefusal { message, _ in
                    guard message.topic.hasSuffix("/status") else { return nil }
                    return refusals.withLock { count in
                        count += 1
                        return count <= 2 ? BrokerError(.quotaExceeded, "The broker is full") : nil
                    }
                }
                _ = try await remote.connect()
                try await Patience.wait(for: "the status") { fixture.status?.free == 9 }
                #expect(refusals.withLock { $0 } >= 3)
            }
        }

        @Test("A flood of statuses by others is answered with a few of its own")
        func statusFlood() async throws {
            try await GatewayFixture.run { fixture in
                let topic = Topics.standard.status(GatewayFixture.name)
                let count = Lock(0)
                fixture.broker.setDisposition { message, client in
                    if client == "watcher", message.topic == topic { count.withLock { $0 += 1 } }
                    return .deliver
                }
                let watcher = fixture.broker.client("watcher")
                try watcher.start(
                    will: nil, subscriptions: [BrokerSubscription(filter: topic, quality: .atLeastOnce)]
                ) { _ in }
                let other = GatewayStatus(state: .offline, instance: .random())
                let payload = try other.payload()
                for _ in 0..<500 {
                    fixture.broker.publish(BrokerMessage(topic: topic, payload: payload, isRetained: true))
                }
                try await Patience.wait(for: "the status") { fixture.status?.state == .online }
                #expect(count.withLock { $0 } < 530)
            }
        }

        @Test("A gateway offers 64 links at most")
        func manySlots() async throws {
            try await GatewayFixture.run { configuration in
                configuration.slots = 1000
            } _: { fixture in
                #expect(fixture.status?.slots == 64)
            }
        }

        @Test("Two gateways cannot share a state file, and an impossible one is an error")
        func stateFile() async throws {
            try await GatewayFixture.run { fixture in
                let second = try Gateway(configuration: fixture.configuration, broker: fixture.broker.client("second"))
                guard case .stateFileUnusable = await second.run() else { return #expect(Bool(false)) }
                var configuration = fixture.configuration
                configuration.stateFile = "/proc/nothing/leases.json"
                let third = try Gateway(configuration: configuration, broker: fixture.broker.client("third"))
                guard case .stateFileUnusable = await third.run() else { return #expect(Bool(false)) }
                #expect(fixture.status?.state == .online)
            }
        }

        @Test("A prefix of a wrong form is an error")
        @BluetoothActor func prefix() async throws {
            var configuration = GatewayConfiguration(name: GatewayFixture.name, stateFile: "/tmp/none")
            configuration.prefix = "a/#"
            let client = InMemoryBroker().client("x")
            #expect(throws: BrokerError.self) { try Gateway(configuration: configuration, broker: client) }
        }

        @Test("A restart of the broker, and of bluetoothd, is survived")
        func restarts() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let connected = try await remote.connect()
                fixture.broker.kill()
                #expect(fixture.status == nil)
                fixture.broker.restart()
                try await fixture.isOnline()
                let read = GatewayOperation.read(connected.link, handle: try connected.value, offset: 0)
                #expect(try await remote.succeed(read, ValueResult.self) == ValueResult([1, 2, 3]))
                await fixture.simulator.bluez.simulateCrash()
                try await Patience.wait(for: "the event") { remote.events.last?.content == .disconnected }
                try await fixture.simulator.bluez.restart()
                try await fixture.isOnline()
                _ = try await fixture.remote("attic").connect()
            }
        }

        @Test("A gateway that is lost is offline by its will; one that is released ends its links")
        @BluetoothActor func release() async throws {
            let simulator = try await GatewaySimulator()
            let fixture = GatewayFixture(simulator)
            defer { try? FileManager.default.removeItem(atPath: fixture.directory) }
            try fixture.start()
            try await fixture.isOnline()
            _ = try await fixture.remote().connect()
            #expect(await simulator.peripheral.isConnected)
            fixture.client.vanish()
            #expect(fixture.status?.state == .offline)
            await fixture.end()
            try await Patience.wait(for: "the end of the link") { await !simulator.peripheral.isConnected }
        }
    }
}
