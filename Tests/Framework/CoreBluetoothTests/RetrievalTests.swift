import BlueZSimulator
import TestSupport
import Testing

@testable import CoreBluetooth

/// Peripherals that are retrieved by their identifiers, without a scan.
@MainActor @Suite struct RetrievalTests {
    /// The identifier of the peripheral, for the simulator's adapter.
    private let identifier: UUID

    init() throws {
        let adapter = try #require(BluetoothAddress("00:AA:01:00:00:42"))
        let device = try #require(BluetoothAddress("BC:6A:29:00:00:01"))
        identifier = PeripheralIdentifier.make(adapter: adapter, device: device)
    }

    /// Has bluetoothd forget the peripheral, which is silent from now on.
    private func forget(_ stand: Stand) async {
        await stand.simulate {
            $0.peripheral.isAdvertising = false
            $0.bluez.simulateDeviceRemoval(of: $0.peripheral)
        }
    }

    @Test("A peripheral that only another program has found is retrieved")
    func foundByOthers() async throws {
        let stand = try await Stand()
        #expect(stand.central.retrievePeripherals(withIdentifiers: [identifier]).isEmpty)
        let other = try await Stranger(stand.simulator.bus)
        try await other.call("org.bluez", "StartDiscovery", of: "org.bluez.Adapter1", at: "/org/bluez/hci0", [])
        try await eventually("the peripheral") {
            stand.central.retrievePeripherals(withIdentifiers: [identifier]).count == 1
        }
        let peripheral = try #require(stand.central.retrievePeripherals(withIdentifiers: [identifier]).first)
        #expect(peripheral.identifier == identifier && peripheral.name == "Watch")
        try await stand.next("connected") { stand.central.connect(peripheral) }
    }

    @Test("A peripheral that bluetoothd and the program have forgotten is retrieved, and connected when it is back")
    func forgotten() async throws {
        let stand = try await Stand()
        // The recorder would hold the peripheral.
        stand.central.delegate = nil
        stand.central.scanForPeripherals(withServices: nil)
        try await eventually("the peripheral") {
            !stand.central.retrievePeripherals(withIdentifiers: [identifier]).isEmpty
        }
        stand.central.stopScan()
        stand.central.delegate = stand.recorder
        await forget(stand)
        let bridge = stand.central.bridge
        try await eventually("the removal") { await bridge.peripheral(identifier) == nil }
        let peripheral = try #require(stand.central.retrievePeripherals(withIdentifiers: [identifier]).first)
        #expect(peripheral.name == "Watch" && peripheral.state == .disconnected)
        stand.central.connect(peripheral)
        await stand.simulate { $0.peripheral.isAdvertising = true }
        try await eventually("the link") { peripheral.state == .connected }
    }

    @Test("What a store keeps is retrieved in a later run, and connected, although bluetoothd has forgotten it")
    func stored() async throws {
        let simulator = try await SimulatorFixture()
        let directory = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        var first: Stand? = try await Stand(simulator, [CBCentralManagerOptionBlueZStoreKey: directory])
        _ = try await first?.find()
        if let first { await forget(first) }
        first = nil
        try await eventually("the file") { FileManager.default.fileExists(atPath: directory + "/peripherals.json") }
        let without = try await Stand(simulator)
        #expect(without.central.retrievePeripherals(withIdentifiers: [identifier]).isEmpty)
        let second = try await Stand(simulator, [CBCentralManagerOptionBlueZStoreKey: directory])
        let peripheral = try #require(second.central.retrievePeripherals(withIdentifiers: [identifier]).first)
        #expect(peripheral.name == nil && peripheral.state == .disconnected)
        second.central.connect(peripheral)
        await simulator.perform { $0.peripheral.isAdvertising = true }
        try await eventually("the link") { peripheral.state == .connected }
    }

    @Test("A store that cannot be opened is not used, and the manager works without it")
    func noStore() async throws {
        let stand = try await Stand(SimulatorFixture(), [CBCentralManagerOptionBlueZStoreKey: "a b"])
        _ = try await stand.find()
    }
}

/// The devices that bluetoothd knows or has forgotten.
@Suite struct PeripheralDirectoryTests {
    private let identifiers = (0...PeripheralDirectory.limit).map { _ in UUID() }

    @Test("Of the devices that bluetoothd has forgotten, the last 1,000 are kept")
    func limit() {
        let directory = PeripheralDirectory()
        for identifier in identifiers { directory.list(.init(identifier: identifier, name: "A")) }
        for identifier in identifiers { directory.forget(identifier) }
        #expect(directory[identifiers[0]] == nil)
        #expect(directory[identifiers[1]]?.name == "A")
        // A device that is back leaves its place to another.
        directory.list(.init(identifier: identifiers[1], isConnected: true, services: [0x180D]))
        directory.list(.init(identifier: identifiers[0]))
        directory.forget(identifiers[0])
        #expect(identifiers.allSatisfy { directory[$0] != nil })
        #expect(directory.connected(with: [0x180D]).map(\.identifier) == [identifiers[1]])
    }

    @Test("Stored devices are older than forgotten ones, and each is there once")
    func stored() {
        let directory = PeripheralDirectory()
        let late = identifiers[PeripheralDirectory.limit]
        directory.list(.init(identifier: late, name: "Late"))
        directory.add(stored: identifiers)
        directory.add(stored: identifiers)
        #expect(identifiers.allSatisfy { directory[$0] != nil } && directory[late]?.name == "Late")
        directory.forget(late)
        #expect(directory[identifiers[0]] == nil && directory[identifiers[1]] != nil && directory[late]?.name == "Late")
    }
}
