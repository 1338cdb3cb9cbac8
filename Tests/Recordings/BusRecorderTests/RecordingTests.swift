import BlueZDBus
import BlueZRecording
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

@testable import BusRecorder

/// What a program does on the simulator, through a recorder. One at a time: each starts a bus of its own.
@Suite(.serialized) struct RecordingTests {
    @Test("A session has the requests, the responses and the values in the order in which the client saw them")
    func session() async throws {
        try await Recorded.run { recorded in
            let (_, peripheral) = try await recorded.connected()
            let (value, updates) = (try peripheral.value(), try peripheral.updates())
            #expect(try await value.readValue() == Data([1, 2, 3]))
            try await value.writeValue(Data([9, 8]))
            #expect(try await value.readValue() == Data([9, 8]))
            var seen: [Data] = []
            try await updates.startNotifying { data, _ in if let data { seen.append(data) } }
            for number: UInt8 in 1...50 { await recorded.simulator.notify([number]) }
            try await Patience.wait(for: "50 values") { seen.count == 50 }
            try await peripheral.disconnect()

            let operations = recorded.requests.filter { $0.handle != nil }
            #expect(operations.map(\.operation) == [.read, .write, .read, .notify])
            #expect(
                operations.map(\.handle) == [value.handle + 1, value.handle + 1, value.handle + 1, updates.handle + 1])
            #expect(operations[1].value == [9, 8])
            #expect(recorded.response(to: operations[0])?.value == [1, 2, 3])
            #expect(recorded.response(to: operations[2])?.value == [9, 8])
            #expect(recorded.response(to: operations[1]) == RecordedResponse(number: operations[1].number))
            #expect(recorded.values.map(\.value) == seen.map { [UInt8]($0) })
            #expect(recorded.values.allSatisfy { $0.by == .signal && $0.handle == updates.handle + 1 })
            #expect(recorded.requests.map(\.operation).contains(.connect))
            let times = recorded.events.map(\.time)
            #expect(times == times.sorted())
        }
    }

    @Test("The link, its end, the device and its database are recorded")
    func link() async throws {
        try await Recorded.run { recorded in
            let (_, peripheral) = try await recorded.connected()
            try await peripheral.disconnect()
            var (heard, links, ends, databases): (Int, Int, [RecordedDisconnection], [RecordedDatabase]) = (
                0, 0, [], []
            )
            for event in recorded.events {
                switch event.content {
                case .heard(let report):
                    heard += 1
                    #expect(report.data.localName == "Watch")
                case .connected: links += 1
                case .disconnected(let end): ends.append(end)
                case .database(let database): databases.append(database)
                default: break
                }
            }
            #expect(heard > 0 && links == 1 && ends.map(\.by) == [.here])
            let database = try #require(databases.last)
            #expect(database.isComplete && databases.filter(\.isComplete).count == 1)
            let service = try #require(database.services.first { $0.uuid == SimulatorFixture.service })
            #expect(service.characteristics.map(\.uuid) == [SimulatorFixture.value, SimulatorFixture.updates])
            #expect(service.characteristics[0].properties == [.read, .write])
            #expect(service.characteristics[0].descriptors.map(\.uuid).contains(0x2901))
            #expect(recorded.notes.isEmpty, "\(recorded.notes)")
        }
    }

    @Test("An ATT error and a lost link are recorded")
    func failures() async throws {
        try await Recorded.run { recorded in
            let (client, peripheral) = try await recorded.connected()
            await recorded.simulator.perform {
                $0.peripheral.characteristic(SimulatorFixture.value)?.faults.readError = ATTError(rawValue: 0x80)
            }
            #expect(await client.failure { try await peripheral.value().readValue() }?.attError?.rawValue == 0x80)
            await recorded.simulator.disconnect()
            try await Patience.wait(for: "the end of the link") { !peripheral.isConnected }
            let read = try #require(recorded.requests.first { $0.operation == .read })
            #expect(recorded.response(to: read)?.failure == .att(ATTError(rawValue: 0x80)))
            let ends = recorded.events.filter { if case .disconnected = $0.content { true } else { false } }
            #expect(ends.count == 1)
        }
    }

    @Test("A signal that several clients get is recorded once, and a request names its client")
    func severalClients() async throws {
        try await Recorded.run { recorded in
            let (_, first) = try await recorded.connected()
            let second = try await Subscriber(recorded.recorder.address, try first.updates())
            var seen: [Data] = []
            try await first.updates().startNotifying { data, _ in if let data { seen.append(data) } }
            for number: UInt8 in 1...20 { await recorded.simulator.notify([number]) }
            // bluetoothd signals a value once for each client that has subscribed, and every client gets both signals.
            try await Patience.wait(for: "40 values; there are \(seen.count) and \(second.count)") {
                seen.count == 40 && second.count == 40
            }
            #expect(recorded.values.map(\.value) == seen.map { [UInt8]($0) })
            #expect(Set(recorded.requests.filter { $0.operation == .notify }.map(\.client)) == [nil, "2"])
            second.close()
        }
    }

    @Test("bluetoothd's end and start pass, and are recorded")
    func restart() async throws {
        try await Recorded.run { recorded in
            let (client, peripheral) = try await recorded.connected()
            await recorded.simulator.perform { $0.bluez.simulateCrash() }
            try await Patience.wait(for: "the end") { client.central.state != .poweredOn }
            try await recorded.simulator.bluez.restart()
            try await client.central.waitUntilPoweredOn(timeout: Patience.timeout)
            try await Patience.wait(for: "the peripheral") { !peripheral.isConnected }
            #expect(recorded.notes.map(\.kind) == ["bluetoothd"])
            let adapters = recorded.events.compactMap { event in
                if case .adapter(let adapter) = event.content { adapter } else { nil }
            }
            #expect(adapters.contains { $0.removed == true } && adapters.last?.removed == nil)
        }
    }

    @Test("The next bluetoothd is known by its replies to a client that is not told of its start")
    func untoldRestart() async throws {
        try await Recorded.run { recorded in
            let connection = try Connection(to: .address(recorded.recorder.address), loop: BluetoothActor.loop)
            connection.hello(timeout: Patience.timeout) { _ in }
            @BluetoothActor func list() async throws {
                var ends = 0
                let call = try Message.methodCall(
                    to: "org.bluez", path: .root, interface: "org.freedesktop.DBus.ObjectManager",
                    member: "GetManagedObjects")
                connection.call(call, timeout: Patience.timeout) { result in
                    #expect(throws: Never.self) { try result.get() }
                    ends += 1
                }
                try await Patience.wait(for: "the objects") { ends == 1 }
            }
            try await list()
            await recorded.simulator.perform { $0.bluez.simulateCrash() }
            try await recorded.simulator.bluez.restart()
            try await list()
            #expect(recorded.notes.map(\.kind) == ["bluetoothd"])
            let adapters = recorded.events.compactMap { event in
                if case .adapter(let adapter) = event.content { adapter.removed == true } else { nil }
            }
            #expect(adapters == [false, true, false])
            connection.close()
        }
    }

    @Test("Pairing passes, and its steps are recorded without the passkey")
    func pairing() async throws {
        try await Recorded.run { recorded in
            await recorded.simulator.perform {
                var behaviour = PairingBehaviour(.displayOnly, wantsAuthentication: true)
                behaviour.passkey = 704_213
                $0.peripheral.pairing = behaviour
            }
            let client = try await recorded.client()
            let agent = PairingAgent()
            agent.passkeyHandler = { _, reply in Passkey(704_213).map(reply.accept) }
            try await client.central.registerPairingAgent(agent)
            let peripheral = try await client.find()
            try await peripheral.pair()
            #expect(peripheral.isPaired)
            let steps = recorded.events.compactMap { event in
                if case .pairing(let step) = event.content { step } else { nil }
            }
            #expect(steps.map(\.step) == ["question", "confirmed"])
            #expect(steps.map(\.method) == ["RequestPasskey", "RequestPasskey"])
            #expect(!recorded.text.contains("704213") && !recorded.text.lowercased().contains("abed5"))
            withExtendedLifetime(agent) {}
        }
    }

    @Test("A bus that cannot be reached ends the client's connection, and is noted")
    func missingBus() async throws {
        try await BluetoothActor.run {
            var events: [RecordedEvent] = []
            let recorder = try BusRecorder(bus: .address("unix:path=/nonexistent/bus")) { events.append($0) }
            var failures = 0
            recorder.failureHandler = { _ in failures += 1 }
            let central = CentralManager(bus: .address(recorder.address))
            try await Patience.wait(for: "the note") { !events.isEmpty && failures > 0 }
            recorder.close()
            withExtendedLifetime(central) {}
        }
    }
}
