import BlueZDBus
import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import CoreBlueZ

/// Services of one's own, as a central uses them.
@Suite(.virtualTime) struct PublishingTests {
    @Test("A central reads and writes the value of a characteristic without handlers")
    @BluetoothActor func stored() async throws {
        let fixture = try await RoleFixture()
        try await fixture.connect()
        #expect(try await fixture.read() == .success([1, 2, 3]))
        #expect(try await fixture.write([4, 5]) == .success([]))
        #expect(fixture.value.value == Data([4, 5]))
        #expect(fixture.service.isPublished && fixture.service.handle != nil)
        #expect(fixture.value.handle == (try await fixture.find(RoleFixture.valueUUID).handle))
    }

    @Test("A descriptor is read and written like a characteristic")
    @BluetoothActor func descriptor() async throws {
        let fixture = try await RoleFixture()
        try await fixture.connect()
        let handle = try #require(fixture.value.descriptors.first?.handle)
        #expect(try await fixture.central.read(handle) == .success(Array("Value".utf8)))
        #expect(try await fixture.central.write([65], to: handle) == .success([]))
        #expect(fixture.value.descriptors.first?.value == Data([65]))
    }

    @Test(
        "The error of a handler reaches the central",
        arguments: [
            (ATTError.readNotPermitted, ATTError.readNotPermitted),
            (ATTError(rawValue: 0x9F), ATTError(rawValue: 0x9F)), (.insufficientResources, .unlikelyError),
            (.writeNotPermitted, .unlikelyError), (ATTError(rawValue: 0xA0), .unlikelyError),
        ])
    @BluetoothActor func errors(_ error: ATTError, _ expected: ATTError) async throws {
        let fixture = try await RoleFixture()
        fixture.value.readHandler = { $0.fail(error) }
        try await fixture.connect()
        #expect(try await fixture.read() == .failure(expected))
    }

    @Test("bluetoothd before 5.66 turns every application error into 0x80")
    @BluetoothActor func oldErrors() async throws {
        let fixture = try await RoleFixture(.v5_55)
        fixture.value.readHandler = { $0.fail(ATTError(rawValue: 0x85)) }
        try await fixture.connect()
        #expect(try await fixture.read() == .failure(ATTError(rawValue: 0x80)))
    }

    @Test("Async handlers respond with what they return or throw")
    @BluetoothActor func asynchronous() async throws {
        let fixture = try await RoleFixture()
        fixture.value.setReadHandler { _ in Data([7]) }
        fixture.value.setWriteHandler { request in
            guard request.value.count == 1 else { throw ATTError.invalidAttributeValueLength }
        }
        try await fixture.connect()
        #expect(try await fixture.read() == .success([7]))
        #expect(try await fixture.write([1]) == .success([]))
        #expect(try await fixture.write([1, 2]) == .failure(.invalidAttributeValueLength))
    }

    @Test("A long read gets one value, even if the value changes between its parts")
    @BluetoothActor func longRead() async throws {
        let fixture = try await RoleFixture()
        var calls: UInt8 = 0
        fixture.value.readHandler = { request in
            calls += 1
            request.respond(with: Data(repeating: calls, count: 100))
        }
        try await fixture.connect(mtu: 23)
        let handle = try await fixture.find(RoleFixture.valueUUID).handle
        #expect(try await fixture.central.readLong(handle) == .success(Array(repeating: 1, count: 100)))
        #expect(try await fixture.central.readLong(handle) == .success(Array(repeating: 2, count: 100)))
        #expect(calls == 2)
    }

    @Test("A request that is dropped fails")
    @BluetoothActor func dropped() async throws {
        let fixture = try await RoleFixture()
        fixture.value.readHandler = { _ in }
        try await fixture.connect()
        #expect(try await fixture.read() == .failure(.unlikelyError))
    }

    @Test("Nothing is kept of centrals that leave before the response to a long read")
    @BluetoothActor func left() async throws {
        let fixture = try await RoleFixture()
        var requests: [ReadRequest] = []
        fixture.value.readHandler = { requests.append($0) }
        try await fixture.manager.publish(fixture.service)
        for number in 0..<20 {
            let central = await fixture.bluez.addCentral("F0:CA:FE:00:01:\(number + 10)")
            try await central.connect(maximumMTU: 23, timeout: .ample)
            try await central.discover()
            let handle = try #require(await central.characteristic(RoleFixture.valueUUID)).handle
            let read = Task { @SimulatorActor in try await central.read(handle) }
            try await fixture.wait(for: "the request") { requests.count == 1 }
            await central.disconnect()
            _ = await read.result
            try await fixture.wait(for: "the end of the link") { fixture.manager.centrals.isEmpty }
            requests.removeFirst().respond(with: Data(repeating: 7, count: 512))
        }
        #expect(fixture.value.longReads.isEmpty)
        fixture.value.readHandler = { $0.respond(with: Data(repeating: 7, count: 512)) }
        try await fixture.connect(mtu: 23)
        #expect(try await fixture.read() == .success([UInt8](repeating: 7, count: 22)))
        #expect(fixture.value.longReads.count == 1)
        await fixture.central.disconnect()
        try await fixture.wait(for: "the end of the link") { fixture.manager.centrals.isEmpty }
        #expect(fixture.value.longReads.isEmpty)
    }

    @Test("Prepared writes arrive as one request with an offset")
    @BluetoothActor func prepared() async throws {
        let fixture = try await RoleFixture()
        try await fixture.connect(mtu: 23)
        let handle = try await fixture.find(RoleFixture.valueUUID).handle
        #expect(try await fixture.central.prepare([(1, [8]), (2, [9])], of: handle) == .success([]))
        #expect(fixture.value.value == Data([1, 8, 9]))
        #expect(try await fixture.central.prepare([(4, [8])], of: handle) == .failure(.invalidOffset))
    }

    @Test("A service that is unpublished is gone, and can be published again")
    @BluetoothActor func unpublished() async throws {
        let fixture = try await RoleFixture()
        try await fixture.connect()
        await fixture.manager.unpublish(fixture.service)
        #expect(!fixture.service.isPublished && fixture.manager.services.isEmpty)
        #expect(try await !fixture.central.discover().contains { $0.uuid == RoleFixture.service })
        try await fixture.manager.publish(fixture.service)
        #expect(try await fixture.central.discover().contains { $0.uuid == RoleFixture.service })
    }

    @Test("A service is published with those that it includes")
    @BluetoothActor func includes() async throws {
        let fixture = try await RoleFixture()
        let outer = LocalService(0x1812, includedServices: [fixture.service])
        try await fixture.manager.publish(outer)
        try await fixture.central.connect()
        let found = try await fixture.central.discover()
        #expect(found.first { $0.uuid == 0x1812 }?.includes == fixture.service.handle.map { [$0] })
        await #expect(throws: BluetoothError.self) { try await fixture.manager.publish(fixture.service) }
    }

    @Test("Everything is published again after the adapter was unplugged")
    @BluetoothActor func replug() async throws {
        let fixture = try await RoleFixture()
        try await fixture.connect()
        await fixture.bluez.adapters[0].simulateUnplug()
        try await fixture.wait(for: "the loss") { !fixture.service.isPublished }
        await fixture.bluez.adapters[0].simulateReplug(asNumber: 1)
        try await fixture.wait(for: "the service") { fixture.service.isPublished }
        try await fixture.connect()
        #expect(try await fixture.read() == .success([1, 2, 3]))
    }

    @Test("Publishing fails with the reason why Bluetooth cannot be used")
    @BluetoothActor func off() async throws {
        let fixture = try await RoleFixture()
        try await fixture.manager.waitUntilPoweredOn()
        await fixture.bluez.adapters[0].simulatePower(false)
        try await fixture.wait(for: "the state") { fixture.manager.state == .poweredOff }
        let error = await #expect(throws: BluetoothError.self) {
            try await fixture.manager.publish(fixture.service)
        }
        #expect(error?.code == .adapterOff)
        #expect(fixture.manager.services.isEmpty)
    }

    @Test("A manager that is released takes its services back")
    @BluetoothActor func released() async throws {
        let fixture = try await RoleFixture()
        try await fixture.connect()
        do {
            let other = PeripheralManager(bus: .address(fixture.bluez.address))
            try await other.publish(LocalService(0x1815))
            #expect(try await fixture.central.discover().contains { $0.uuid == 0x1815 })
        }
        try await fixture.wait(for: "the service to be gone") {
            try await !fixture.central.discover().contains { $0.uuid == 0x1815 }
        }
    }

    @Test("A service whose manager is released while bluetoothd registers it is taken back")
    @BluetoothActor func releasedEarly() async throws {
        let fixture = try await RoleFixture()
        let adapter = try ObjectPath("/org/bluez/hci0")
        var other: PeripheralManager? = PeripheralManager(bus: .address(fixture.bluez.address))
        var ends: [BluetoothError.Code?] = []
        other?.publish(LocalService(0x1815)) { ends.append($0?.code) }
        try await eventually("the call") { other?.applications.first?.isOn(adapter) == true }
        other = nil
        // bluetoothd may have read the objects already, and then offers the service until it is taken back.
        try await fixture.connect()
        try await fixture.wait(for: "the service to be gone") {
            try await !fixture.central.discover().contains { $0.uuid == 0x1815 }
        }
        #expect(ends.count == 1)
    }
}
