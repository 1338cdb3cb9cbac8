import BlueZDBus
import BlueZServer
import BlueZSimulator
import CoreBlueZ
import Foundation
import GatewayProtocol
import TestSupport
import Testing

@testable import Fleet

@Suite("A fleet, with gateways, a broker and simulated peripherals")
struct FleetTests {
    @Test(
        "A peripheral in a gateway's room is found, read, written and subscribed to",
        arguments: FleetConfiguration.Adapters.allCases)
    func use(adapters: FleetConfiguration.Adapters) async throws {
        try await FleetFixture.with(["attic"], { $0.adapters = adapters }) { fixture, central in
            let thing = try await central.connectThing()
            #expect(thing.name == "Thing")
            let value = try thing.characteristic(FleetFixture.value)
            #expect(try await value.readValue() == Data([1, 2, 3]))
            try await value.writeValue(Data([4, 5]), type: .withResponse)
            #expect(try await value.readValue() == Data([4, 5]))
            let descriptors = try await value.discoverDescriptors()
            #expect(try await descriptors.first { $0.uuid == 0x2901 }?.readValue() == Data([0x41]))
            let updates = try thing.characteristic(FleetFixture.updates)
            let values = try await updates.notifications()
            await fixture.notify([7])
            var iterator = values.makeAsyncIterator()
            #expect(try await iterator.next() == Data([7]))
            try await thing.disconnect()
            try await Patience.wait(for: "the end of the link") { await !fixture.gateway.peripheral.isConnected }
        }
    }

    @Test("What a device answers reaches the client unchanged")
    func errors() async throws {
        try await FleetFixture.with { fixture, central in
            let thing = try await central.connectThing()
            await SimulatorActor.run {
                fixture.gateway.peripheral.characteristic(FleetFixture.value)?.faults.readError = ATTError(
                    rawValue: 0x80)
            }
            let value = try thing.characteristic(FleetFixture.value)
            let error = await #expect(throws: BluetoothError.self) { try await value.readValue() }
            #expect(error?.bluezName == "org.bluez.Error.Failed")
            #expect(error?.bluezMessage == "Operation failed with ATT error: 0x80")
        }
    }

    @Test("A device that wants to be paired says so through a fleet", arguments: [false, true])
    func unpaired(writes: Bool) async throws {
        try await FleetFixture.with { fixture, central in
            let thing = try await central.connectThing()
            // Bluetoothd removes the device this time after the link's end, as nobody pairs it.
            await fixture.gateway.perform { $0.bluez.timing.temporaryDevice = .milliseconds(30) }
            let secret = try thing.characteristic(FleetFixture.secret)
            let error = await #expect(throws: BluetoothError.self) {
                if writes { try await secret.writeValue(Data([1])) } else { _ = try await secret.readValue() }
            }
            #expect(error?.code == .insufficientSecurity)
            #expect(error?.bluezMessage == "Not paired")
        }
    }

    @Test("Bluetoothd on the gateway gives up before the fleet does")
    func limits() {
        // Bluetoothd waits 30 s for a device, the application 35 s for the fleet.
        let limit = FleetTimeouts().value
        #expect(limit > .seconds(31))
        #expect(limit < .seconds(35))
    }

    /// The answers to a value's request are given up soon; a lease whose renewals have no answer either lasts longer.
    private static func shortValueTimeout(_ configuration: inout FleetConfiguration) {
        configuration.timeouts.value = Patience.scaled(.seconds(1))
        configuration.timeouts.confirmation = .seconds(600)
        configuration.lease = .seconds(600)
    }

    @Test("A write whose answer is lost ends as unknown, and is carried out once")
    func lostAnswer() async throws {
        try await FleetFixture.with(["attic"], Self.shortValueTimeout) { fixture, central in
            let thing = try await central.connectThing()
            let value = try thing.characteristic(FleetFixture.value)
            fixture.broker.setDisposition { message, _ in message.topic.contains("/responses/") ? .drop : .deliver }
            let error = await #expect(throws: BluetoothError.self) {
                try await value.writeValue(Data([9]), type: .withResponse)
            }
            #expect(error?.code == .timedOut)
            #expect(error?.bluezName == "org.freedesktop.DBus.Error.Timeout")
            #expect(error?.bluezMessage?.contains("not known") == true)
            #expect(await fixture.count(.write, FleetFixture.value) == 1)
        }
    }

    @Test("A request that is delivered twice is carried out once")
    func duplicates() async throws {
        try await FleetFixture.with { fixture, central in
            fixture.broker.setDisposition { _, _ in .duplicate }
            let thing = try await central.connectThing()
            let value = try thing.characteristic(FleetFixture.value)
            for number in UInt8(1)...5 { try await value.writeValue(Data([number]), type: .withResponse) }
            #expect(await fixture.count(.write, FleetFixture.value) == 5)
            let updates = try thing.characteristic(FleetFixture.updates)
            let values = try await updates.notifications()
            for number in UInt8(1)...5 { await fixture.notify([number]) }
            var iterator = values.makeAsyncIterator()
            for number in UInt8(1)...5 { #expect(try await iterator.next() == Data([number])) }
        }
    }

    @Test("A request that cannot be sent fails as such, and is not sent later")
    func unsent() async throws {
        try await FleetFixture.with(["attic"], Self.shortValueTimeout) { fixture, central in
            let thing = try await central.connectThing()
            let value = try thing.characteristic(FleetFixture.value)
            fixture.broker.cut("fleet")
            let error = await #expect(throws: BluetoothError.self) {
                try await value.writeValue(Data([9]), type: .withResponse)
            }
            #expect(error?.bluezName == "org.bluez.Error.Failed")
            #expect(error?.bluezMessage?.contains("was not sent") == true)
            fixture.broker.reconnect("fleet")
            #expect(try await value.readValue() == Data([1, 2, 3]))
            #expect(await fixture.count(.write, FleetFixture.value) == 0)
        }
    }

    @Test("A request that the broker does not take ends at once, and is not carried out")
    func refused() async throws {
        try await FleetFixture.with { fixture, central in
            let thing = try await central.connectThing()
            let value = try thing.characteristic(FleetFixture.value)
            fixture.broker.setRefusal { message, client in
                client == "fleet" && message.topic.contains("/requests/")
                    ? BrokerError(.quotaExceeded, "The broker is full") : nil
            }
            let error = await #expect(throws: BluetoothError.self) {
                try await value.writeValue(Data([9]), type: .withResponse)
            }
            #expect(error?.bluezName == "org.bluez.Error.Failed")
            #expect(error?.bluezMessage?.contains("was not sent: The broker is full") == true)
            #expect(thing.isConnected)
            fixture.broker.setRefusal { _, _ in nil }
            #expect(try await value.readValue() == Data([1, 2, 3]))
            #expect(await fixture.count(.write, FleetFixture.value) == 0)
        }
    }

    @Test("A request that meets the loss of the connection is sent when it is back, once")
    func returned() async throws {
        try await FleetFixture.with { fixture, central in
            let thing = try await central.connectThing()
            let value = try thing.characteristic(FleetFixture.value)
            let refusals = Lock(0)
            fixture.broker.setRefusal { message, client in
                guard client == "fleet", message.topic.contains("/requests/") else { return nil }
                return refusals.withLock { count in
                    count += 1
                    return count <= 3 ? BrokerError(.notConnected, "There is no connection") : nil
                }
            }
            try await value.writeValue(Data([9]), type: .withResponse)
            #expect(refusals.withLock { $0 } > 3)
            #expect(await fixture.count(.write, FleetFixture.value) == 1)
        }
    }

    @Test("A link whose lease cannot be renewed is lost, here and on the gateway")
    func lease() async throws {
        try await FleetFixture.with(["attic"], { $0.lease = Patience.scaled(.seconds(2)) }) { fixture, central in
            let thing = try await central.connectThing()
            fixture.broker.setDisposition { message, _ in message.topic.hasSuffix("/status") ? .deliver : .drop }
            try await Patience.wait(for: "the loss of the link") { !thing.isConnected }
            try await Patience.wait(for: "the end of the lease") { await !fixture.gateway.peripheral.isConnected }
        }
    }

    @Test("A gateway that starts again has lost its links, and is used again")
    func restart() async throws {
        // Neither a renewal nor the absence brings it to light: only the other instance.
        let change: (inout FleetConfiguration) -> Void = {
            $0.lease = .seconds(600)
            $0.timeouts.absence = .seconds(600)
        }
        try await FleetFixture.with(["attic"], change) { fixture, central in
            let thing = try await central.connectThing()
            await fixture.gateway.client?.vanish()
            await fixture.gateway.end()
            #expect(thing.isConnected)
            try await fixture.gateway.start()
            try await Patience.wait(for: "the loss of the link") { !thing.isConnected }
            // The adapter is off for the moment in which no gateway can be used.
            var again: Peripheral?
            try await Patience.wait(for: "another link") {
                again = try? await central.connectThing()
                return again != nil
            }
            #expect(try await again?.characteristic(FleetFixture.value).readValue() == Data([1, 2, 3]))
        }
    }

    @Test("A lost event is noticed: the services are asked for again, and notifications are switched on again")
    func gap() async throws {
        try await FleetFixture.with { fixture, central in
            let discoveries = Lock(0)
            let subscriptions = Lock(0)
            let losesNext = Lock(false)
            fixture.broker.setDisposition { message, _ in
                let text = String(decoding: message.payload, as: UTF8.self)
                if text.contains("\"op\":\"discover\"") { discoveries.withLock { $0 += 1 } }
                if text.contains("\"op\":\"subscribe\"") { subscriptions.withLock { $0 += 1 } }
                guard message.topic.contains("/events/") else { return .deliver }
                return losesNext.withLock { isNext in
                    defer { isNext = false }
                    return isNext ? .drop : .deliver
                }
            }
            let thing = try await central.connectThing()
            let values = try await thing.characteristic(FleetFixture.updates).notifications()
            var iterator = values.makeAsyncIterator()
            await fixture.notify([1])
            #expect(try await iterator.next() == Data([1]))
            losesNext.withLock { $0 = true }
            await fixture.notify([2])
            try await Patience.wait(for: "the loss") { losesNext.withLock { !$0 } }
            await fixture.notify([3])
            #expect(try await iterator.next() == Data([3]))
            try await Patience.wait(for: "a second discovery") { discoveries.withLock { $0 } == 2 }
            try await Patience.wait(for: "a second subscription") { subscriptions.withLock { $0 } == 2 }
            await fixture.notify([4])
            #expect(try await iterator.next() == Data([4]))
            #expect(thing.isConnected)
        }
    }

    @Test("If notifications cannot be switched on again after a lost event, the link ends: values may be missing")
    func lostSubscription() async throws {
        try await FleetFixture.with(["attic"], Self.shortValueTimeout) { fixture, central in
            let thing = try await central.connectThing()
            let values = try await thing.characteristic(FleetFixture.updates).notifications()
            var iterator = values.makeAsyncIterator()
            await fixture.notify([1])
            #expect(try await iterator.next() == Data([1]))
            let losesNext = Lock(true)
            fixture.broker.setDisposition { message, _ in
                if String(decoding: message.payload, as: UTF8.self).contains("\"op\":\"subscribe\"") { return .drop }
                guard message.topic.contains("/events/") else { return .deliver }
                return losesNext.withLock { isNext in
                    defer { isNext = false }
                    return isNext ? .drop : .deliver
                }
            }
            await fixture.notify([2])
            try await Patience.wait(for: "the loss") { losesNext.withLock { !$0 } }
            await fixture.notify([3])
            try await Patience.wait(for: "the loss of the link") { !thing.isConnected }
            try await Patience.wait(for: "its end on the gateway") { await !fixture.gateway.peripheral.isConnected }
        }
    }

    @Test("With an adapter for each gateway, one whose gateway is offline is unplugged")
    func unplugged() async throws {
        try await FleetFixture.with(["attic"], { $0.adapters = .each }) { fixture, central in
            try await central.waitUntilPoweredOn(timeout: Patience.timeout)
            await fixture.gateway.end()
            try await Patience.wait(for: "no adapter") { central.state != .poweredOn }
            try await fixture.gateway.start()
            try await central.waitUntilPoweredOn(timeout: Patience.timeout)
        }
    }

    @Test("With one adapter, a device is used through the gateway that hears it best")
    func best() async throws {
        try await FleetFixture.with(["attic", "cellar"], rssi: [-90, -40]) { fixture, central in
            try await central.waitUntilPoweredOn(timeout: Patience.timeout)
            try await Patience.wait(for: "both gateways to hear it") {
                await fixture.fleet.hearing(BluetoothAddress("BC:6A:29:00:00:01")) == ["cellar", "attic"]
            }
            _ = try await central.connectThing()
            #expect(await fixture.gateways[1].peripheral.isConnected)
            #expect(await !fixture.gateways[0].peripheral.isConnected)
        }
    }
    @Test("A gateway that has no link to spare after all: the next best one makes the link")
    func busy() async throws {
        try await FleetFixture.with(["attic", "cellar"], rssi: [-90, -40], slots: 1) { fixture, central in
            try await SimulatorActor.run {
                _ = try fixture.gateways[1].bluez.add(FleetFixture.specification("BC:6A:29:00:00:02"))
            }
            try await central.waitUntilPoweredOn(timeout: Patience.timeout)
            try await Patience.wait(for: "both gateways to hear it") {
                await fixture.fleet.hearing(BluetoothAddress("BC:6A:29:00:00:01")) == ["cellar", "attic"]
            }
            // The status that the cellar's only link is in use does not arrive.
            fixture.broker.setDisposition { message, client in
                client == "fleet" && message.topic.hasSuffix("/status") ? .drop : .deliver
            }
            _ = try await central.connectThing(at: BluetoothAddress("BC:6A:29:00:00:02"))
            _ = try await central.connectThing()
            #expect(await fixture.gateways[0].peripheral.isConnected)
            #expect(await !fixture.gateways[1].peripheral.isConnected)
        }
    }
    @Test("CancelPairing of a client ends pairing in bluetoothd on the gateway")
    func cancelledPairing() async throws {
        try await FleetFixture.with { fixture, central in
            let thing = try await central.connectThing()
            await SimulatorActor.run {
                fixture.gateway.peripheral.pairing.responds = false
                fixture.gateway.bluez.keepsCalls = true
            }
            let calls = { @SimulatorActor in fixture.gateway.bluez.calls.map(\.member) }
            let pairing = Task { @BluetoothActor in try await thing.pair(timeout: Patience.timeout) }
            try await Patience.wait(for: "Pair") { await calls().contains("Pair") }
            pairing.cancel()
            try await Patience.wait(for: "CancelPairing") { await calls().contains("CancelPairing") }
            await #expect(throws: (any Error).self) { try await pairing.value }
            #expect(thing.isConnected)
            try await Patience.wait(for: "the end of all requests") { await fixture.link?.requests.isEmpty == true }
            await SimulatorActor.run { fixture.gateway.peripheral.pairing.responds = true }
            try await thing.pair(timeout: Patience.timeout)
            #expect(thing.isPaired)
        }
    }

    @Test("Pairing leaves nothing in memory")
    func releasedPairing() async throws {
        try await FleetFixture.with { fixture, central in
            _ = try await central.connectThing()
            try await Self.expectReleasedPairing(fixture)
        }
    }

    @BlueZServerActor private static func expectReleasedPairing(_ fixture: FleetFixture) async throws {
        let link = try #require(fixture.link)
        let isPaired = Lock(false)
        var pairing: FleetPairing? = FleetPairing(link) { _ in isPaired.withLock { $0 = true } }
        weak let released = pairing
        pairing?.start()
        pairing = nil
        try await Patience.wait(for: "the end of pairing") { isPaired.withLock { $0 } }
        try await Patience.wait(for: "the pairing's release") { released == nil }
    }
}
