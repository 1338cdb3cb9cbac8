import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import CoreBlueZ

/// The strength of the last advertisement, which is all that bluetoothd knows of a link's.
@Suite(.virtualTime) struct SignalStrengthTests {
    @Test("The strength of the last advertisement outlasts the scan, by closure and by await")
    @BluetoothActor func last() async throws {
        let fixture = try await PeripheralFixture()
        await fixture.simulator.perform { $0.peripheral.rssi = -47 }
        let peripheral = try await fixture.find()
        try await peripheral.connect()
        try await eventually("the end of the scan") { peripheral.rssi == nil }
        #expect(try await peripheral.readRSSI() == -47)
        var read: [Int?] = []
        peripheral.readRSSI { rssi, error in
            #expect(error == nil)
            read.append(rssi)
        }
        #expect(read.isEmpty)
        try await eventually("the reading") { read == [-47] }
    }

    @Test("127 is no strength: the device is found without one, passes no filter, and the last one that is known stays")
    @BluetoothActor func unavailable() async throws {
        let fixture = try await PeripheralFixture()
        await fixture.simulator.perform { $0.peripheral.rssi = 127 }
        var strengths: [Int?] = []
        let options = ScanOptions(allowDuplicates: true)
        fixture.central.scanForPeripherals(options: options) { _, _, rssi in
            strengths.append(rssi)
        } completion: { _ in
        }
        try await eventually("the device") { !strengths.isEmpty }
        #expect(strengths.allSatisfy { $0 == nil })
        let peripheral = try #require(fixture.central.retrieveKnownPeripherals().first)
        #expect(peripheral.rssi == nil)
        #expect(await fixture.failureCode { try await peripheral.readRSSI() } == .notSupported)
        var filtered = 0
        fixture.central.scanForPeripherals(options: ScanOptions(allowDuplicates: true, minimumRSSI: -127)) {
            _, _, _ in
            filtered += 1
        } completion: { _ in
        }
        let count = strengths.count
        try await eventually("more advertisements") { strengths.count > count + 3 }
        #expect(filtered == 0)
        await fixture.simulator.perform { $0.peripheral.rssi = -47 }
        try await eventually("a strength") { peripheral.rssi == -47 && filtered > 0 }
        await fixture.simulator.perform { $0.peripheral.rssi = 127 }
        try await eventually("none again") { peripheral.rssi == nil }
        #expect(try await peripheral.readRSSI() == -47)
    }

    @Test("A device that was never heard has no strength, and the error says why")
    @BluetoothActor func unheard() async throws {
        let fixture = try await PeripheralFixture()
        try await fixture.simulator.added(
            SimulatorFixture.device,
            ["org.bluez.Device1": ["Address": .string("BC:6A:29:00:00:01"), "Connected": .boolean(true)]])
        try await eventually("the device") { !fixture.central.retrieveKnownPeripherals().isEmpty }
        let peripheral = try #require(fixture.central.peripherals.first)
        let error = await fixture.failure { try await peripheral.readRSSI() }
        #expect(error?.code == .notSupported)
        #expect(error?.message.contains("scan for it") == true)
    }

    @Test("Without a period, a ping reads every two seconds")
    @BluetoothActor func defaultPeriod() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        var events: [String] = []
        // Calls run in the order in which they are due, however late.
        _ = BluetoothActor.after(.milliseconds(1900)) { events.append("1900 ms") }
        peripheral.startRSSIPing { _, _ in events.append("ping") }
        _ = BluetoothActor.after(.milliseconds(2100)) { events.append("2100 ms") }
        try await eventually("a ping and the times") { events.count >= 3 }
        peripheral.stopRSSIPing()
        #expect(events.prefix(3) == ["1900 ms", "ping", "2100 ms"])
    }

    @Test("A ping reads again and again until it is stopped, and the last one that was begun is the only one")
    @BluetoothActor func ping() async throws {
        let fixture = try await PeripheralFixture()
        await fixture.simulator.perform { $0.peripheral.rssi = -47 }
        let peripheral = try await fixture.find()
        var pings: [Int?] = []
        peripheral.startRSSIPing(every: .milliseconds(1)) { _, _ in Issue.record("It was replaced") }
        peripheral.startRSSIPing(every: .milliseconds(1)) { rssi, _ in pings.append(rssi) }
        try await eventually("three pings") { pings.count >= 3 }
        #expect(pings.first == -47)
        peripheral.stopRSSIPing()
        let count = pings.count
        var isOver = false
        _ = BluetoothActor.after(.milliseconds(30)) { isOver = true }
        try await eventually("the time of two more") { isOver }
        #expect(pings.count == count)
        #expect(peripheral.rssiPing == nil)
    }
}
