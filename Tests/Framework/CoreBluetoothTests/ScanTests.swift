import BlueZSimulator
import CoreBluetooth
import TestSupport
import Testing

/// Scanning.
@MainActor @Suite struct ScanTests {
    @Test("A scan reports each peripheral once, again when it advertises something new, and each scan anew")
    func once() async throws {
        let stand = try await Stand()
        _ = try await stand.simulator.add("Strap", "BC:6A:29:00:00:02")
        stand.central.scanForPeripherals(withServices: nil)
        try await eventually("both") { stand.recorder.discoveries.count == 2 }
        await stand.simulate { $0.peripheral.advertisement.manufacturerData = [0x0D: Data([7])] }
        try await eventually("the change") { stand.recorder.discoveries.count == 3 }
        let data = stand.recorder.discoveries[2].data
        #expect(data[CBAdvertisementDataManufacturerDataKey] as? Data == Data([0x0D, 0, 7]))
        // Much is advertised meanwhile.
        await stand.simulate { $0.peripheral.advertisement.txPowerLevel = 4 }
        try await eventually("the second change") { stand.recorder.discoveries.count == 4 }
        stand.central.scanForPeripherals(withServices: nil)
        try await eventually("both") { stand.recorder.discoveries.count == 6 }
        #expect(Set(stand.recorder.discoveries.map { ObjectIdentifier($0.peripheral) }).count == 2)
    }

    @Test("With duplicates, a scan reports each advertisement")
    func duplicates() async throws {
        let stand = try await Stand()
        stand.central.scanForPeripherals(
            withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        try await eventually("many") { stand.recorder.discoveries.count > 10 }
        stand.central.stopScan()
        stand.central.scanForPeripherals(
            withServices: [], options: [CBCentralManagerScanOptionAllowDuplicatesKey: NSNumber(value: true)])
        try await eventually("more") { stand.recorder.discoveries.count > 20 }
    }

    @Test("A scan for services finds only peripherals that advertise one of them")
    func services() async throws {
        let stand = try await Stand()
        _ = try await stand.simulator.add("Strap", "BC:6A:29:00:00:02", services: [0x180D])
        stand.central.scanForPeripherals(
            withServices: [CBUUID(string: "180D"), CBUUID(string: "180F")],
            options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        try await eventually("some") { stand.recorder.discoveries.count > 10 }
        #expect(Set(stand.recorder.discoveries.map(\.peripheral.name)) == ["Strap"])
        let data = stand.recorder.discoveries[0].data
        #expect(data[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] == [CBUUID(string: "180D")])
        #expect(data[CBAdvertisementDataLocalNameKey] as? String == "Strap")
        #expect(data[CBAdvertisementDataIsConnectable] == nil)
    }

    @Test("The delegate gets what is advertised under Apple's keys")
    func keys() async throws {
        let stand = try await Stand()
        await stand.simulate {
            $0.peripheral.advertisement = AdvertisementData(
                localName: "Watch", serviceData: [0x180F: [80]], txPowerLevel: -4)
        }
        let peripheral = try await stand.find()
        #expect(peripheral.name == "Watch")
        let data = stand.recorder.discoveries[0].data
        #expect(
            data[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data] == [CBUUID(string: "180F"): Data([80])])
        #expect(data[CBAdvertisementDataTxPowerLevelKey] as? NSNumber == -4)
        #expect(stand.recorder.discoveries[0].rssi == -60)
    }

    @Test("A signal strength that is not known is 127")
    func unknownStrength() async throws {
        let stand = try await Stand()
        await stand.simulate { $0.peripheral.rssi = 127 }
        _ = try await stand.find()
        #expect(stand.recorder.discoveries[0].rssi == 127)
    }

    @Test("After the end of a scan nothing is found")
    func stopped() async throws {
        let stand = try await Stand()
        _ = try await stand.find()
        #expect(!stand.central.isScanning)
        let count = stand.recorder.discoveries.count
        _ = try await stand.simulator.add("Strap", "BC:6A:29:00:00:02")
        // Bluetooth is used for something else meanwhile.
        try await stand.next("connected") { stand.central.connect(stand.recorder.discoveries[0].peripheral) }
        #expect(stand.recorder.discoveries.count == count)
    }

    @Test("A scan that fails is over")
    func failed() async throws {
        let stand = try await Stand()
        await stand.simulate {
            $0.bluez.simulateReply(
                .error(name: "org.bluez.Error.Failed", message: "No"), to: "StartDiscovery", of: "org.bluez.Adapter1",
                times: 100)
        }
        stand.central.scanForPeripherals(withServices: nil)
        try await eventually("the end") { !stand.central.isScanning }
        #expect(stand.recorder.discoveries.isEmpty)
    }
}
