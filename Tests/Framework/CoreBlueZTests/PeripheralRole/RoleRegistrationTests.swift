import BlueZDBus
import BlueZSimulator
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// Registrations that end or change while bluetoothd is slow or gone.
@Suite(.virtualTime) struct RoleRegistrationTests {
    @Test("An advertisement that is stopped while it starts ends both operations once")
    @BluetoothActor func stoppedEarly() async throws {
        let fixture = try await RoleFixture()
        await fixture.bluez.keepCalls()
        await fixture.bluez.simulateReply(
            .silence, to: "RegisterAdvertisement", of: PeripheralManager.advertisingManager)
        var starts: [BluetoothError.Code?] = []
        var stops = 0
        fixture.manager.startAdvertising(LocalAdvertisement(localName: "Pulse")) { instance, error in
            #expect(instance == nil)
            starts.append(error?.code)
        }
        try await fixture.wait(for: "the call") {
            await fixture.bluez.members(with: "Advertisement") == ["RegisterAdvertisement"]
        }
        let instance = try #require(fixture.manager.advertisements.first)
        instance.stop { stops += 1 }
        try await fixture.wait(for: "both ends") { !starts.isEmpty && stops > 0 }
        await instance.stop()
        #expect(starts == [.cancelled] && stops == 1)
        #expect(!instance.isAdvertising && fixture.manager.advertisements.isEmpty)
    }

    @Test(
        "What bluetoothd does not register in time is taken back, in case it does so later", arguments: [false, true])
    @BluetoothActor func late(_ isAdvertisement: Bool) async throws {
        let fixture = try await RoleFixture()
        let kind = isAdvertisement ? "Advertisement" : "Application"
        let interface = isAdvertisement ? PeripheralManager.advertisingManager : "org.bluez.GattManager1"
        await fixture.bluez.keepCalls()
        await fixture.bluez.simulateReply(.silence, to: "Register\(kind)", of: interface)
        fixture.manager.client.timeouts.registration = .milliseconds(20)
        let error = await #expect(throws: BluetoothError.self) {
            guard isAdvertisement else { return try await fixture.manager.publish(fixture.service) }
            _ = try await fixture.manager.startAdvertising(LocalAdvertisement(localName: "Pulse"))
        }
        #expect(error?.code == .timedOut)
        let expected = ["Register\(kind)", "Unregister\(kind)"]
        try await fixture.wait(for: "the call") { await fixture.bluez.members(with: kind) == expected }
        #expect(fixture.manager.services.isEmpty && fixture.manager.advertisements.isEmpty)
    }

    @Test("An advertisement that changes while bluetoothd registers it is sent with the change")
    @BluetoothActor func changed() async throws {
        let fixture = try await RoleFixture()
        let adapter = try ObjectPath("/org/bluez/hci0")
        let before: [UInt8] = [0x0D, 0x18]
        let after: [UInt8] = [0x0F, 0x18]
        let instance = try await fixture.manager.startAdvertising(LocalAdvertisement(serviceUUIDs: [0x180D]))
        #expect(await fixture.bluez.adapters[0].sends(before))
        let registration = try #require(instance.registration)
        // bluetoothd has read the content already, and replies only now.
        await fixture.bluez.simulateReply(
            .success, to: "RegisterAdvertisement", of: PeripheralManager.advertisingManager)
        var ends: [BluetoothError?] = []
        registration.register(with: adapter) { ends.append($0) }
        instance.update(LocalAdvertisement(serviceUUIDs: [0x180F])) { ends.append($0) }
        #expect(registration.adapter == nil)
        try await fixture.wait(for: "the change") { await fixture.bluez.adapters[0].sends(after) }
        try await fixture.wait(for: "the ends") { ends.count == 2 }
        #expect(ends == [nil, nil] && registration.adapter == adapter)
        #expect(await !fixture.bluez.adapters[0].sends(before))
    }

    @Test("What moves to another adapter ends at the first one, and begins at the other")
    @BluetoothActor func moved() async throws {
        let fixture = try await RoleFixture(.v5_82, adapters: [AdapterSpecification(), AdapterSpecification()])
        var events: [String] = []
        fixture.manager.eventHandler = { event in
            switch event {
            case .published: events.append("published")
            case .unpublished: events.append("unpublished")
            case .advertisingBegan: events.append("began")
            case .advertisingEnded: events.append("ended")
            default: break
            }
        }
        try await fixture.connect()
        try await fixture.subscribe()
        try await fixture.wait(for: "the subscription") { fixture.updates.isNotifying }
        let instance = try await fixture.manager.startAdvertising(LocalAdvertisement(localName: "Pulse"))
        #expect(events == ["published", "began"])
        await fixture.bluez.adapters[0].simulatePower(false)
        let path = try ObjectPath("/org/bluez/hci1")
        try await fixture.wait(for: "the other adapter") {
            fixture.service.isPublished && instance.registration?.adapter == path && instance.isAdvertising
        }
        #expect(events.filter { $0.hasSuffix("published") } == ["published", "unpublished", "published"])
        #expect(events.filter { !$0.hasSuffix("published") } == ["began", "ended", "began"])
        #expect(!fixture.updates.isNotifying)
    }

    @Test("An advertisement whose timeout passes while bluetoothd is gone ends, and is not registered again")
    @BluetoothActor func over() async throws {
        let fixture = try await RoleFixture()
        var events: [String] = []
        fixture.manager.eventHandler = { event in
            switch event {
            case .advertisingBegan: events.append("began")
            case .advertisingEnded: events.append("ended")
            case .advertisingFailed: events.append("failed")
            default: break
            }
        }
        var advertisement = LocalAdvertisement(localName: "Pulse")
        advertisement.timeout = .seconds(3600)
        let instance = try await fixture.manager.startAdvertising(advertisement)
        #expect(instance.deadline != nil)
        await fixture.bluez.simulateCrash()
        try await fixture.wait(for: "the loss") { !instance.isAdvertising }
        instance.deadline = .now
        await fixture.bluez.keepCalls()
        try await fixture.bluez.restart()
        try await fixture.wait(for: "the end") { fixture.manager.advertisements.isEmpty }
        #expect(!instance.isAdvertising && events == ["began", "ended", "ended"])
        // A registration would have been called for before this one.
        try await fixture.manager.publish(fixture.service)
        #expect(await fixture.bluez.members(with: "Advertisement").isEmpty)
    }
}

extension SimulatedAdapter {
    /// Whether the data of an advertisement contains the bytes.
    fileprivate func sends(_ bytes: [UInt8]) -> Bool {
        advertisements.contains { advertisement in
            let data = advertisement.data
            return data.indices.contains { data[$0...].starts(with: bytes) }
        }
    }
}

extension SimulatedBlueZ {
    fileprivate func keepCalls() {
        forgetCalls()
        keepsCalls = true
    }

    /// The methods that were called whose names end like this, in order.
    fileprivate func members(with ending: String) -> [String] {
        calls.map(\.member).filter { $0.hasSuffix(ending) }
    }
}
