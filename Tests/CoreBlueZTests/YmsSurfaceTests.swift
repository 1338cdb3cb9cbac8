import BlueZSimulator
import CoreBlueZ
import Foundation
import Testing

@Suite struct YmsSurfaceTests {
    final class Manager: CentralManager {
        var states: [String] = []
        var found: [String] = []

        override func didPowerOn() { states.append("on") }
        override func didPowerOff() { states.append("off") }
        override func didReset() { states.append("reset") }
        override func didBecomeUnsupported() { states.append("unsupported") }
        override func didBecomeUnauthorized() { states.append("unauthorized") }
        override func didBecomeUnknown() { states.append("unknown") }
        override func didFindPeripheral(_ peripheral: Peripheral, advertisement: AdvertisementData, rssi: Int?) {
            found.append(peripheral.displayName)
        }
    }

    @Test("Each state has its handler, and the usual scan its hook")
    func handlers() async throws {
        let world = try await World()
        try await BluetoothActor.run {
            let central = Manager(bus: world.bus, knownPeripheralNames: ["World"])
            var ends: [BluetoothError?] = []
            central.startScan { ends.append($0) }
            #expect(central.isScanning)
            try await Patience.wait(for: "a peripheral") { !central.found.isEmpty }
            #expect(central.found.first == "World")
            central.stopScan()
            try await Patience.wait(for: "the end") { !ends.isEmpty }
            await central.settle()
            #expect(ends == [nil])
            await world.restart()
            try await Patience.wait(for: "bluetoothd") { central.states.last == "on" && central.states.count > 1 }
            #expect(central.states.first == "on")
            #expect(central.states.contains("reset"))
        }
    }

    final class Picky: CentralManager {
        override func isKnownPeripheral(_ device: DiscoveredDevice) -> Bool { device.name?.hasPrefix("Oth") == true }
    }

    @Test("A subclass of the manager decides what it knows, and gets links no matter who makes them")
    func ownRules() async throws {
        let world = try await World()
        try await world.addOther()
        try await BluetoothActor.run {
            let picky = Picky(bus: world.bus)
            var events: [String] = []
            picky.eventHandler = { event in
                switch event {
                case .connected(let peripheral): events.append("+\(peripheral.displayName)")
                case .disconnected(let peripheral): events.append("-\(peripheral.displayName)")
                default: break
                }
            }
            let other = try await picky.firstPeripheral()
            #expect(other.name == "Other")
            let central = CentralManager(bus: world.bus, knownPeripheralNames: ["World"])
            let peripheral = try await central.firstPeripheral()
            try await peripheral.connect()
            try await peripheral.disconnect()
            try await Patience.wait(for: "the events") { events == ["+World", "-World"] }
        }
    }

    @Test("The registry counts, finds and removes, and reports it")
    func registry() async throws {
        let world = try await World()
        try await BluetoothActor.run {
            let central = CentralManager(bus: world.bus)
            var changes: [String] = []
            central.registryHandler = { _, change in
                switch change {
                case .added(let peripheral): changes.append("+\(peripheral.displayName)")
                case .removed(let peripheral): changes.append("-\(peripheral.displayName)")
                }
            }
            let peripheral = try await central.firstPeripheral()
            let address = try #require(peripheral.address)
            #expect(central.peripheralCount == 1)
            #expect(central.peripheral(at: 0) === peripheral)
            #expect(central.peripheral(at: 1) == nil)
            #expect(central.peripheral(at: -1) == nil)
            #expect(central.index(of: peripheral) == 0)
            #expect(central.peripheral(withIdentifier: address) === peripheral)
            #expect(central.peripheral(named: "World") === peripheral)
            #expect(central.peripheral(named: "Nobody") == nil)
            #expect(central.retrievePeripherals(withIdentifiers: [address]).first === peripheral)
            try await peripheral.connect()
            try await peripheral.discoverServices()
            let service = BluetoothUUID(World.service)
            #expect(central.retrieveConnectedPeripherals(withServices: [service]).first === peripheral)
            #expect(central.retrieveConnectedPeripherals(withServices: [0x1234]).isEmpty)
            #expect(central.retrieveConnectedPeripherals().count == 1)
            let value = try #require(peripheral[service]?[BluetoothUUID(World.value)])
            await world.delay(.seconds(60))
            var end: BluetoothError?
            value.readValue { _, error in end = error }
            try await Patience.wait(for: "the request") { await world.hasBeenRead }
            central.removePeripheral(peripheral)
            #expect(end?.code == .cancelled)
            #expect(peripheral.central == nil)
            central.removePeripheral(peripheral)
            #expect(changes == ["+World", "-World"])
            let late = await #expect(throws: BluetoothError.self) { try await peripheral.connect() }
            #expect(late?.code == .cancelled)
            await world.delay(.zero)
            let again = try #require(central.retrievePeripheral(withIdentifier: address))
            #expect(again !== peripheral)
            central.removePeripheral(at: 5)
            #expect(central.peripheralCount == 1)
            central.removePeripheral(at: 0)
            _ = central.retrieveKnownPeripherals()
            central.removeAllPeripherals()
            #expect(central.peripheralCount == 0)
            #expect(changes == ["+World", "-World", "+World", "-World", "+World", "-World"])
        }
    }

    @Test("Found peripherals are stored if wanted, and retrieved by another run")
    func stored() async throws {
        let world = try await World()
        let directory = FileManager.default.temporaryDirectory.appending(path: "corebluez-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        try await BluetoothActor.run {
            let path = directory.appending(path: "state").path
            let central = CentralManager(bus: world.bus)
            central.storedPeripherals = try StoredPeripherals(directory: path)
            let peripheral = try await central.firstPeripheral()
            let address = try #require(peripheral.address)
            #expect(central.storedPeripherals?.identifiers == [address])
            try await Patience.wait(for: "the file") {
                try StoredPeripherals(directory: path).identifiers == [address]
            }
            let store = try StoredPeripherals(directory: path)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o700)
            let next = CentralManager(bus: world.bus)
            next.storedPeripherals = store
            try await next.waitUntilPoweredOn()
            #expect(next.retrieveStoredPeripherals().map(\.address) == [address])
            central.removePeripheral(peripheral)
            #expect(try StoredPeripherals(directory: path).identifiers.isEmpty)
            try store.add(address)
            try store.remove(address)
            #expect(try StoredPeripherals(directory: path).identifiers.isEmpty)
            try store.add(address)
            try store.removeAll()
            #expect(try StoredPeripherals(directory: path).identifiers.isEmpty)
            try Data("{".utf8).write(to: URL(filePath: store.path))
            let error = #expect(throws: BluetoothError.self) { try StoredPeripherals(directory: path) }
            #expect(error?.code == .invalidData)
            for name in ["", "../x", ".x", "a/b", "a\0"] {
                #expect(throws: BluetoothError.self) { try StoredPeripherals(application: name) }
            }
            let application = try StoredPeripherals(application: "corebluez-test")
            #expect(application.path.hasSuffix("/corebluez-test/peripherals.json"))
        }
    }

    @Test("The last advertisement's strength is kept; without one there is an error that says why")
    func rssi() async throws {
        let world = try await World()
        try await BluetoothActor.run {
            let central = CentralManager(bus: world.bus)
            let peripheral = try await central.firstPeripheral()
            try await peripheral.connect()
            try await Patience.wait(for: "the end of the scan") { peripheral.rssi == nil }
            let rssi = try await peripheral.readRSSI()
            #expect((-127...20).contains(rssi))
            var pings: [Int?] = []
            peripheral.startRSSIPing(every: .milliseconds(1)) { rssi, _ in pings.append(rssi) }
            try await Patience.wait(for: "two pings") { pings.count >= 2 }
            peripheral.stopRSSIPing()
            let count = pings.count
            var read: Int?
            peripheral.readRSSI { value, _ in read = value }
            try await Patience.wait(for: "the reading") { read != nil }
            #expect(pings.count == count)
            #expect(pings.first == rssi)
            await world.restart()
            try await Patience.wait(for: "the restart") { central.state == .poweredOn }
            let error = await #expect(throws: BluetoothError.self) { try await peripheral.readRSSI() }
            #expect([.notSupported, .peripheralGone].contains(error?.code))
        }
    }

    @Test("Services and characteristics have both forms of addresses, subsets, and say whether they are there")
    func declarations() async throws {
        let world = try await World()
        try await BluetoothActor.run {
            let base = BluetoothUUID(World.service)
            let central = CentralManager(bus: world.bus)
            central.peripheralBuilder = { device in
                let peripheral = Peripheral(device)
                let service = Service(name: "main", base: base, offset: 0)
                service.addCharacteristic("value", offset: 1)
                service.addCharacteristic("updates", offset: 3)
                peripheral.addService(service)
                return peripheral
            }
            let peripheral = try await central.firstPeripheral()
            let service = try #require(peripheral["main"])
            #expect(!service.isEnabled)
            #expect(service.uuid == base.replacingShort(with: 0))
            #expect(peripheral.serviceUUIDs(named: ["none", "main"]) == [service.uuid])
            #expect(service.characteristicUUIDs(named: ["updates"]) == [BluetoothUUID(World.updates)])
            try await peripheral.connect()
            try await peripheral.discoverServices(peripheral.serviceUUIDs(named: ["main"]))
            #expect(service.isEnabled)
            #expect(peripheral.serviceUUIDs.contains(service.uuid))
            #expect(service.characteristicUUIDs.count >= 2)
            service.addCharacteristic("missing", adding: 0xFF)
            #expect(!service.isEnabled)
            #expect(service["missing"]?.uuid == base.adding(0xFF))
            #expect(Service(name: "other", base: base, adding: 16).uuid == base.adding(16))
            let descriptor: Descriptor? = try await #require(service["value"]).discoverDescriptors().first
            let error = await #expect(throws: BluetoothError.self) { try await #require(descriptor).writeByte(1) }
            #expect(error?.attError == .writeNotPermitted)
        }
    }

    @Test("A connect's timeout is the watchdog")
    func watchdog() async throws {
        let world = try await World()
        try await BluetoothActor.run {
            let central = CentralManager(bus: world.bus)
            let peripheral = try await central.firstPeripheral()
            await world.vanish()
            let error = await #expect(throws: BluetoothError.self) {
                try await peripheral.connect(options: ConnectOptions(timeout: .milliseconds(50)))
            }
            #expect(error?.code == .connectionTimedOut)
            #expect(peripheral.state == .disconnected)
        }
    }

    @Test("The handlers of the other states: no power, no daemon")
    func handlersByState() async throws {
        let world = try await World()
        try await BluetoothActor.run {
            let central = Manager(bus: world.bus)
            try await Patience.wait(for: "the adapter") { central.states == ["on"] }
            await world.powerOff()
            try await Patience.wait(for: "the end of power") { central.states == ["on", "off"] }
            let lost = Manager(bus: .address("unix:path=/nonexistent/corebluez"))
            try await Patience.wait(for: "the bus's absence") { lost.states == ["unsupported"] }
            // A manager begins with it and never returns to it.
            central.didBecomeUnknown()
            #expect(central.states.last == "unknown")
        }
        let closed = try await World()
        await closed.refuse(
            "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", "org.freedesktop.DBus.Error.AccessDenied",
            "No")
        try await BluetoothActor.run {
            let refused = Manager(bus: closed.bus)
            try await Patience.wait(for: "the refusal") { refused.states.first == "unauthorized" }
        }
    }

    @Test("The version is three numbers, and the newest of the changelog")
    func version() throws {
        #expect(CentralManager.version.split(separator: ".").compactMap { Int($0) }.count == 3)
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let changes = try String(contentsOf: package.appending(path: "CHANGELOG.md"), encoding: .utf8)
        let newest = try #require(changes.split(separator: "\n").first { $0.hasPrefix("## ") })
        #expect(newest.hasPrefix("## [\(CentralManager.version)]"))
    }

    final class Switch: Service {
        var isOn = false
        var isRendered = false

        init(base: BluetoothUUID) {
            super.init(name: "switch", uuid: base, base: base)
            addCharacteristic("value", uuid: base.replacingShort(with: 1))
            addCharacteristic("updates", offset: 3)
        }

        override func notificationHandler(_ characteristic: Characteristic, error: BluetoothError?) {
            isOn = characteristic.value == Data([1])
        }
    }

    @Test("A subclass of a service has its switch, its base, its parents and its notifications")
    func subclass() async throws {
        let world = try await World()
        try await BluetoothActor.run {
            let base = BluetoothUUID(World.service)
            let central = CentralManager(bus: world.bus)
            let service = Switch(base: base)
            central.peripheralBuilder = { device in
                let peripheral = Peripheral(device)
                peripheral.addService(service)
                return peripheral
            }
            let peripheral = try await central.firstPeripheral()
            try await peripheral.connect()
            try await peripheral.discoverServices()
            #expect(service.peripheral === peripheral)
            #expect(service.base == base)
            let value = try #require(service["value"])
            #expect(value.service === service)
            #expect(value.uuid.short == nil)
            try await value.writeByte(7)
            #expect(try await value.readValue() == Data([7]))
            let descriptor = try #require(try await value.discoverDescriptors().first)
            #expect(descriptor.characteristic === value)
            try await #require(service["updates"]).setNotifyValue(true)
            await world.notify([1])
            try await Patience.wait(for: "the switch") { service.isOn }
            #expect(!service.isRendered)
        }
    }
}

extension World {
    func powerOff() { for adapter in bluez.adapters { adapter.simulatePower(false) } }
}
