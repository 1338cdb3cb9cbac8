import CoreBlueZ
import DBus
import Foundation
import GatewayProtocol
import TestSupport
import Testing

@testable import Fleet

@Suite("A fleet and gateways that are not what they say")
struct FalseGatewayTests {
    @Test("Numbers beyond all bounds, and text that D-Bus does not have, do no harm")
    func bounds() async throws {
        try await FleetScene.with([], { $0.lease = .seconds(1) }) { scene, central in
            let gateway = try FalseGateway("false", scene.broker)
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
            gateway.publishEvent(.max, to: await scene.fleet.client)
            #expect(thing.isConnected)
            #expect(central.peripherals.count == 1)
            gateway.answer("renew", #"{"links":[],"lease":\#(Int.min)}"#)
            try await Patience.wait(for: "the loss of the link") { !thing.isConnected }
        }
    }

    @Test("Lost events in quick succession cause one request for the services at a time")
    func gaps() async throws {
        try await FleetScene.with([]) { scene, central in
            let gateway = try FalseGateway("false", scene.broker)
            try await central.waitUntilPoweredOn(timeout: Patience.timeout)
            let thing = try await central.firstPeripheral(timeout: Patience.timeout) { _, _ in true }
            try await thing.connect(options: ConnectOptions(timeout: Patience.timeout))
            try await Patience.wait(for: "the first request for the services") { gateway.count("discover") == 1 }
            gateway.ignore("discover")
            for number in UInt64(1)...20 { gateway.publishEvent(number * 10, to: await scene.fleet.client) }
            try await Patience.wait(for: "a request for the services") { gateway.count("discover") > 1 }
            try await thing.disconnect()
            #expect(gateway.count("discover") == 2)
        }
    }

    @Test("A gateway whose status is removed is gone, and what it publishes then is not heard")
    func removal() async throws {
        try await FleetScene.with([], { $0.timeouts.absence = .milliseconds(50) }) { scene, central in
            let gateway = try FalseGateway("false", scene.broker)
            let device = DeviceAddress(FalseGateway.device)
            try await central.waitUntilPoweredOn(timeout: Patience.timeout)
            gateway.publishAdvertisement()
            try await Patience.wait(for: "the advertisement") { await scene.fleet.hearing(device) == ["false"] }
            gateway.publishStatus("")
            try await Patience.wait(for: "the end of the gateway") { await scene.fleet.hearing(device) == [] }
            gateway.publishAdvertisement()
            // What comes after the advertisement shows that it has been looked at.
            let second = try FalseGateway("second", scene.broker)
            second.publishAdvertisement()
            try await Patience.wait(for: "the second one") { await scene.fleet.hearing(device) == ["second"] }
        }
    }
}
