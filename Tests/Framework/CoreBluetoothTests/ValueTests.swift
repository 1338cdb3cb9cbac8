import BlueZSimulator
import CoreBluetooth
import TestSupport
import Testing

/// Reading, writing and notifications.
@MainActor @Suite struct ValueTests {
    private static let commands = CBUUID(string: "C0B10005-7A6B-4D5E-8F90-1A2B3C4D5E6F")
    private static let specification = CharacteristicSpecification(
        "C0B10005-7A6B-4D5E-8F90-1A2B3C4D5E6F", [.writeWithoutResponse])

    @Test("Reads and notifications arrive in the same method")
    func values() async throws {
        let stand = try await Stand()
        let (peripheral, updates) = try await stand.discover(Stand.updates)
        try await stand.next("value") { peripheral.readValue(for: updates) }
        #expect(stand.recorder.values == [Data([0])])
        try await stand.next("notifying true") { peripheral.setNotifyValue(true, for: updates) }
        #expect(updates.isNotifying)
        await stand.simulate { for number in UInt8(1)...100 { $0.notify([number]) } }
        try await eventually("all values") { stand.recorder.values.count == 101 }
        #expect(stand.recorder.values.compactMap { $0?.first } == Array(0...100))
        try await stand.next("notifying false") { peripheral.setNotifyValue(false, for: updates) }
        #expect(!updates.isNotifying)
        #expect(await stand.simulator.perform { $0.bluez.notificationSessions(of: $0.peripheral).isEmpty })
    }

    @Test("Writes are confirmed, and a long value is read back whole")
    func writing() async throws {
        let stand = try await Stand()
        let (peripheral, value) = try await stand.discover(Stand.value)
        let long = pattern(500)
        try await stand.next("written") { peripheral.writeValue(long, for: value, type: .withResponse) }
        #expect(stand.recorder.error == nil)
        #expect(await stand.simulator.writes == [[UInt8](long)])
        try await stand.next("value") { peripheral.readValue(for: value) }
        #expect(value.value == long)
    }

    @Test("What the peripheral refuses has the code of the Attribute Protocol, and CoreBlueZ's error below it")
    func refusals() async throws {
        let stand = try await Stand()
        let (peripheral, value) = try await stand.discover(Stand.value)
        await stand.simulate {
            $0.valueCharacteristic?.faults.readError = ATTError(rawValue: 0x80)
            $0.valueCharacteristic?.faults.writeError = .insufficientResources
        }
        try await stand.next("value") { peripheral.readValue(for: value) }
        let error = try #require(stand.recorder.error as? CBATTError)
        #expect(error.errorCode == 0x80 && error.code == .other(0x80))
        #expect(error.userInfo[NSUnderlyingErrorKey] != nil && !error.localizedDescription.isEmpty)
        try await stand.next("written") { peripheral.writeValue(Data([1]), for: value, type: .withResponse) }
        #expect((stand.recorder.error as? CBATTError)?.code == .insufficientResources)
        try await stand.next("notifying false") { peripheral.setNotifyValue(true, for: value) }
        #expect((stand.recorder.error as? CBATTError)?.code == .requestNotSupported)
        try await stand.next("written") { peripheral.writeValue(pattern(513), for: value, type: .withResponse) }
        #expect((stand.recorder.error as? CBATTError)?.code == .invalidAttributeValueLength)
    }

    @Test("Writes without response are held up while bluetoothd takes none, and go on after peripheralIsReady")
    func commands() async throws {
        let stand = try await Stand(more: [Self.specification])
        let (peripheral, commands) = try await stand.discover(Self.commands)
        #expect(peripheral.canSendWriteWithoutResponse)
        var sent: [UInt8] = []
        while peripheral.canSendWriteWithoutResponse, sent.count < 255 {
            sent.append(UInt8(sent.count))
            peripheral.writeValue(Data(sent.suffix(1)), for: commands, type: .withoutResponse)
        }
        // Nothing on the main queue has run meanwhile.
        #expect(sent.count < 255)
        try await eventually("room") { stand.recorder.count("ready") == 1 }
        #expect(peripheral.canSendWriteWithoutResponse)
        try await eventually("all") { await stand.simulator.writes.count == sent.count }
        #expect(await stand.simulator.writes == sent.map { [$0] })
        #expect(stand.recorder.count("written") == 0)
    }

    @Test(
        "The greatest length of a write follows from the link's MTU, which is known after discovery",
        arguments: [(UInt16(23), 20), (185, 182), (517, 512)])
    func lengths(mtu: UInt16, length: Int) async throws {
        var specification = SimulatorFixture.specification()
        specification.maximumMTU = mtu
        let stand = try await Stand(SimulatorFixture(.init(timing: .instant), peripheral: specification))
        let peripheral = try await stand.connect()
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 20)
        #expect(peripheral.maximumWriteValueLength(for: .withResponse) == 512)
        try await stand.next("services") { peripheral.discoverServices(nil) }
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == length)
        #expect(peripheral.maximumWriteValueLength(for: .withResponse) == 512)
        try await stand.next("disconnected") { stand.central.cancelPeripheralConnection(peripheral) }
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 20)
    }

    @Test("The signal strength is that of the last advertisement")
    func signalStrength() async throws {
        let stand = try await Stand()
        let peripheral = try await stand.connect()
        try await stand.next("rssi") { peripheral.readRSSI() }
        #expect(stand.recorder.rssi == -60 && stand.recorder.error == nil)
    }

    @Test("What is pending when the link ends fails before the end is reported")
    func pending() async throws {
        let stand = try await Stand()
        let (peripheral, value) = try await stand.discover(Stand.value)
        await stand.simulate { $0.valueCharacteristic?.faults.losesReplies = true }
        peripheral.readValue(for: value)
        // bluetoothd itself reads the name and the appearance.
        try await eventually("the read") {
            await stand.simulator.perform { $0.peripheral.log.contains { $0.uuid == SimulatorFixture.value } }
        }
        await stand.simulator.disconnect()
        try await eventually("the end") { stand.recorder.count("disconnected") == 1 }
        #expect(stand.recorder.events.suffix(2) == ["value", "disconnected"])
    }
}
