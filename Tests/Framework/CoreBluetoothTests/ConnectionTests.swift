import BlueZSimulator
import CoreBluetooth
import TestSupport
import Testing

/// Connecting, and the ends of links.
@MainActor @Suite struct ConnectionTests {
    @Test("A peripheral is connected until the program ends the link, which is no error")
    func connecting() async throws {
        let stand = try await Stand()
        let peripheral = try await stand.find()
        #expect(peripheral.state == .disconnected)
        stand.central.connect(peripheral)
        #expect(peripheral.state == .connecting)
        try await eventually("the link") { peripheral.state == .connected }
        #expect(stand.recorder.count("connected") == 1)
        #expect(await stand.simulator.perform { $0.peripheral.isConnected })
        try await stand.next("disconnected") {
            stand.central.cancelPeripheralConnection(peripheral)
            #expect(peripheral.state == .disconnecting)
        }
        #expect(peripheral.state == .disconnected && stand.recorder.error == nil)
        #expect(await stand.simulator.perform { !$0.peripheral.isConnected })
    }

    @Test("A peripheral that is connected already is reported as connected once more")
    func twice() async throws {
        let stand = try await Stand()
        let peripheral = try await stand.connect()
        try await stand.next("connected") { stand.central.connect(peripheral) }
        #expect(peripheral.state == .connected)
    }

    @Test("A peripheral can be connected again while its link ends")
    func again() async throws {
        let stand = try await Stand()
        let (peripheral, value) = try await stand.discover(Stand.value)
        try await stand.next("connected") {
            stand.central.cancelPeripheralConnection(peripheral)
            stand.central.connect(peripheral)
            #expect(peripheral.state == .connecting)
        }
        #expect(stand.recorder.events.suffix(2) == ["disconnected", "connected"])
        #expect(peripheral.state == .connected && peripheral.services == nil && value.service?.peripheral == nil)
        #expect(await stand.simulator.perform { $0.peripheral.isConnected })
    }

    @Test("A link that the peripheral ends is an error, and its attributes are gone")
    func lost() async throws {
        let stand = try await Stand()
        let (peripheral, value) = try await stand.discover(Stand.value)
        let service = value.service
        await stand.simulator.disconnect()
        try await eventually("the end") { stand.recorder.count("disconnected") == 1 }
        let error = stand.recorder.error as? CBError
        #expect(error?.code == .peripheralDisconnected)
        #expect(error?.userInfo[NSUnderlyingErrorKey] != nil)
        #expect(peripheral.state == .disconnected && peripheral.services == nil)
        #expect(service?.peripheral == nil && !stand.recorder.isReconnecting)
    }

    // BlueZ reports reasons from 5.83 on.
    @Test(
        "A link that is lost has the reason that bluetoothd reports; without one, the peripheral counts as having ended it",
        arguments: [
            (true, true, CBError.Code.connectionTimeout), (true, false, .peripheralDisconnected),
            (false, true, .peripheralDisconnected), (false, false, .peripheralDisconnected),
        ])
    func reason(isReported: Bool, isOutOfRange: Bool, code: CBError.Code) async throws {
        var configuration = SimulatedBlueZ.Configuration(timing: .instant)
        configuration.version = isReported ? .v5_87 : .v5_66
        let stand = try await Stand(SimulatorFixture(configuration))
        _ = try await stand.connect()
        if isOutOfRange {
            await stand.simulate { $0.peripheral.simulateRangeLoss() }
        } else {
            await stand.simulator.disconnect()
        }
        try await eventually("the end") { stand.recorder.count("disconnected") == 1 }
        #expect((stand.recorder.error as? CBError)?.code == code)
    }

    @Test("A peripheral out of range is connected when it is back")
    func outOfRange() async throws {
        let stand = try await Stand()
        let peripheral = try await stand.beginConnecting()
        #expect(peripheral.state == .connecting)
        await stand.simulate { $0.peripheral.simulateReturn() }
        try await eventually("the link") { peripheral.state == .connected }
    }

    @Test("An attempt that fails is repeated when the peripheral is heard")
    func repeated() async throws {
        let stand = try await Stand()
        let peripheral = try await stand.find()
        await stand.simulate {
            $0.keepCalls()
            $0.peripheral.connectionFault = .failure("le-connection-abort-by-local", after: .zero)
        }
        stand.central.connect(peripheral)
        // The retries of the first attempt, and then the search.
        try await eventually("the search") { await stand.simulator.perform { $0.bluez.adapters[0].isDiscovering } }
        #expect(await stand.simulator.calls("Connect").count == 4)
        await stand.simulate { $0.peripheral.connectionFault = nil }
        // Half of the time until the next attempt, which would follow anyway.
        try await eventually("the link", within: .seconds(15)) { peripheral.state == .connected }
        #expect(stand.recorder.count("failed") == 0)
        try await eventually("no search") { await stand.simulator.perform { !$0.bluez.adapters[0].isDiscovering } }
    }

    @Test("Peripherals that bluetoothd has forgotten are searched for, and connected when they are back")
    func forgotten() async throws {
        let stand = try await Stand()
        let second = try await stand.simulator.add("Strap", "BC:6A:29:00:00:02")
        stand.central.scanForPeripherals(withServices: nil)
        try await eventually("both") { stand.recorder.discoveries.count == 2 }
        stand.central.stopScan()
        let peripherals = stand.recorder.discoveries.map(\.peripheral)
        try await eventually("the end") { await stand.simulator.perform { !$0.bluez.adapters[0].isDiscovering } }
        await stand.simulate {
            $0.peripheral.isAdvertising = false
            second.isAdvertising = false
            for peripheral in [$0.peripheral, second] { $0.bluez.simulateDeviceRemoval(of: peripheral) }
        }
        for peripheral in peripherals { stand.central.connect(peripheral) }
        try await eventually("the search") { await stand.simulator.perform { $0.bluez.adapters[0].isDiscovering } }
        await stand.simulate {
            $0.peripheral.isAdvertising = true
            second.isAdvertising = true
        }
        try await eventually("both links") { peripherals.allSatisfy { $0.state == .connected } }
        #expect(stand.recorder.count("connected") == 2)
    }

    @Test("A pending attempt is cancelled: nothing connects the peripheral later")
    func cancelled() async throws {
        let stand = try await Stand()
        let peripheral = try await stand.beginConnecting()
        try await stand.next("disconnected") { stand.central.cancelPeripheralConnection(peripheral) }
        #expect(peripheral.state == .disconnected && stand.recorder.error == nil)
        // Half of the attempt's timeout.
        try await eventually("the withdrawal", within: .seconds(5)) {
            await !stand.simulator.calls("Disconnect").isEmpty
        }
        await stand.simulate { $0.peripheral.simulateReturn() }
        _ = try await stand.find()
        #expect(await stand.simulator.perform { !$0.peripheral.isConnected })
        #expect(stand.recorder.count("connected") == 0)
        try await stand.next("connected") { stand.central.connect(peripheral) }
    }

    @Test("An error that further attempts cannot change is a failure")
    func failure() async throws {
        let stand = try await Stand()
        let peripheral = try await stand.find()
        await stand.simulate {
            $0.bluez.simulateReply(
                .error(name: "org.bluez.Error.Failed", message: "le-connection-key-missing"), to: "Connect",
                of: "org.bluez.Device1")
        }
        try await stand.next("failed") { stand.central.connect(peripheral) }
        #expect((stand.recorder.error as? CBError)?.code == .peerRemovedPairingInformation)
        #expect(peripheral.state == .disconnected)
        try await stand.next("connected") { stand.central.connect(peripheral) }
    }

    @Test("When Bluetooth is switched off, nothing is pending any more")
    func poweredOff() async throws {
        let stand = try await Stand()
        let peripheral = try await stand.beginConnecting()
        await stand.simulate { $0.bluez.adapters[0].simulatePower(false) }
        try await eventually("the state") { stand.recorder.states.last == .poweredOff }
        #expect(peripheral.state == .disconnected)
        #expect(stand.recorder.count("failed") == 0)
    }

    @Test("A peripheral with automatic reconnection is connected again when its link is lost")
    func reconnecting() async throws {
        let stand = try await Stand()
        let peripheral = try await stand.find()
        try await stand.next("connected") {
            stand.central.connect(peripheral, options: [CBConnectPeripheralOptionEnableAutoReconnect: true])
        }
        await stand.simulator.disconnect()
        try await eventually("the second link") { stand.recorder.count("connected") == 2 }
        #expect(stand.recorder.isReconnecting && stand.recorder.count("disconnected") == 1)
        try await stand.next("disconnected") { stand.central.cancelPeripheralConnection(peripheral) }
        #expect(!stand.recorder.isReconnecting && peripheral.state == .disconnected)
    }

    @Test("A start delay delays the first attempt")
    func delay() async throws {
        let stand = try await Stand()
        let peripheral = try await stand.find()
        let start = ContinuousClock.now
        try await stand.next("connected") {
            stand.central.connect(peripheral, options: [CBConnectPeripheralOptionStartDelayKey: 0.2 as NSNumber])
        }
        #expect(start.duration(to: .now) >= .milliseconds(200))
    }
}
