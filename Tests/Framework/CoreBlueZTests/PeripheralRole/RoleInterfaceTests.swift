import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import CoreBlueZ

/// The methods to override, and the properties, of the peripheral role.
@Suite(.virtualTime) struct RoleInterfaceTests {
    @Test("A subclass of a characteristic handles reads, writes and subscriptions")
    @BluetoothActor func characteristic() async throws {
        let fixture = try await RoleFixture(.v5_82)
        let counter = Counter()
        let service = LocalService(0x1819, isPrimary: true, characteristics: [counter])
        #expect(counter.service === service && service.characteristics.first === counter && service.isPrimary)
        #expect(service[0x2A5B] === counter && counter.uuid == 0x2A5B && service.uuid == 0x1819)
        #expect(counter.properties == [.read, .write, .notify] && counter.permissions.isEmpty)
        try await fixture.manager.publish(service)
        try await fixture.connect()
        #expect(try await fixture.read(counter.uuid) == .success([1]))
        #expect(try await fixture.write([7], to: counter.uuid) == .failure(.insufficientAuthorization))
        let found = try await fixture.find(counter.uuid)
        _ = try await fixture.central.configure(found, 1).get()
        try await fixture.wait(for: "the subscription") { counter.isNotifying }
        #expect(counter.subscribers?.map(\.address?.description) == ["F0:CA:FE:00:00:01"])
        _ = try await fixture.central.configure(found, 0).get()
        try await fixture.wait(for: "the end") { !counter.isNotifying }
        #expect(counter.log == ["read", "write", "+F0:CA:FE:00:00:01", "-F0:CA:FE:00:00:01"])
    }

    @Test("A service handles the beginning and the end of its publication")
    @BluetoothActor func service() async throws {
        let fixture = try await RoleFixture()
        let service = Recorder()
        try await fixture.manager.publish(service)
        #expect(service.log == ["published"])
        await fixture.bluez.simulateCrash()
        try await fixture.wait(for: "the loss") { service.log.count == 2 }
        try await fixture.bluez.restart()
        try await fixture.wait(for: "the return") { service.log.count == 3 }
        #expect(service.log == ["published", "unpublished", "published"])
    }

    @Test("A write handler responds when it has done what was asked")
    @BluetoothActor func allowed() async throws {
        let fixture = try await RoleFixture()
        var kept: [WriteRequest] = []
        fixture.value.writeHandler = { kept.append($0) }
        try await fixture.connect()
        async let result = fixture.write([7])
        try await fixture.wait(for: "the request") { kept.count == 1 }
        #expect(kept[0].isPending && kept[0].value == Data([7]))
        kept[0].respond()
        #expect(try await result == .success([]))
        #expect(fixture.value.value == Data([1, 2, 3]))
    }

    @Test("unpublishAll ends all services")
    @BluetoothActor func all() async throws {
        let fixture = try await RoleFixture()
        try await fixture.manager.publish(fixture.service)
        try await fixture.manager.publish(LocalService(0x1819))
        await fixture.manager.unpublishAll()
        #expect(fixture.manager.services.isEmpty && !fixture.service.isPublished)
    }

    @Test("The state is that of the adapter, by the handler and by the method to override")
    @BluetoothActor func state() async throws {
        let fixture = try await RoleFixture()
        let central = CentralManager(bus: .address(fixture.bluez.address))
        let manager = StateRecorder(central)
        var states: [CentralManagerState] = []
        fixture.manager.stateHandler = { states.append($0.state) }
        try await manager.waitUntilPoweredOn()
        try await fixture.manager.waitUntilPoweredOn()
        #expect(manager.centralManager === central && manager.stateError == nil)
        await fixture.bluez.adapters[0].simulatePower(false)
        try await fixture.wait(for: "the state") { manager.state == .poweredOff && states.last == .poweredOff }
        #expect(manager.stateError?.code == .adapterOff)
        try await fixture.wait(for: "the report") { manager.states.last == .poweredOff }
        await fixture.bluez.adapters[0].simulatePower(true)
        try await fixture.wait(for: "the power") { manager.states.last == .poweredOn && states.last == .poweredOn }
    }

    @Test("An attribute that needs encryption is refused to a central that is not paired")
    @BluetoothActor func permissions() async throws {
        let fixture = try await RoleFixture()
        let secret = LocalCharacteristic(
            0x2A5B, properties: [.read, .write, .notify],
            permissions: [.readEncrypted, .writeEncrypted, .subscribeEncrypted], value: Data([1]),
            descriptors: [LocalDescriptor(0x2901, permissions: [.read, .write])])
        #expect(secret.descriptors.first?.characteristic === secret)
        try await fixture.manager.publish(LocalService(0x1819, characteristics: [secret]))
        try await fixture.connect()
        #expect(try await fixture.read(secret.uuid) == .failure(.insufficientEncryption))
        #expect(try await fixture.write([2], to: secret.uuid) == .failure(.insufficientEncryption))
        #expect(secret.value == Data([1]))
    }

    @Test("An advertisement is heard by another adapter, changes, and ends")
    @BluetoothActor func advertisement() async throws {
        let second = AdapterSpecification(address: "00:AA:01:00:00:43")
        let fixture = try await RoleFixture(adapters: [AdapterSpecification(), second])
        var events: [String] = []
        fixture.manager.eventHandler = { event in
            if case .advertisingBegan(let instance) = event { events.append("\(instance.isAdvertising)") }
        }
        var advertisement = LocalAdvertisement()
        advertisement.localName = "Pulse"
        advertisement.serviceUUIDs = [0x180D]
        let instance = try await fixture.manager.startAdvertising(advertisement)
        #expect(instance.isAdvertising && fixture.manager.advertisements == [instance] && events == ["true"])
        let central = CentralManager(bus: .address(fixture.bluez.address), adapter: "hci1")
        let found = try await central.firstPeripheral(withServices: [0x180D], timeout: .ample)
        #expect(found.name == "Pulse")
        advertisement.serviceUUIDs = [0x180F]
        try await instance.update(advertisement)
        _ = try await central.firstPeripheral(withServices: [0x180F], timeout: .ample)
        await instance.stop()
        #expect(!instance.isAdvertising && fixture.manager.advertisements.isEmpty)
    }
}

/// Counts its reads, and refuses writes.
private final class Counter: LocalCharacteristic {
    private(set) var log: [String] = []

    init() { super.init(0x2A5B, properties: [.read, .write, .notify]) }

    override func didReceiveRead(_ request: ReadRequest) {
        #expect(request.attribute === self && request.central != nil && request.offset == 0)
        log.append("read")
        request.respond(with: Data([UInt8(log.count)]))
    }

    override func didReceiveWrite(_ request: WriteRequest) {
        #expect(request.value == Data([7]))
        log.append("write")
        request.fail(.insufficientAuthorization)
    }

    override func didSubscribe(_ central: Central?) { log.append("+\(central?.address?.description ?? "?")") }
    override func didUnsubscribe(_ central: Central?) { log.append("-\(central?.address?.description ?? "?")") }
}

private final class Recorder: LocalService {
    private(set) var log: [String] = []

    init() { super.init(0x1819) }

    override func didPublish() { log.append("published") }
    override func didUnpublish() { log.append("unpublished") }
}

private final class StateRecorder: PeripheralManager {
    private(set) var states: [CentralManagerState] = []

    override func peripheralManagerDidUpdateState() { states.append(state) }
}
