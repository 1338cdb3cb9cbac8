import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// Which peripherals a manager reports, to whom, and what objects they are.
@Suite(.virtualTime) struct FoundPeripheralTests {
    private final class Own: Peripheral {}

    private final class Manager: CentralManager {
        var log: [String] = []

        override func makePeripheral(_ device: DiscoveredDevice) -> Peripheral {
            log.append("make \(device.name ?? "")")
            return Own(device)
        }
        override func didFindPeripheral(_ peripheral: Peripheral, advertisement: AdvertisementData, rssi: Int?) {
            log.append("find \(peripheral.displayName), \(advertisement.localName ?? ""), \(rssi == nil ? "?" : "dBm")")
        }
    }

    @Test("The object is made first, then the hook gets it, and then the scan's closure")
    @BluetoothActor func order() async throws {
        let simulator = try await SimulatorFixture()
        let central = Manager(bus: simulator.bus)
        var found: [Peripheral] = []
        central.scanForPeripherals { peripheral, _, _ in
            if found.isEmpty { central.log.append("closure") }
            found.append(peripheral)
        } completion: { _ in
        }
        try await eventually("the peripheral") { !found.isEmpty }
        central.stopScan()
        #expect(central.log.prefix(3) == ["make Watch", "find Watch, Watch, dBm", "closure"])
        #expect(found.first is Own)
    }

    @Test("The usual scan needs no override: its results go to the hook only, and it ends without an error")
    @BluetoothActor func usualScan() async throws {
        let simulator = try await SimulatorFixture()
        let central = Manager(bus: simulator.bus)
        var earlier = 0
        central.scanForPeripherals { _, _, _ in
            earlier += 1
            central.stopScan()
        } completion: { _ in
        }
        try await eventually("the end of an earlier scan") { earlier == 1 && !central.isScanning }
        central.log = []
        var ends: [BluetoothError?] = []
        central.startScan { ends.append($0) }
        #expect(central.isScanning)
        try await eventually("a peripheral") { !central.log.isEmpty }
        #expect(earlier == 1)
        #expect(ends.isEmpty)
        central.stopScan()
        try await eventually("the end") { !ends.isEmpty }
        await central.settle()
        #expect(ends == [nil])
        #expect(!central.isScanning)
    }

    @Test("A scan whose time is over, or that fails, is over for the manager before its completion runs")
    @BluetoothActor func ownEnd() async throws {
        let fixture = try await PeripheralFixture()
        let central = fixture.central
        var ends: [(error: BluetoothError?, isScanning: Bool)] = []
        for duration in [Duration.milliseconds(20), nil] {
            if duration == nil {
                await fixture.simulator.refuse(
                    "StartDiscovery", of: BlueZ.adapter, SimulatorFixture.bluezError + "Failed", "No", times: 20)
            }
            let count = ends.count
            central.scanForPeripherals(options: ScanOptions(duration: duration)) { _, _, _ in
            } completion: {
                ends.append(($0, central.isScanning))
            }
            #expect(central.isScanning)
            try await eventually("the end") { ends.count > count }
            #expect(!central.isScanning)
        }
        #expect(ends.map { $0.error?.code } == [nil, .failed])
        #expect(ends.allSatisfy { !$0.isScanning })
    }

    @Test("Scans of one manager run side by side, each with its services")
    @BluetoothActor func sideBySide() async throws {
        let simulator = try await SimulatorFixture()
        await simulator.perform { $0.peripheral.advertisement.serviceUUIDs = [0x180D] }
        try await simulator.add("Other", "BC:6A:29:00:00:02", services: [0x180F])
        let central = CentralManager(bus: simulator.bus)
        let services: [[BluetoothUUID]?] = [[0x180D], [0x180F], nil]
        var names = services.map { _ in Set<String>() }
        var ends: [BluetoothError?] = []
        for (scan, services) in services.enumerated() {
            central.scanForPeripherals(withServices: services) { peripheral, _, _ in
                names[scan].insert(peripheral.displayName)
            } completion: {
                ends.append($0)
            }
        }
        try await eventually("the reports") {
            !names.contains(where: \.isEmpty) && names[2].count == 2
        }
        #expect(names == [["Watch"], ["Other"], ["Watch", "Other"]])
        #expect(ends.isEmpty)
        central.stopScan()
        try await eventually("the ends") { ends == [nil, nil, nil] }
    }

    private final class Narrow: CentralManager {
        override func startScan(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
            let options = ScanOptions(duration: .milliseconds(1))
            scanForPeripherals(withServices: [0x1234], options: options, found: { _, _, _ in }, completion: completion)
        }
    }

    @Test("A scan that a subclass describes is the one that is begun, by closure and by await")
    @BluetoothActor func ownScan() async throws {
        let simulator = try await SimulatorFixture()
        let central = Narrow(bus: simulator.bus)
        try await central.waitUntilPoweredOn(timeout: .ample)
        try await central.startScan()
        var ends: [BluetoothError?] = []
        central.startScan { ends.append($0) }
        try await eventually("the end") { ends == [nil] }
        #expect(central.peripherals.isEmpty)
    }

    @Test("Known names choose what is reported; with none of them everything is")
    @BluetoothActor func knownNames() async throws {
        let simulator = try await SimulatorFixture()
        try await simulator.add("Other", "BC:6A:29:00:00:02")
        let all = CentralManager(bus: simulator.bus)
        #expect(all.knownPeripheralNames.isEmpty)
        #expect(try await Self.names(2, by: all, simulator) == ["Other", "Watch"])
        let device = try #require(all.peripherals.first.flatMap { DiscoveredDevice($0) })
        #expect(all.isKnownPeripheral(device))
        let some = CentralManager(bus: simulator.bus, knownPeripheralNames: ["Other", "Nobody"])
        #expect(try await Self.names(1, by: some, simulator) == ["Other"])
        some.knownPeripheralNames = ["Watch"]
        #expect(try await Self.names(1, by: some, simulator) == ["Watch"])
    }

    /// What a scan reports until it has reported so many; the other one is heard meanwhile, by another manager.
    @BluetoothActor private static func names(
        _ count: Int, by central: CentralManager, _ simulator: SimulatorFixture
    ) async throws -> Set<String> {
        var names: Set<String> = []
        var heard: Set<String> = []
        let witness = CentralManager(bus: simulator.bus)
        central.scanForPeripherals { peripheral, _, _ in
            names.insert(peripheral.displayName)
        } completion: { _ in
        }
        witness.scanForPeripherals { peripheral, _, _ in
            heard.insert(peripheral.displayName)
        } completion: { _ in
        }
        try await eventually("the reports") { names.count >= count && heard.count == 2 }
        central.stopScan()
        witness.stopScan()
        return names
    }

    private final class Picky: CentralManager {
        override func isKnownPeripheral(_ device: DiscoveredDevice) -> Bool { device.name?.hasPrefix("Oth") == true }
    }

    @Test("A manager of your own decides which devices it knows, and no object is made for others")
    @BluetoothActor func ownRule() async throws {
        let simulator = try await SimulatorFixture()
        try await simulator.add("Other", "BC:6A:29:00:00:02")
        let central = Picky(bus: simulator.bus)
        let found = try await Self.names(1, by: central, simulator)
        #expect(found == ["Other"])
        #expect(central.peripherals.map(\.name) == ["Other"])
    }
}
