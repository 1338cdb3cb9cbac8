import BlueZSimulator
import DBus
import FoundationEssentials
import Testing

@Suite struct SimulatorNotificationTests {
    private static let updates = "dev_BC_6A_29_AB_AB_51/service000a/char0011"

    private static func value(_ hex: String) -> String {
        "PropertiesChanged \(updates) GattCharacteristic1 {Value=0x\(hex)} []"
    }

    @Test("Notifications come while somebody is subscribed, also with the same value")
    func notifications() async throws {
        try await ClientActor.run {
            let scene = try await Scene()
            try await scene.connect()
            let none = try await scene.client.error(Scene.updates, "GattCharacteristic1", "StopNotify")
            #expect(none == "org.bluez.Error.Failed: No notify session started")
            let wrong = try await scene.client.error(Scene.echo, "GattCharacteristic1", "StartNotify")
            #expect(wrong == "org.bluez.Error.NotSupported: Operation is not supported")
            scene.client.forget()
            try await scene.client.call(Scene.updates, "GattCharacteristic1", "StartNotify")
            try await scene.client.call(Scene.updates, "GattCharacteristic1", "StartNotify")
            let notifying = "PropertiesChanged \(Self.updates) GattCharacteristic1 {Notifying="
            #expect(scene.client.record == [notifying + "true} []", "= StartNotify", "= StartNotify"])
            scene.client.forget()
            let sent = await scene.simulate { _, probe in
                probe.characteristic(Scene.uuid("0003")).map { updates in
                    [1, 2, 2].map { probe.notify([$0], from: updates) }
                }
            }
            #expect(sent == [true, true, true])
            try await scene.client.call(Scene.updates, "GattCharacteristic1", "StopNotify")
            #expect(
                scene.client.record == [
                    Self.value("01"), Self.value("02"), Self.value("02"), notifying + "false} []", "= StopNotify",
                ]
            )
            let late = await scene.simulate { _, probe in
                probe.characteristic(Scene.uuid("0003")).map { probe.notify([9], from: $0) }
            }
            #expect(late == false)
        }
    }

    @Test("Two clients see every notification twice, and a client that leaves ends its session")
    func twoClients() async throws {
        try await ClientActor.run {
            let scene = try await Scene()
            try await scene.connect()
            let other = try await Client(scene.bluez.address)
            try await scene.client.call(Scene.updates, "GattCharacteristic1", "StartNotify")
            try await other.call(Scene.updates, "GattCharacteristic1", "StartNotify")
            scene.client.forget()
            await scene.simulate { _, probe in
                if let updates = probe.characteristic(Scene.uuid("0003")) { probe.notify([4], from: updates) }
            }
            try await scene.client.wait("two copies") { $0.record.count == 2 }
            #expect(scene.client.record == [Self.value("04"), Self.value("04")])
            try await scene.client.call(Scene.updates, "GattCharacteristic1", "StopNotify")
            scene.client.forget()
            other.close()
            try await scene.client.wait(for: "Notifying=false")
        }
    }

    @Test("A session outlives the link and is armed again with the next one")
    func restoredSession() async throws {
        try await ClientActor.run {
            let scene = try await Scene()
            try await scene.connect()
            try await scene.client.call(Scene.updates, "GattCharacteristic1", "StartNotify")
            await scene.simulate { _, probe in probe.simulateDisconnection() }
            try await scene.client.wait(for: "Connected=false")
            let again = try await scene.client.error(Scene.updates, "GattCharacteristic1", "StartNotify")
            #expect(again == "org.bluez.Error.InProgress: In Progress")
            try await scene.client.call(Scene.device, "Device1", "Connect")
            let isSubscribed = await scene.simulate { _, probe in
                probe.characteristic(Scene.uuid("0003"))?.isSubscribed
            }
            #expect(isSubscribed == true)
            await scene.simulate { _, probe in probe.simulateDisconnection() }
            try await scene.client.wait("the second end") {
                $0.record.filter { $0.contains("Connected=false") }.count == 2
            }
            scene.client.forget()
            try await scene.client.call(Scene.updates, "GattCharacteristic1", "StopNotify")
            #expect(
                scene.client.record == [
                    "PropertiesChanged \(Self.updates) GattCharacteristic1 {Notifying=false} []", "= StopNotify",
                ]
            )
        }
    }

    @Test("What a peripheral sends by itself ends with the subscription", arguments: ["StopNotify", "the link"])
    func series(end: String) async throws {
        try await ClientActor.run {
            let scene = try await Scene()
            let sender = Sender()
            await scene.simulate { _, probe in probe.delegate = sender }
            try await scene.connect()
            try await scene.client.call(Scene.updates, "GattCharacteristic1", "StartNotify")
            try await scene.client.wait(for: "{Value=0x0001}")
            // The next begins before the next value of the first would be due.
            if end == "the link" {
                await scene.simulate { _, probe in probe.simulateDisconnection() }
                try await scene.client.wait(for: "Connected=false")
                // The session is armed again with the link.
                try await scene.client.call(Scene.device, "Device1", "Connect")
            } else {
                try await scene.client.call(Scene.updates, "GattCharacteristic1", "StopNotify")
                try await scene.client.call(Scene.updates, "GattCharacteristic1", "StartNotify")
            }
            try await scene.client.wait(for: "{Value=0x0103}")
            let log = await scene.simulate { _, probe in probe.log.filter { $0.operation == .notify }.map(\.value) }
            let first = Array(log.prefix { $0[0] == 0 })
            #expect(first == first.indices.map { [0, UInt8($0)] })
            let second = Array(log.dropFirst(first.count))
            #expect(second == second.indices.map { [1, UInt8($0)] })
            withExtendedLifetime(sender) {}
        }
    }

    @Test("A series ends when there is no value, is replaced by another, and needs a subscription")
    func seriesEnds() async throws {
        try await ClientActor.run {
            let scene = try await Scene()
            try await scene.connect()
            let start = { @SimulatorActor (probe: SimulatedPeripheral, first: UInt8) -> Bool? in
                probe.characteristic(Scene.uuid("0003")).map { updates in
                    probe.notify(from: updates, every: .milliseconds(1), startingAfter: .milliseconds(1)) { index in
                        index < 3 ? [first + UInt8(index)] : nil
                    }
                }
            }
            #expect(await scene.simulate { _, probe in start(probe, 0) } == false)
            try await scene.client.call(Scene.updates, "GattCharacteristic1", "StartNotify")
            #expect(await scene.simulate { _, probe in [start(probe, 0), start(probe, 4)] } == [true, true])
            try await scene.client.wait(for: "{Value=0x06}")
            #expect(await scene.simulate { _, probe in start(probe, 8) } == true)
            try await scene.client.wait(for: "{Value=0x0a}")
            let log = await scene.simulate { _, probe in probe.log.filter { $0.operation == .notify }.map(\.value) }
            #expect(log == [[4], [5], [6], [8], [9], [10]])
        }
    }

    @Test("Indications arrive like notifications")
    func indications() async throws {
        try await ClientActor.run {
            let scene = try await Scene()
            try await scene.connect()
            try await scene.client.call(Scene.confirmations, "GattCharacteristic1", "StartNotify")
            let bits = await scene.simulate { _, probe -> UInt16? in
                let confirmations = probe.characteristic(Scene.uuid("0004"))
                if let confirmations { probe.notify([0xAA, 0xBB], from: confirmations) }
                return confirmations?.clientConfiguration
            }
            #expect(bits == 2)
            try await scene.client.wait(for: "{Value=0xaabb}")
        }
    }

    @Test("Acquired notifications and writes go through packet sockets")
    func acquired() async throws {
        try await ClientActor.run {
            let scene = try await Scene()
            try await scene.connect()
            let answer = try await scene.client.call(
                Scene.updates, "GattCharacteristic1", "AcquireNotify", [options()])
            guard case .fileDescriptor(let descriptor)? = answer.first else {
                Issue.record("no descriptor in \(answer)")
                return
            }
            #expect(answer.last == .uint16(247))
            #expect(
                scene.client.record == [
                    "PropertiesChanged \(Self.updates) GattCharacteristic1 {NotifyAcquired=true} []",
                    "= AcquireNotify descriptor 247",
                ]
            )
            let refused = try await scene.client.error(Scene.updates, "GattCharacteristic1", "StartNotify")
            #expect(refused == "org.bluez.Error.NotPermitted: Notify acquired")
            await scene.simulate { _, probe in
                if let updates = probe.characteristic(Scene.uuid("0003")) { probe.notify([5, 6], from: updates) }
            }
            let socket = PacketSocket(descriptor)
            #expect(socket.receive() == .bytes(Data([5, 6])))
            #expect(socket.receive() == .nothing)

            let writing = try await scene.client.call(
                Scene.commands, "GattCharacteristic1", "AcquireWrite", [options()])
            guard case .fileDescriptor(let writer)? = writing.first else {
                Issue.record("no descriptor in \(writing)")
                return
            }
            let busy = try await scene.client.error(
                Scene.commands, "GattCharacteristic1", "WriteValue", [.bytes([1]), options()])
            #expect(busy == "org.bluez.Error.NotPermitted: Write acquired")
            #expect(PacketSocket(writer).send([7, 8, 9]))
            try await scene.written([7, 8, 9], to: Scene.uuid("0006"))
            await scene.simulate { _, probe in probe.simulateDisconnection() }
            try await scene.client.wait(for: "NotifyAcquired=false")
            try await scene.client.wait(for: "WriteAcquired=false")
            #expect(socket.receive() == .end)
        }
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

extension Scene {
    /// Waits until the peripheral got the value, with a ping over the bus in between.
    func written(_ value: [UInt8], to uuid: BluetoothUUID) async throws {
        for _ in 0..<1000 {
            if await simulate({ _, probe in probe.characteristic(uuid)?.value }) == value { return }
            try await client.call("/", "org.freedesktop.DBus.Peer", "Ping")
        }
        Issue.record("\(value) was not written to \(uuid)")
    }
}
