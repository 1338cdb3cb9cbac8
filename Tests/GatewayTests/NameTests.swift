import BlueZSimulator
import CoreBlueZ
import DBus
import FoundationEssentials
import GatewayProtocol
import Testing

@testable import Gateway

extension Gateways {
    @Suite("The name and the broker")
    struct NameTests {
        @Test("A second gateway of a name leaves, and the first one keeps its status, links and leases")
        func twice() async throws {
            try await Stage.run { stage in
                let remote = try await stage.remote()
                let connected = try await remote.connect()
                let instance = stage.status?.instance
                var configuration = stage.configuration
                configuration.stateFile = "\(stage.directory)-2/leases.json"
                defer { try? FileManager.default.removeItem(atPath: "\(stage.directory)-2") }
                let second = try Gateway(configuration: configuration, broker: stage.broker.client("second"))
                #expect(await second.run() == .nameTaken(Stage.name))
                #expect(stage.status?.instance == instance)
                #expect(stage.status?.state == .online)
                let read = GatewayOperation.read(connected.link, handle: try connected.value, offset: 0)
                #expect(try await remote.succeed(read, ValueResult.self) == ValueResult([1, 2, 3]))
            }
        }

        @Test("Two gateways of a name that start at a time: one stays")
        func race() async throws {
            let room = try await Room()
            try await BluetoothActor.run {
                let stage = Stage(room)
                defer { try? FileManager.default.removeItem(atPath: stage.directory) }
                // Neither hears of the other until both are online.
                stage.broker.setDisposition { message, _ in
                    message.topic.hasSuffix("/status") || message.topic.contains("/responses/") ? .hold : .deliver
                }
                let gateways = try (0..<2).map { number in
                    var configuration = stage.configuration
                    configuration.stateFile = "\(stage.directory)/\(number).json"
                    return try Gateway(configuration: configuration, broker: stage.broker.client("g\(number)"))
                }
                try FileManager.default.createDirectory(
                    atPath: stage.directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                let runs = gateways.map { gateway in Task { await gateway.run() } }
                try await Patience.wait(for: "both") { gateways.allSatisfy(\.isOnline) }
                stage.broker.setDisposition { _, _ in .deliver }
                stage.broker.releaseHeld()
                try await Patience.wait(for: "the end of one") { gateways.count(where: \.isEnding) == 1 }
                let stayed = try #require(gateways.first { !$0.isEnding })
                try await Patience.wait(for: "the status of the other") { stage.status?.instance == stayed.instance }
                for gateway in gateways { gateway.end() }
                var ends: [GatewayEnd] = []
                for run in runs { ends.append(await run.value) }
                #expect(Set(ends) == [.ended, .nameTaken(Stage.name)])
            }
        }

        @Test("A status that a killed gateway left behind holds nobody up for long")
        func leftBehind() async throws {
            let room = try await Room()
            try await BluetoothActor.run {
                let stage = Stage(room)
                defer { try? FileManager.default.removeItem(atPath: stage.directory) }
                let old = GatewayStatus(state: .online, instance: .random())
                stage.broker.publish(
                    BrokerMessage(
                        topic: Topics.standard.status(Stage.name), payload: try old.payload(), isRetained: true))
                try stage.start()
                try await stage.isOnline()
                #expect(stage.status?.instance != old.instance)
                await stage.end()
            }
        }

        @Test("A will that comes late does not take the gateway offline")
        func lateWill() async throws {
            try await Stage.run { stage in
                let will = GatewayStatus(state: .offline, instance: .random())
                stage.broker.publish(
                    BrokerMessage(
                        topic: Topics.standard.status(Stage.name), payload: try will.payload(), isRetained: true))
                try await stage.isOnline()
            }
        }

        @Test("A broker that refuses the gateway ends it, with its reason, and the next can use its state file")
        func refused() async throws {
            let room = try await Room()
            try await BluetoothActor.run {
                let stage = Stage(room)
                defer { try? FileManager.default.removeItem(atPath: stage.directory) }
                var gateways: [Gateway] = []
                for error in [
                    BrokerError(.badCredentials, "The password is wrong"),
                    BrokerError(.unsupportedVersion, "The broker does not speak MQTT 5"),
                ] {
                    stage.broker.refuse("refused", error)
                    let gateway = try Gateway(
                        configuration: stage.configuration, broker: stage.broker.client("refused"))
                    #expect(await gateway.run() == .refused(error))
                    gateways.append(gateway)
                }
            }
        }

        @Test("A response that is too large for the broker is replaced by a failure")
        func largeResponse() async throws {
            try await Stage.run { stage in
                let remote = try await stage.remote()
                let connected = try await remote.connect()
                stage.broker.setRefusal { message, _ in
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
            try await Stage.run { stage in
                let remote = try await stage.remote()
                let refusals = Lock(0)
                stage.broker.setRefusal { message, _ in
                    guard message.topic.hasSuffix("/status") else { return nil }
                    return refusals.withLock { count in
                        count += 1
                        return count <= 2 ? BrokerError(.quotaExceeded, "The broker is full") : nil
                    }
                }
                _ = try await remote.connect()
                try await Patience.wait(for: "the status") { stage.status?.free == 9 }
                #expect(refusals.withLock { $0 } == 3)
            }
        }

        @Test("A flood of statuses by others is answered with a few of its own")
        func statusFlood() async throws {
            try await Stage.run { stage in
                let topic = Topics.standard.status(Stage.name)
                let count = Lock(0)
                stage.broker.setDisposition { message, client in
                    if client == "watcher", message.topic == topic { count.withLock { $0 += 1 } }
                    return .deliver
                }
                let watcher = stage.broker.client("watcher")
                try watcher.start(
                    will: nil, subscriptions: [BrokerSubscription(filter: topic, quality: .atLeastOnce)]
                ) { _ in }
                let other = GatewayStatus(state: .offline, instance: .random())
                let payload = try other.payload()
                for _ in 0..<500 {
                    stage.broker.publish(BrokerMessage(topic: topic, payload: payload, isRetained: true))
                }
                try await Patience.wait(for: "the status") { stage.status?.state == .online }
                #expect(count.withLock { $0 } < 530)
            }
        }

        @Test("A gateway offers 64 links at most")
        func manySlots() async throws {
            try await Stage.run { configuration in
                configuration.slots = 1000
            } _: { stage in
                #expect(stage.status?.slots == 64)
            }
        }

        @Test("Two gateways cannot share a state file, and an impossible one is an error")
        func stateFile() async throws {
            try await Stage.run { stage in
                let second = try Gateway(configuration: stage.configuration, broker: stage.broker.client("second"))
                guard case .stateFileUnusable = await second.run() else { return #expect(Bool(false)) }
                var configuration = stage.configuration
                configuration.stateFile = "/proc/nothing/leases.json"
                let third = try Gateway(configuration: configuration, broker: stage.broker.client("third"))
                guard case .stateFileUnusable = await third.run() else { return #expect(Bool(false)) }
                #expect(stage.status?.state == .online)
            }
        }

        @Test("A prefix of a wrong form is an error")
        func prefix() async throws {
            await BluetoothActor.run {
                var configuration = GatewayConfiguration(name: Stage.name, stateFile: "/tmp/none")
                configuration.prefix = "a/#"
                let client = InMemoryBroker().client("x")
                #expect(throws: BrokerError.self) { try Gateway(configuration: configuration, broker: client) }
            }
        }

        @Test("A restart of the broker, and of bluetoothd, is survived")
        func restarts() async throws {
            try await Stage.run { stage in
                let remote = try await stage.remote()
                let connected = try await remote.connect()
                stage.broker.kill()
                #expect(stage.status == nil)
                stage.broker.restart()
                try await stage.isOnline()
                let read = GatewayOperation.read(connected.link, handle: try connected.value, offset: 0)
                #expect(try await remote.succeed(read, ValueResult.self) == ValueResult([1, 2, 3]))
                await stage.room.bluez.simulateCrash()
                try await Patience.wait(for: "the event") { remote.events.last?.content == .disconnected }
                try await stage.room.bluez.restart()
                try await stage.isOnline()
                _ = try await stage.remote("attic").connect()
            }
        }

        @Test("A gateway that is lost is offline by its will; one that is released ends its links")
        func release() async throws {
            let room = try await Room()
            try await BluetoothActor.run {
                let stage = Stage(room)
                defer { try? FileManager.default.removeItem(atPath: stage.directory) }
                try stage.start()
                try await stage.isOnline()
                _ = try await stage.remote().connect()
                #expect(await room.peripheral.isConnected)
                stage.client.vanish()
                #expect(stage.status?.state == .offline)
                await stage.end()
                try await Patience.wait(for: "the end of the link") { await !room.peripheral.isConnected }
            }
        }
    }
}
