import BlueZDBus
import CoreBlueZ
import Foundation
import GatewayProtocol
import TestSupport
import Testing

@testable import Fleet

@Suite("A fleet and gateways that are not what they say")
struct FalseGatewayTests {
    @Test("Numbers beyond all bounds, and text that D-Bus does not have, do no harm")
    func bounds() async throws {
        try await FleetFixture.with([], { $0.lease = Patience.scaled(.seconds(1)) }) { fixture, central in
            let gateway = try FalseGateway("false", fixture.broker)
            gateway.answer("connect", #"{"link":1,"lease":\#(Int.max),"state":{"modalias":"a\u0000b"}}"#)
            try await central.waitUntilPoweredOn(timeout: Patience.timeout)
            let thing = try await central.firstPeripheral(timeout: Patience.timeout) { _, _ in true }
            await #expect(throws: BluetoothError.self) {
                try await thing.connect(options: ConnectOptions(timeout: .seconds(2), retries: 0))
            }
            gateway.answer("connect", #"{"link":1,"lease":\#(Int.max),"state":{}}"#)
            gateway.answer(
                "renew",
                #"{"links":[{"device":"\#(FalseGateway.device)","link":1,"sequence":\#(UInt64.max)}],"lease":\#(Int.max)}"#
            )
            try await thing.connect(options: ConnectOptions(timeout: Patience.timeout))
            let renewals = gateway.count("renew")
            try await Patience.wait(for: "three renewals") { gateway.count("renew") >= renewals + 3 }
            gateway.publishEvent(.max, to: await fixture.fleet.client)
            #expect(thing.isConnected)
            #expect(central.peripherals.count == 1)
            gateway.answer("renew", #"{"links":[],"lease":\#(Int.min)}"#)
            try await Patience.wait(for: "the loss of the link") { !thing.isConnected }
        }
    }

    @Test("Lost events in quick succession cause one request for the services at a time")
    func gaps() async throws {
        try await FleetFixture.with([]) { fixture, central in
            let gateway = try FalseGateway("false", fixture.broker)
            let thing = try await central.connectFirst()
            try await Patience.wait(for: "the first request for the services") { gateway.count("discover") == 1 }
            gateway.ignore("discover")
            for number in UInt64(1)...20 { gateway.publishEvent(number * 10, to: await fixture.fleet.client) }
            try await Patience.wait(for: "a request for the services") { gateway.count("discover") > 1 }
            try await thing.disconnect()
            #expect(gateway.count("discover") == 2)
        }
    }

    @Test("If the services cannot be asked for after a lost event, the link ends: nobody knows them any longer")
    func lostDiscovery() async throws {
        try await FleetFixture.with([], { $0.timeouts.discover = Patience.scaled(.seconds(1)) }) { fixture, central in
            let gateway = try FalseGateway("false", fixture.broker)
            let thing = try await central.connectFirst()
            try await Patience.wait(for: "the first request for the services") { gateway.count("discover") == 1 }
            gateway.ignore("discover")
            gateway.publishEvent(10, to: await fixture.fleet.client)
            try await Patience.wait(for: "the loss of the link") { !thing.isConnected }
            try await Patience.wait(for: "its end on the gateway") { gateway.count("disconnect") == 1 }
        }
    }

    @Test("A gateway whose status is removed is gone, and what it publishes then is not heard")
    func removal() async throws {
        try await FleetFixture.with([], { $0.timeouts.absence = .milliseconds(50) }) { fixture, central in
            let gateway = try FalseGateway("false", fixture.broker)
            let device = BluetoothAddress(FalseGateway.device)
            try await central.waitUntilPoweredOn(timeout: Patience.timeout)
            gateway.publishAdvertisement()
            try await Patience.wait(for: "the advertisement") { await fixture.fleet.hearing(device) == ["false"] }
            gateway.publishStatus("")
            try await Patience.wait(for: "the end of the gateway") { await fixture.fleet.hearing(device) == [] }
            gateway.publishAdvertisement()
            // What comes after the advertisement shows that it has been looked at.
            let second = try FalseGateway("second", fixture.broker)
            second.publishAdvertisement()
            try await Patience.wait(for: "the second one") { await fixture.fleet.hearing(device) == ["second"] }
        }
    }

    @Test("The broker keeps a request only as long as its answer is waited for")
    func expiry() async throws {
        try await FleetFixture.with([], { $0.timeouts.value = .seconds(2) }) { fixture, central in
            let gateway = try FalseGateway("false", fixture.broker)
            let base = "-0000-1000-8000-00805f9b34fb"
            let level = #"{"handle":2,"uuid":"00002a19\#(base)","flags":["read"],"descriptors":[]}"#
            let battery =
                #"{"handle":1,"uuid":"0000180f\#(base)","primary":true,"includes":[],"characteristics":[\#(level)]}"#
            gateway.answer("discover", #"{"services":[\#(battery)],"state":{}}"#)
            let thing = try await central.connectThing()
            #expect((gateway.expiry("connect") ?? 0) > 30)
            await #expect(throws: BluetoothError.self) { try await thing[0x180F]?[0x2A19]?.readValue() }
            let expiry = try #require(gateway.expiry("read"))
            #expect((1...2).contains(expiry))
        }
    }

    @Test("A connection under way when its gateway starts again ends as unknown")
    func restart() async throws {
        try await FleetFixture.with([]) { fixture, central in
            let gateway = try FalseGateway("false", fixture.broker)
            gateway.ignore("connect")
            try await central.waitUntilPoweredOn(timeout: Patience.timeout)
            let thing = try await central.firstPeripheral(timeout: Patience.timeout) { _, _ in true }
            let ended = Lock(BluetoothError?.none)
            thing.connect(options: ConnectOptions(timeout: Patience.timeout, retries: 0)) { error in
                ended.withLock { $0 = error }
            }
            try await Patience.wait(for: "the request") { gateway.count("connect") == 1 }
            gateway.restart()
            try await Patience.wait(for: "the end") { ended.withLock { $0 } != nil }
            #expect(ended.withLock { $0?.bluezName } == "org.freedesktop.DBus.Error.Timeout")
        }
    }

    @Test("What an earlier instance of a gateway heard is not taken")
    func earlierInstance() async throws {
        try await FleetFixture.with([]) { fixture, central in
            let first = try FalseGateway("first", fixture.broker)
            let device = BluetoothAddress(FalseGateway.device)
            try await central.waitUntilPoweredOn(timeout: Patience.timeout)
            let late = try #require(first.restart())
            fixture.broker.publish(late)
            // What comes after the advertisement shows that it has been looked at.
            let second = try FalseGateway("second", fixture.broker)
            second.publishAdvertisement()
            try await Patience.wait(for: "the second one") { await fixture.fleet.hearing(device) != [] }
            #expect(await fixture.fleet.hearing(device) == ["second"])
        }
    }

    @Test("A gateway that speaks another version is not used")
    func otherVersion() async throws {
        try await FleetFixture.with([]) { fixture, central in
            let other = try FalseGateway("other", fixture.broker, version: 2)
            let device = BluetoothAddress(FalseGateway.device)
            try await Patience.wait(for: "the adapter") { central.state == .poweredOff }
            try await Patience.wait(for: "the broker") { await fixture.fleet.isConnected }
            other.publishAdvertisement()
            // What comes after the advertisement shows that it has been looked at.
            let second = try FalseGateway("second", fixture.broker)
            second.publishAdvertisement()
            try await Patience.wait(for: "the second one") { await fixture.fleet.hearing(device) != [] }
            #expect(await fixture.fleet.hearing(device) == ["second"])
            #expect(other.count("hello") == 0)
        }
    }

    @Test("A fleet that the broker refuses ends, and says why")
    func refusal() async throws {
        let broker = InMemoryBroker()
        let configuration = FleetConfiguration(name: try #require(GatewayName("fleet")))
        let fleet = try await Fleet(configuration: configuration, broker: broker.client("fleet"))
        let end = Lock(FleetEnd?.none)
        let run = Task {
            let reason = await fleet.run()
            end.withLock { $0 = reason }
        }
        let error = BrokerError(.badCredentials, "The broker refuses the user name or password")
        broker.kill()
        broker.refuse("fleet", error)
        broker.restart()
        try await Patience.wait(for: "the end") { end.withLock { $0 } == .refused(error) }
        await run.value
    }
}
