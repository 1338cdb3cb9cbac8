import BlueZSimulator
import CoreBlueZ
import GatewayProtocol
import TestSupport
import Testing

@testable import Fleet

/// What clients see if no gateway can be used.
@Suite("Without a gateway the adapter is off")
struct ReachTests {
    private static func short(_ configuration: inout FleetConfiguration) {
        configuration.timeouts.absence = .milliseconds(10)
        configuration.timeouts.hello = Patience.scaled(.milliseconds(500))
    }

    @Test("Without a gateway the adapter is off, and switching it on says why; the first gateway switches it on")
    func first() async throws {
        try await FleetFixture.with([], Self.short) { fixture, central in
            try await Patience.wait(for: "the adapter") { central.state == .poweredOff }
            let error = await #expect(throws: BluetoothError.self) { try await central.setPowered(true) }
            #expect(error?.bluezMessage?.contains("No gateway is online") == true)
            #expect(central.state == .poweredOff)
            let gateway = try FalseGateway("false", fixture.broker)
            try await central.waitUntilPoweredOn(timeout: Patience.timeout)
            gateway.publishStatus(#"{"version":1,"state":"online","instance":"\#(gateway.current)","powered":false}"#)
            try await Patience.wait(for: "the end of power") { central.state == .poweredOff }
        }
    }

    @Test("The last gateway that leaves switches the adapter off; what a client has switched off stays off")
    func last() async throws {
        try await FleetFixture.with([], Self.short) { fixture, central in
            let first = try FalseGateway("first", fixture.broker)
            let second = try FalseGateway("second", fixture.broker)
            try await central.waitUntilPoweredOn(timeout: Patience.timeout)
            try await Patience.wait(for: "both") { await fixture.fleet.onlineCount == 2 }
            first.publishOffline()
            try await Patience.wait(for: "the first one's end") { await fixture.fleet.onlineCount == 1 }
            #expect(central.state == .poweredOn)
            second.publishOffline()
            try await Patience.wait(for: "the end of power") { central.state == .poweredOff }
            second.publishOnline()
            try await central.waitUntilPoweredOn(timeout: Patience.timeout)
            try await central.setPowered(false)
            second.publishOffline()
            try await Patience.wait(for: "the second one's end") { await fixture.fleet.onlineCount == 0 }
            second.publishOnline()
            try await Patience.wait(for: "its return") { await fixture.fleet.onlineCount == 1 }
            // The adapter's change would come before the reply.
            try await central.setPowered(false)
            #expect(central.state == .poweredOff)
            try await central.setPowered(true)
            try await central.waitUntilPoweredOn(timeout: Patience.timeout)
        }
    }

    @Test(
        "Without the broker for as long as a lease no gateway is reachable; with it they are again",
        arguments: FleetConfiguration.Adapters.allCases)
    func broker(adapters: FleetConfiguration.Adapters) async throws {
        let change: (inout FleetConfiguration) -> Void = {
            Self.short(&$0)
            $0.adapters = adapters
            $0.lease = .seconds(1)
        }
        try await FleetFixture.with([], change) { fixture, central in
            _ = try FalseGateway("false", fixture.broker)
            try await central.waitUntilPoweredOn(timeout: Patience.timeout)
            fixture.broker.cut("fleet")
            try await Patience.wait(for: "the end of power") { central.state != .poweredOn }
            #expect(await fixture.fleet.onlineCount == 0)
            fixture.broker.reconnect("fleet")
            try await central.waitUntilPoweredOn(timeout: Patience.timeout)
        }
    }

    @Test(
        "Who waits for a gateway goes on when one is online, after the time, and at the fleet's end",
        .timeLimit(.minutes(5)))
    func waiting() async throws {
        try await FleetFixture.with([], Self.short) { fixture, _ in
            await fixture.fleet.waitForGateway(timeout: .milliseconds(1))
            #expect(await fixture.fleet.onlineCount == 0)
            let waiting = Task { await fixture.fleet.waitForGateway(timeout: .seconds(86400)) }
            _ = try FalseGateway("false", fixture.broker)
            await waiting.value
            #expect(await fixture.fleet.onlineCount == 1)
        }
        try await FleetFixture.with([], Self.short) { fixture, _ in
            let waiting = Task { await fixture.fleet.waitForGateway(timeout: .seconds(86400)) }
            await fixture.fleet.end()
            await waiting.value
        }
    }

    @Test("A connection that fails names the gateway, and one that no gateway could try says so")
    func names() async throws {
        let change: (inout FleetConfiguration) -> Void = {
            Self.short(&$0)
            $0.timeouts.connect = Patience.scaled(.seconds(3))
        }
        try await FleetFixture.with(["attic"], slots: 1, change) { fixture, central in
            try await SimulatorActor.run {
                _ = try fixture.gateway.bluez.add(FleetFixture.specification("BC:6A:29:00:00:02"))
            }
            try await central.waitUntilPoweredOn(timeout: Patience.timeout)
            // On a slow machine, the fleet's timeout would otherwise be as long as that of a device that is not heard.
            central.client.timeouts.advertisement = Patience.timeout
            let thing = try await central.firstPeripheral(timeout: Patience.timeout) { found, _ in
                found.address == BluetoothAddress("BC:6A:29:00:00:01")
            }
            await fixture.gateway.perform {
                $0.peripheral.connectionFault = .failure("le-connection-abort-by-local", after: .zero)
            }
            let options = ConnectOptions(timeout: Patience.timeout, retries: 0)
            var error = await #expect(throws: BluetoothError.self) { try await thing.connect(options: options) }
            #expect(error?.bluezMessage == "The gateway attic: le-connection-abort-by-local")
            _ = try await central.connectThing(at: BluetoothAddress("BC:6A:29:00:00:02"))
            error = await #expect(throws: BluetoothError.self) { try await thing.connect(options: options) }
            #expect(error?.bluezMessage?.hasPrefix("No free link") == true)
            #expect(error?.bluezMessage?.contains("attic") == true)
            #expect(error?.code == .connectionFailed)
        }
    }
}

extension FalseGateway {
    /// Its instance, in a status.
    var current: String { "\(instance)" }

    func publishOffline() {
        publishStatus(#"{"version":1,"state":"offline","instance":"\#(current)"}"#)
    }
}
