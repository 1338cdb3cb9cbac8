import BlueZSimulator
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// A link that is there whenever it can be, to a device that nobody has seen yet.
@Suite(.virtualTime) struct KeptConnectionTests {
    static let address = BluetoothAddress("BC:6A:29:00:00:01")
    static let policy = ReconnectPolicy(firstDelay: .milliseconds(1))

    /// What was reported, in words.
    @BluetoothActor final class Record {
        private(set) var words: [String] = []
        private(set) var errors: [BluetoothError.Code?] = []

        func note<Kind>(_ state: KeptConnection<Kind>.State) {
            switch state {
            case .unavailable(let error): note("unavailable", error)
            case .searching: note("searching", nil)
            case .connecting(let peripheral): note("connecting \(peripheral.displayName)", nil)
            case .connected(let peripheral): note("connected \(peripheral.displayName)", nil)
            case .disconnected(let error): note("disconnected", error)
            case .stopped(let error): note("stopped", error)
            }
        }

        func note(_ word: String, _ error: BluetoothError? = nil) {
            words.append(word)
            errors.append(error?.code)
        }

        func count(_ word: String) -> Int { words.filter { $0.hasPrefix(word) }.count }
        /// The errors that came with a word.
        func codes(_ word: String) -> [BluetoothError.Code?] {
            zip(words, errors).filter { $0.0 == word }.map(\.1)
        }
    }

    private final class Known: Peripheral {}

    @Test("A device that nobody has seen is found by its address, connected, and connected again, until it is stopped")
    @BluetoothActor func address() async throws {
        let fixture = try await PeripheralFixture()
        await fixture.simulator.vanish()
        try await fixture.simulator.perform { try $0.add("Stranger", "BC:6A:29:00:00:02") }
        fixture.central.knownPeripheralNames = ["Nobody"]
        let record = Record()
        let connection = fixture.central.keepConnected(to: try #require(Self.address), policy: Self.policy) {
            record.note($0)
        }
        try await eventually("the search") { record.words == ["searching"] }
        #expect(!fixture.central.isScanning)
        fixture.central.stopScan()
        try await eventually("the stranger") {
            fixture.central.client.mirror.devices.values.contains { $0.name == "Stranger" }
        }
        await fixture.simulator.peripheral.simulateReturn()
        try await eventually("the link") { record.count("connected Watch") == 1 }
        #expect(record.words == ["searching", "connecting Watch", "connected Watch"])
        #expect(connection.peripheral?.isConnected == true)
        #expect(fixture.central.peripherals.map(\.name) == ["Watch"])
        await fixture.simulator.disconnect()
        try await eventually("the next link") { record.count("connected Watch") == 2 }
        #expect(record.words[3] == "disconnected")
        #expect(record.errors[3] == .disconnected)
        try await connection.stop()
        #expect(connection.peripheral?.isConnected == false)
        #expect(record.words.last == "stopped")
        #expect(record.errors.last == .some(nil))
        #expect(connection.peripheral?.isReconnecting == false)
        #expect(fixture.central.keptConnections.isEmpty)
        let count = record.words.count
        for _ in 0..<3 { try await fixture.central.barrier() }
        #expect(record.words.count == count)
    }

    @Test("By a name, and by a class, the one that fits is found among others, and subscriptions come back")
    @BluetoothActor func fitting() async throws {
        let fixture = try await PeripheralFixture()
        try await fixture.simulator.perform { try $0.add("Stranger", "BC:6A:29:00:00:02") }
        fixture.central.peripheralBuilder = { $0.name == "Watch" ? Known($0) : Peripheral($0) }
        let connection = fixture.central.keepConnected(as: Known.self, named: "Watch", policy: Self.policy)
        let record = Record()
        let states = Task { @BluetoothActor in
            for try await state in connection.states() { record.note(state) }
        }
        try await eventually("the link") { record.count("connected Watch") == 1 }
        let peripheral: Known = try #require(connection.peripheral)
        for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
        let updates = try fixture.updates(of: peripheral)
        try await updates.setNotifyValue(true)
        await fixture.simulator.disconnect()
        try await eventually("the next link") { record.count("connected Watch") == 2 }
        #expect(try fixture.updates(of: peripheral).isNotifying)
        var ends: [BluetoothError?] = []
        connection.stop { ends.append($0) }
        try await states.value
        try await eventually("the end") { ends == [nil] }
        #expect(record.words.last == "stopped")
    }

    @Test(
        "A link that is there already is kept, and one that another program makes ends the search",
        arguments: [true, false])
    @BluetoothActor func present(before: Bool) async throws {
        let fixture = try await PeripheralFixture()
        let other = CentralManager(bus: fixture.simulator.bus)
        let theirs = try await other.firstPeripheral(timeout: .ample)
        try await eventually("the end of the scan") { theirs.rssi == nil }
        if before { try await theirs.connect() }
        await fixture.simulator.succeedWithoutEffect("StartDiscovery", of: BlueZ.adapter, times: 20)
        let record = Record()
        let connection = fixture.central.keepConnected(named: "Watch", policy: Self.policy) { record.note($0) }
        try await eventually("the search") { record.count("searching") == 1 }
        if !before { try await theirs.connect() }
        try await eventually("the link") { record.count("connected Watch") == 1 }
        #expect(record.words == ["searching", "connected Watch"])
        try await connection.stop()
        #expect(fixture.central.scans.isEmpty)
    }

    @Test("Without Bluetooth it says why, and begins when there is some")
    @BluetoothActor func unavailable() async throws {
        let fixture = try await PeripheralFixture()
        try await fixture.central.setPowered(false)
        try await eventually("the loss of power") { fixture.central.state == .poweredOff }
        let record = Record()
        let connection = fixture.central.keepConnected(named: "Watch", policy: Self.policy) { record.note($0) }
        try await eventually("the reason") { record.words == ["unavailable"] }
        #expect(record.errors == [.adapterOff])
        try await fixture.central.setPowered(true)
        try await eventually("the link") { record.count("connected Watch") == 1 }
        try await connection.stop()
    }

    @Test("A search that bluetoothd's end interrupts goes on with the next one")
    @BluetoothActor func restart() async throws {
        let fixture = try await PeripheralFixture()
        await fixture.simulator.vanish()
        let record = Record()
        let connection = fixture.central.keepConnected(named: "Watch", policy: Self.policy) { record.note($0) }
        try await eventually("the search") { record.words == ["searching"] }
        await fixture.simulator.restart()
        try await eventually("the next search") { record.count("searching") == 2 }
        await fixture.simulator.peripheral.simulateReturn()
        try await eventually("the link") { record.count("connected Watch") == 1 }
        try await connection.stop()
    }

    @Test("A search that fails is begun again as often as the policy says, and its last error is the reason of the end")
    @BluetoothActor func givesUp() async throws {
        let fixture = try await PeripheralFixture()
        await fixture.simulator.refuse(
            "StartDiscovery", of: BlueZ.adapter, SimulatorFixture.bluezError + "Failed", "No", times: 20)
        let record = Record()
        let policy = ReconnectPolicy(attempts: 2, firstDelay: .milliseconds(1))
        fixture.central.keepConnected(named: "Watch", policy: policy) { record.note($0) }
        try await eventually("the end") { record.count("stopped") == 1 }
        #expect(record.words == ["searching", "disconnected", "searching", "stopped"])
        #expect(record.codes("stopped") == [.failed])
        #expect(fixture.central.keptConnections.isEmpty)
    }

    @Test("Attempts to connect that the policy has used up end it with the last error")
    @BluetoothActor func attempts() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        await fixture.simulator.vanish()
        let record = Record()
        var givenUp = 0
        let policy = ReconnectPolicy(
            attempts: 2, firstDelay: .milliseconds(1),
            options: ConnectOptions(timeout: .milliseconds(50), retries: 0)
        ) { _, _ in
            givenUp += 1
        }
        fixture.central.keepConnected(to: try #require(Self.address), policy: policy) { record.note($0) }
        try await eventually("the end") { record.count("stopped") == 1 }
        #expect(record.count("connecting Watch") == 2)
        #expect(record.codes("stopped") == [.connectionTimedOut])
        #expect(givenUp == 1)
        #expect(!peripheral.isReconnecting)
    }

    @Test("A policy that replaces the first one ends it with the last error too")
    @BluetoothActor func replacedPolicy() async throws {
        let fixture = try await PeripheralFixture()
        let record = Record()
        let connection = fixture.central.keepConnected(named: "Watch", policy: Self.policy) { record.note($0) }
        try await eventually("the link") { record.count("connected Watch") == 1 }
        connection.peripheral?.reconnectPolicy = ReconnectPolicy(
            attempts: 1, firstDelay: .milliseconds(1),
            options: ConnectOptions(timeout: .milliseconds(50), retries: 0))
        await fixture.simulator.vanish()
        try await eventually("the end") { record.count("stopped") == 1 }
        #expect(record.codes("stopped") == [.connectionTimedOut])
        #expect(fixture.central.keptConnections.isEmpty)
    }

    enum End: CaseIterable { case disconnect, remove, forget, manager, search }

    @Test("Whatever ends the link for good ends it", arguments: End.allCases)
    @BluetoothActor func ends(by end: End) async throws {
        let simulator = try await SimulatorFixture()
        var central: CentralManager? = CentralManager(bus: simulator.bus)
        let record = Record()
        if end == .search { await simulator.vanish() }
        let connection = central?.keepConnected(named: "Watch", policy: Self.policy) { record.note($0) }
        if end == .search {
            try await eventually("the search") { record.count("searching") == 1 }
            try await connection?.stop()
        } else {
            try await eventually("the link") { record.count("connected Watch") == 1 }
            let peripheral = try #require(connection?.peripheral)
            switch end {
            case .disconnect: try await peripheral.disconnect()
            case .remove: central?.removePeripheral(peripheral)
            case .forget: try await central?.forgetPeripheral(peripheral)
            case .manager: central = nil
            case .search: break
            }
        }
        try await eventually("the end") { record.count("stopped") == 1 }
        let codes: [End: BluetoothError.Code?] = [
            .disconnect: nil, .remove: .cancelled, .forget: .peripheralGone, .manager: .cancelled, .search: nil,
        ]
        #expect(record.codes("stopped") == [codes[end] ?? nil])
        #expect(central?.keptConnections.isEmpty != false)
    }

    @Test("A second connection that finds the same device says that it is kept already")
    @BluetoothActor func twice() async throws {
        let fixture = try await PeripheralFixture()
        let first = fixture.central.keepConnected(named: "Watch", policy: Self.policy)
        try await eventually("the link") { first.peripheral?.isConnected == true }
        let record = Record()
        fixture.central.keepConnected(named: "Watch") { record.note($0) }
        try await eventually("the refusal") { record.count("stopped") == 1 }
        #expect(record.codes("stopped") == [.busy])
        #expect(first.peripheral?.isConnected == true)
        try await first.stop()
    }

    @Test("A device that changes its private address is found again by its name")
    @BluetoothActor func privateAddress() async throws {
        let fixture = try await PeripheralFixture()
        await fixture.simulator.vanish()
        let rover = try await fixture.simulator.addRover("4A:00:00:00:00:01")
        let record = Record()
        let policy = ReconnectPolicy(
            firstDelay: .milliseconds(1),
            options: ConnectOptions(timeout: .milliseconds(200).stretched, retries: 0))
        let connection = fixture.central.keepConnected(named: "Rover", policy: policy) { record.note($0) }
        try await eventually("the link") { record.count("connected Rover") == 1 }
        let first = connection.peripheral
        await rover.simulateRangeLoss()
        _ = try await fixture.simulator.addRover("4A:00:00:00:00:02")
        try await eventually("the next link") { record.count("connected Rover") == 2 }
        #expect(connection.peripheral !== first)
        #expect(first?.isReconnecting == false)
        try await connection.stop()
    }
}

extension SimulatorFixture {
    fileprivate func addRover(_ address: String) throws -> SimulatedPeripheral {
        try bluez.add(
            PeripheralSpecification(
                name: "Rover", address: address, addressType: .random,
                advertisingInterval: .milliseconds(100)))
    }
}
