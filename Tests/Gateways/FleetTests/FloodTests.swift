import BlueZDBus
import BlueZServer
import CoreBlueZ
import Foundation
import GatewayProtocol
import TestSupport
import Testing

@testable import Fleet

@Suite("A fleet that one gateway floods")
struct FloodTests {
    /// Some 6 KB of a list of objects for each device.
    private static let data: AdvertisementData = {
        var data = AdvertisementData()
        data.serviceUUIDs = (0..<60).map { BluetoothUUID(0xFE00 + UInt16($0)) }
        data.manufacturerData = [0x0499: Data(repeating: 0xAA, count: 200)]
        return data
    }()

    @Test(
        "Invented devices use up their gateway's share; the others' devices are found and used",
        arguments: [true, false])
    func devices(isOneForAll: Bool) async throws {
        try await FleetFixture.with(["attic"], { $0.adapters = isOneForAll ? .one : .each }) { fixture, central in
            try await central.waitUntilPoweredOn(timeout: Patience.timeout)
            let flooder = try FalseGateway("flooder", fixture.broker, hears: false)
            let bus = BusAddress.address(fixture.fleet.address)
            let listener = isOneForAll ? central : CentralManager(bus: bus, adapter: "hci1")
            try await listener.waitUntilPoweredOn(timeout: Patience.timeout)
            listener.scanForPeripherals { _, _, _ in
            } completion: { _ in
            }
            try await Patience.wait(for: "the scan") { listener.isScanning }
            await keepDevices(of: fixture.fleet)
            for number in 0..<2400 {
                let text = String(hexadecimal: UInt32(number), digits: 4)
                let device = try #require(BluetoothAddress("C0:00:00:00:\(text.prefix(2)):\(text.suffix(2))"))
                flooder.publishAdvertisement(of: device, Self.data)
                // What the mailbox drops would not fill the space for objects.
                if number % 100 == 99 {
                    try await Patience.wait(for: "the devices") { await fixture.fleet.mailbox?.isEmpty == true }
                }
            }
            let bytes = await fixture.fleet.objectBytes(of: flooder.name)
            #expect(abs(bytes - GatewayLimits.objectBytes / 2) < 8192)
            listener.stopScan()
            let thing = try await central.connectThing()
            #expect(try await thing.characteristic(FleetFixture.value).readValue() == Data([1, 2, 3]))
            // A list of all objects is no longer than a message may be.
            let second = CentralManager(bus: bus)
            try await second.waitUntilPoweredOn(timeout: Patience.timeout)
            #expect(second.peripherals.contains { $0.address == thing.address && $0.isConnected })
        }
    }

    /// A machine may take longer than 30 s for all devices, after which the first would be removed.
    @BlueZServerActor private func keepDevices(of fleet: Fleet) {
        fleet.daemon.settings.timing.temporaryDevice = .seconds(3600)
    }

    @Test("UUIDs that a gateway invents at each discovery use up its share")
    func identifiers() async throws {
        try await FleetFixture.with([]) { fixture, central in
            let gateway = try FalseGateway("false", fixture.broker)
            let thing = try await central.connectFirst()
            let before = await fixture.fleet.objectBytes(of: gateway.name)
            let uuids = (0..<1000).map { BluetoothUUID(0x1000 + UInt16($0)).fullString }
            gateway.answer("discover", "{\"services\":[],\"uuids\":\(uuids),\"state\":{}}")
            try await thing.disconnect()
            try await thing.connect()
            try await Patience.wait(for: "space for 1,000 UUIDs") {
                await fixture.fleet.objectBytes(of: gateway.name) >= before + 64_000
            }
            try await Patience.wait(for: "the UUIDs") { thing.advertisement.serviceUUIDs.count == uuids.count }
        }
    }

    @Test("So many messages that the mailbox is full leave space for the messages of others")
    func messages() async throws {
        try await FleetFixture.with(["attic"]) { fixture, central in
            let flooder = try FalseGateway("flooder", fixture.broker, hears: false)
            let nobody = try #require(GatewayName("nobody-00000000"))
            let thing = try await central.connectThing()
            let updates = try thing.characteristic(FleetFixture.updates)
            var values: [Data?] = []
            updates.service?.updateHandler = { characteristic, _ in values.append(characteristic.value) }
            try await updates.setNotifyValue(true)
            for number in UInt8(0)..<2 {
                for _ in 0..<GatewayLimits.mailboxMessages { flooder.publishEvent(1, to: nobody) }
                await fixture.notify([number])
                try await Patience.wait(for: "value \(number)") { values.count == Int(number) + 1 }
            }
            #expect(values == (UInt8(0)..<2).map { Data([$0]) })
        }
    }

    @Test("Invented gateways make space for others once they are offline")
    func gateways() async throws {
        try await FleetFixture.with(
            ["attic"],
            {
                $0.adapters = .each
                $0.timeouts.absence = .milliseconds(20)
                $0.gatewayLimit = 20
            }
        ) { fixture, central in
            let thing = try await central.connectThing()
            let value = try thing.characteristic(FleetFixture.value)
            let flooder = try FalseGateway("flooder", fixture.broker, hears: false)
            for number in 0..<100 {
                let name = try #require(GatewayName("invented\(number)"))
                flooder.publishOnline(as: name)
                flooder.publishStatus("", as: name)
            }
            try await Patience.wait(for: "the end of the invented gateways") {
                await fixture.fleet.onlineCount == 2
            }
            #expect(await fixture.fleet.gateways.count <= 20)
            #expect(try await value.readValue() == Data([1, 2, 3]))
            let late = try FalseGateway("late", fixture.broker)
            try await Patience.wait(for: "the late gateway") {
                await fixture.fleet.gateways[late.name]?.isOnline == true
            }
        }
    }
}
