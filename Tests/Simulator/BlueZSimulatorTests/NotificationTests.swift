import BlueZDBus
import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@Suite(.virtualTime) struct SimulatorNotificationTests {
    private static let updates = "dev_BC_6A_29_AB_AB_51/service000a/char0011"

    private static func value(_ hex: String) -> String {
        "PropertiesChanged \(updates) GattCharacteristic1 {Value=0x\(hex)} []"
    }

    @Test("Notifications come while somebody is subscribed, also with the same value")
    @ClientActor func notifications() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        let none = try await fixture.client.error(ProbeFixture.updates, "GattCharacteristic1", "StopNotify")
        #expect(none == "org.bluez.Error.Failed: No notify session started")
        let wrong = try await fixture.client.error(ProbeFixture.echo, "GattCharacteristic1", "StartNotify")
        #expect(wrong == "org.bluez.Error.NotSupported: Operation is not supported")
        fixture.client.forget()
        try await fixture.client.call(ProbeFixture.updates, "GattCharacteristic1", "StartNotify")
        try await fixture.client.call(ProbeFixture.updates, "GattCharacteristic1", "StartNotify")
        let notifying = "PropertiesChanged \(Self.updates) GattCharacteristic1 {Notifying="
        #expect(fixture.client.record == [notifying + "true} []", "= StartNotify", "= StartNotify"])
        fixture.client.forget()
        let sent = await fixture.simulate { _, probe in
            probe.characteristic(ProbeFixture.uuid("0003")).map { updates in
                [1, 2, 2].map { probe.notify([$0], from: updates) }
            }
        }
        #expect(sent == [true, true, true])
        try await fixture.client.call(ProbeFixture.updates, "GattCharacteristic1", "StopNotify")
        #expect(
            fixture.client.record == [
                Self.value("01"), Self.value("02"), Self.value("02"), notifying + "false} []", "= StopNotify",
            ]
        )
        let late = await fixture.simulate { _, probe in
            probe.characteristic(ProbeFixture.uuid("0003")).map { probe.notify([9], from: $0) }
        }
        #expect(late == false)
    }

    @Test("Two clients see every notification twice, and a client that leaves ends its session")
    @ClientActor func twoClients() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        let other = try await Client(fixture.bluez.address)
        try await fixture.client.call(ProbeFixture.updates, "GattCharacteristic1", "StartNotify")
        try await other.call(ProbeFixture.updates, "GattCharacteristic1", "StartNotify")
        fixture.client.forget()
        await fixture.simulate { _, probe in
            if let updates = probe.characteristic(ProbeFixture.uuid("0003")) { probe.notify([4], from: updates) }
        }
        try await fixture.client.wait("two copies") { $0.record.count == 2 }
        #expect(fixture.client.record == [Self.value("04"), Self.value("04")])
        try await fixture.client.call(ProbeFixture.updates, "GattCharacteristic1", "StopNotify")
        fixture.client.forget()
        other.close()
        try await fixture.client.wait(for: "Notifying=false")
    }

    @Test("A session outlives the link and is armed again with the next one")
    @ClientActor func restoredSession() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        try await fixture.client.call(ProbeFixture.updates, "GattCharacteristic1", "StartNotify")
        await fixture.simulate { _, probe in probe.simulateDisconnection() }
        try await fixture.client.wait(for: "Connected=false")
        let again = try await fixture.client.error(ProbeFixture.updates, "GattCharacteristic1", "StartNotify")
        #expect(again == "org.bluez.Error.InProgress: In Progress")
        try await fixture.client.call(ProbeFixture.device, "Device1", "Connect")
        let isSubscribed = await fixture.simulate { _, probe in
            probe.characteristic(ProbeFixture.uuid("0003"))?.isSubscribed
        }
        #expect(isSubscribed == true)
        await fixture.simulate { _, probe in probe.simulateDisconnection() }
        try await fixture.client.wait("the second end") {
            $0.record.filter { $0.contains("Connected=false") }.count == 2
        }
        fixture.client.forget()
        try await fixture.client.call(ProbeFixture.updates, "GattCharacteristic1", "StopNotify")
        #expect(
            fixture.client.record == [
                "PropertiesChanged \(Self.updates) GattCharacteristic1 {Notifying=false} []", "= StopNotify",
            ]
        )
    }

    @Test("What a peripheral sends by itself ends with the subscription", arguments: ["StopNotify", "the link"])
    @ClientActor func series(end: String) async throws {
        let fixture = try await ProbeFixture()
        let sender = Sender()
        await fixture.simulate { _, probe in probe.delegate = sender }
        try await fixture.connect()
        try await fixture.client.call(ProbeFixture.updates, "GattCharacteristic1", "StartNotify")
        try await fixture.client.wait(for: "{Value=0x0001}")
        // The next begins before the next value of the first would be due.
        if end == "the link" {
            await fixture.simulate { _, probe in probe.simulateDisconnection() }
            try await fixture.client.wait(for: "Connected=false")
            // The session is armed again with the link.
            try await fixture.client.call(ProbeFixture.device, "Device1", "Connect")
        } else {
            try await fixture.client.call(ProbeFixture.updates, "GattCharacteristic1", "StopNotify")
            try await fixture.client.call(ProbeFixture.updates, "GattCharacteristic1", "StartNotify")
        }
        try await fixture.client.wait(for: "{Value=0x0103}")
        let log = await fixture.simulate { _, probe in probe.log.filter { $0.operation == .notify }.map(\.value) }
        let first = Array(log.prefix { $0[0] == 0 })
        #expect(first == first.indices.map { [0, UInt8($0)] })
        let second = Array(log.dropFirst(first.count))
        #expect(second == second.indices.map { [1, UInt8($0)] })
        withExtendedLifetime(sender) {}
    }

    @Test("A series ends when there is no value, is replaced by another, and needs a subscription")
    @ClientActor func seriesEnds() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        let start = { @SimulatorActor (probe: SimulatedPeripheral, first: UInt8) -> Bool? in
            probe.characteristic(ProbeFixture.uuid("0003")).map { updates in
                probe.notify(from: updates, every: .milliseconds(1), startingAfter: .milliseconds(1)) { index in
                    index < 3 ? [first + UInt8(index)] : nil
                }
            }
        }
        #expect(await fixture.simulate { _, probe in start(probe, 0) } == false)
        try await fixture.client.call(ProbeFixture.updates, "GattCharacteristic1", "StartNotify")
        #expect(await fixture.simulate { _, probe in [start(probe, 0), start(probe, 4)] } == [true, true])
        try await fixture.client.wait(for: "{Value=0x06}")
        #expect(await fixture.simulate { _, probe in start(probe, 8) } == true)
        try await fixture.client.wait(for: "{Value=0x0a}")
        let log = await fixture.simulate { _, probe in probe.log.filter { $0.operation == .notify }.map(\.value) }
        #expect(log == [[4], [5], [6], [8], [9], [10]])
    }

    @Test("A delegate's series replaces that of the specification")
    @ClientActor func replacedSeries() async throws {
        var specification = ProbeFixture.specification
        specification.services[0].characteristics[2].notifications = NotificationSeries(
            [[0xEE]], every: .milliseconds(1))
        let fixture = try await ProbeFixture(peripheral: specification)
        let sender = Sender()
        await fixture.simulate { _, probe in probe.delegate = sender }
        try await fixture.connect()
        try await fixture.client.call(ProbeFixture.updates, "GattCharacteristic1", "StartNotify")
        try await fixture.client.wait(for: "{Value=0x0002}")
        let log = await fixture.simulate { _, probe in probe.log.filter { $0.operation == .notify }.map(\.value) }
        #expect(log.starts(with: [[0, 0], [0, 1], [0, 2]]))
        withExtendedLifetime(sender) {}
    }

    @Test("Indications arrive like notifications")
    @ClientActor func indications() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        try await fixture.client.call(ProbeFixture.confirmations, "GattCharacteristic1", "StartNotify")
        let bits = await fixture.simulate { _, probe -> UInt16? in
            let confirmations = probe.characteristic(ProbeFixture.uuid("0004"))
            if let confirmations { probe.notify([0xAA, 0xBB], from: confirmations) }
            return confirmations?.clientConfiguration
        }
        #expect(bits == 2)
        try await fixture.client.wait(for: "{Value=0xaabb}")
    }

    @Test("Acquired notifications and writes go through packet sockets")
    @ClientActor func acquired() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        let answer = try await fixture.client.call(
            ProbeFixture.updates, "GattCharacteristic1", "AcquireNotify", [options()])
        guard case .fileDescriptor(let descriptor)? = answer.first else {
            Issue.record("no descriptor in \(answer)")
            return
        }
        #expect(answer.last == .uint16(247))
        #expect(
            fixture.client.record == [
                "PropertiesChanged \(Self.updates) GattCharacteristic1 {NotifyAcquired=true} []",
                "= AcquireNotify descriptor 247",
            ]
        )
        let refused = try await fixture.client.error(ProbeFixture.updates, "GattCharacteristic1", "StartNotify")
        #expect(refused == "org.bluez.Error.NotPermitted: Notify acquired")
        await fixture.simulate { _, probe in
            if let updates = probe.characteristic(ProbeFixture.uuid("0003")) {
                probe.notify([5, 6], from: updates)
            }
        }
        let socket = PacketSocket(descriptor)
        #expect(socket.receive() == .bytes(Data([5, 6])))
        #expect(socket.receive() == .nothing)

        let writing = try await fixture.client.call(
            ProbeFixture.commands, "GattCharacteristic1", "AcquireWrite", [options()])
        guard case .fileDescriptor(let writer)? = writing.first else {
            Issue.record("no descriptor in \(writing)")
            return
        }
        let busy = try await fixture.client.error(
            ProbeFixture.commands, "GattCharacteristic1", "WriteValue", [.bytes([1]), options()])
        #expect(busy == "org.bluez.Error.NotPermitted: Write acquired")
        #expect(PacketSocket(writer).send([7, 8, 9]))
        try await fixture.written([7, 8, 9], to: ProbeFixture.uuid("0006"))
        await fixture.simulate { _, probe in probe.simulateDisconnection() }
        try await fixture.client.wait(for: "NotifyAcquired=false")
        try await fixture.client.wait(for: "WriteAcquired=false")
        #expect(socket.receive() == .end)
    }
}

/// Sends which subscription it is, and how many values were sent in it.
@SimulatorActor private final class Sender: SimulatedPeripheralDelegate {
    private var subscriptions: UInt8 = 0

    nonisolated init() {}

    func peripheral(_ peripheral: SimulatedPeripheral, didSubscribeTo characteristic: SimulatedCharacteristic) {
        let number = subscriptions
        subscriptions += 1
        peripheral.notify(from: characteristic, every: .milliseconds(100)) { [number, UInt8($0 % 250)] }
    }
}

extension ProbeFixture {
    /// Waits until the peripheral got the value, with a ping over the bus in between.
    func written(_ value: [UInt8], to uuid: BluetoothUUID) async throws {
        for _ in 0..<1000 {
            if await simulate({ _, probe in probe.characteristic(uuid)?.value }) == value { return }
            try await client.call("/", "org.freedesktop.DBus.Peer", "Ping")
        }
        Issue.record("\(value) was not written to \(uuid)")
    }
}
