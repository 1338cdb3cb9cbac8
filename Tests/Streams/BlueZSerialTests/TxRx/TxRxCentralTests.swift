import BlueZDBus
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

@testable import BlueZSerial

extension SerialPorts {
    @Suite(.virtualTime) struct TxRxCentralTests {
        @Test("A scan shows all devices, and reports its beginning and its end")
        @BluetoothActor func scanning() async throws {
            let simulator = try await SerialSimulator()
            try await simulator.add("Lamp", "00:AA:02:00:00:78")
            let fixture = try await TxRxFixture(simulator)
            var isOver = false
            fixture.txRx.startScan { error in isOver = error == nil }
            #expect(fixture.txRx.isScanning)
            try await eventually("both") { fixture.txRx.devices.count == 2 }
            fixture.txRx.stopScan()
            try await eventually("the end") { isOver }
            #expect(fixture.events.map(\.name) == ["scanBegan", "found", "found", "scanEnded"])
            #expect(!fixture.txRx.isScanning)
        }

        @Test("A scan keeps a limited number of devices; the first that is not in use leaves")
        @BluetoothActor func limit() async throws {
            let simulator = try await SerialSimulator()
            let fixture = try await TxRxFixture(simulator)
            let used = try await fixture.ready()
            #expect(fixture.txRx.deviceLimit == 1_000)
            fixture.txRx.deviceLimit = 2
            fixture.txRx.startScan { _ in }
            for number in 0..<3 {
                try await fixture.simulator.add("Lamp", "00:AA:02:00:00:8\(number)")
                try await eventually("lamp \(number)") {
                    fixture.txRx.devices.contains { "\($0.peripheral.id)".hasSuffix("\(number)") }
                }
            }
            fixture.txRx.stopScan()
            try await eventually("the end") { !fixture.txRx.isScanning }
            #expect(fixture.txRx.devices.count == 2)
            #expect(fixture.txRx.devices.last?.index ?? 0 >= 2)
            #expect(used.isReady)
        }

        @Test("A second scan, and the end of none, are scan errors")
        @BluetoothActor func scanErrors() async throws {
            let fixture = try await TxRxFixture(SerialSimulator())
            fixture.txRx.stopScan()
            #expect(fixture.events.last?.error?.code == .notScanning)
            fixture.txRx.startScan { _ in }
            #expect(await fixture.failure { try await fixture.txRx.startScan() }?.code == .scanInProgress)
            #expect(fixture.events.last?.error?.code == .scanInProgress)
            #expect(fixture.txRx.isScanning)
        }

        @Test("A scan that ends by an error of Bluetooth is a scan error and an internal error")
        @BluetoothActor func internalError() async throws {
            let fixture = try await TxRxFixture(SerialSimulator())
            let scan = Task { @BluetoothActor in try await fixture.txRx.startScan() }
            try await eventually("a device") { !fixture.txRx.devices.isEmpty }
            await fixture.simulator.perform { $0.bluez.simulateCrash() }
            #expect(await fixture.failure { try await scan.value }?.code == .daemonUnavailable)
            #expect(fixture.names == ["failed", "scanFailed"])
        }

        @Test("A scan that cannot begin is a scan error, and has not begun")
        @BluetoothActor func scanThatCannotBegin() async throws {
            let fixture = try await TxRxFixture(SerialSimulator())
            try await fixture.central.setPowered(false)
            #expect(await fixture.failure { try await fixture.txRx.startScan() }?.code == .adapterOff)
            #expect(fixture.events.map(\.name) == ["failed", "scanFailed"])
        }

        @Test("A scan begins at once if another scan of the manager is in progress")
        @BluetoothActor func scanBesideAnother() async throws {
            let fixture = try await TxRxFixture(SerialSimulator())
            let found = fixture.central.scanResults()
            for try await _ in found { break }
            fixture.txRx.startScan { _ in }
            #expect(fixture.events.map(\.name) == ["scanBegan"])
            try await fixture.event("the device") { $0.name == "found" }
        }

        @Test("The task's cancellation ends a scan")
        @BluetoothActor func cancelledScan() async throws {
            let fixture = try await TxRxFixture(SerialSimulator())
            let scan = Task { @BluetoothActor in try? await fixture.txRx.startScan() }
            try await eventually("a device") { !fixture.txRx.devices.isEmpty }
            scan.cancel()
            await scan.value
            #expect(!fixture.txRx.isScanning)
        }

        @Test("Nothing is connected during a scan")
        @BluetoothActor func duringScan() async throws {
            let fixture = try await TxRxFixture(SerialSimulator())
            fixture.txRx.startScan { _ in }
            try await eventually("a device") { !fixture.txRx.devices.isEmpty }
            #expect(await fixture.failure { try await fixture.txRx.devices[0].connect() }?.code == .scanInProgress)
            #expect(fixture.names == ["connectFailed"])
        }

        @Test("A foreign device is a connect error, and its link is ended")
        @BluetoothActor func foreign() async throws {
            let fixture = try await TxRxFixture(SerialSimulator(.hm10))
            let device = try #require(try await fixture.scan().first)
            #expect(await fixture.failure { try await device.connect() }?.code == .profileNotRecognized)
            #expect(fixture.names.prefix(2) == ["connected", "connectFailed"])
            try await fixture.event("the link's end") { $0.name == "disconnected" }
            #expect(fixture.events.last?.error?.code == .profileNotRecognized)
            #expect(!device.isReady && !device.isConnecting && !device.peripheral.isConnected)
        }

        @Test("A device that does not get ready in time is a connect error")
        @BluetoothActor func connectTimer() async throws {
            let simulator = try await SerialSimulator()
            await simulator.perform { $0.peripheral.connectionFault = .stalledDiscovery }
            // Long enough for the link.
            let limit = Duration.milliseconds(300).stretched
            let fixture = try await TxRxFixture(simulator, .with { $0.connect = limit })
            let device = try #require(try await fixture.scan().first)
            #expect(await fixture.failure { try await device.connect() }?.code == .connectionTimedOut)
            try await fixture.event("the link's end") { $0.name == "disconnected" }
            #expect(fixture.names == ["connected", "connectFailed", "disconnected"])
            #expect(!device.peripheral.isConnected)
        }

        @Test("A device that cannot be connected in time is a connect error, too")
        @BluetoothActor func connectTimerWithoutLink() async throws {
            let simulator = try await SerialSimulator()
            let limit = Duration.milliseconds(50).stretched
            let fixture = try await TxRxFixture(simulator, .with { $0.connect = limit })
            let device = try #require(try await fixture.scan().first)
            await simulator.perform { $0.peripheral.simulateRangeLoss() }
            for _ in 0..<20 {
                #expect(await fixture.failure { try await device.connect() }?.code == .connectionTimedOut)
                #expect(fixture.events.last?.error?.code == .connectionTimedOut)
            }
            #expect(Set(fixture.names) == ["connectFailed"])
        }

        @Test("The link of another program stays when a device is not the right one")
        @BluetoothActor func foreignLink() async throws {
            let fixture = try await TxRxFixture(SerialSimulator(.hm10))
            let device = try #require(try await fixture.scan().first)
            // Another connection to the bus is another program to bluetoothd.
            let address = fixture.simulator.bus.description
            let other = CentralManager(bus: .address("\(address);\(address)"))
            try await other.waitUntilPoweredOn(timeout: .ample)
            try await #require(other.retrieveKnownPeripherals().first).connect()
            try await eventually("its link") { device.peripheral.isConnected }
            #expect(await fixture.failure { try await device.connect() }?.code == .profileNotRecognized)
            try await fixture.event("the end") { $0.name == "disconnected" }
            #expect(device.peripheral.isConnected && !device.isReady)
            // The program may still want its end.
            #expect(await fixture.failure { try await device.disconnect() }?.code == .notConnected)
            #expect(other.retrieveKnownPeripherals().first?.isConnected == true)
        }

        @Test("Connecting what is connected, and disconnecting what is not, are errors")
        @BluetoothActor func twice() async throws {
            let fixture = try await TxRxFixture(SerialSimulator())
            let device = try await fixture.ready()
            #expect(await fixture.failure { try await device.connect() }?.code == .alreadyConnected)
            try await device.disconnect()
            try await fixture.event("the end") { $0.name == "disconnected" }
            #expect(fixture.events.last { $0.name == "disconnected" }?.error == nil)
            #expect(!device.peripheral.isConnected)
            #expect(await fixture.failure { try await device.disconnect() }?.code == .notConnected)
            #expect(
                fixture.names == ["connected", "ready", "connectFailed", "disconnected", "deviceFailed"])
            try await device.connect()
            #expect(device.isReady)
        }

        /// Ends a link after a while, as bluetoothd does.
        private func slowSimulator() async throws -> SerialSimulator {
            let simulator = try await SerialSimulator()
            await simulator.perform { $0.bluez.timing.disconnect = .milliseconds(300) }
            return simulator
        }

        @Test("The end of a link is reported when bluetoothd has ended it, once, and before the completions")
        @BluetoothActor func disconnecting() async throws {
            let fixture = try await TxRxFixture(slowSimulator())
            let device = try await fixture.ready()
            var order: [String] = []
            fixture.txRx.eventHandler = { event in
                guard case .disconnected(let device, let error) = event else { return }
                order.append("event, \(device.peripheral.isConnected), \(error == nil)")
            }
            device.disconnect { order.append("first, \($0 == nil)") }
            device.disconnect { order.append("second, \($0 == nil)") }
            #expect(await fixture.failure { try await device.send(Data("AT".utf8)) }?.code == .notConnected)
            try await eventually("the end; there were \(order)") { order.count == 3 }
            #expect(order == ["event, false, true", "first, true", "second, true"])
        }

        @Test("bluetoothd takes 2 s to end a link, and that is when its end is reported")
        @BluetoothActor func disconnectingTakesTime() async throws {
            let fixture = try await TxRxFixture(SerialSimulator(timing: Timing()))
            let device = try await fixture.ready()
            let start = MonotonicInstant.now
            try await device.disconnect()
            #expect(MonotonicInstant.now - start >= .milliseconds(1900))
            #expect(fixture.names == ["connected", "ready", "disconnected"])
            #expect(Timing().disconnect == .seconds(2))
        }

        @Test("A device that is being disconnected can be connected again: its old link ends first")
        @BluetoothActor func connectingAgain() async throws {
            let fixture = try await TxRxFixture(slowSimulator())
            let device = try await fixture.ready()
            device.disconnect { _ in }
            try await device.connect()
            #expect(fixture.names == ["connected", "ready", "disconnected", "connected", "ready"])
            #expect(device.isReady)
        }

        @Test("A cancelled task still ends a link")
        @BluetoothActor func disconnectingWhileCancelled() async throws {
            let fixture = try await TxRxFixture(SerialSimulator())
            let device = try await fixture.ready()
            let task = Task { @BluetoothActor in try await device.disconnect() }
            // Before it begins.
            task.cancel()
            try await task.value
            #expect(fixture.names == ["connected", "ready", "disconnected"])
        }

        @Test("Disconnecting ends an attempt to connect, and the link that it made")
        @BluetoothActor func disconnectingAttempt() async throws {
            let simulator = try await SerialSimulator()
            await simulator.perform { $0.peripheral.connectionFault = .stalledDiscovery }
            let fixture = try await TxRxFixture(simulator)
            let device = try #require(try await fixture.scan().first)
            var codes: [BluetoothError.Code?] = []
            device.connect { codes.append($0?.code) }
            try await fixture.event("the link") { $0.name == "connected" }
            try await device.disconnect()
            #expect(codes == [.cancelled])
            #expect(fixture.names == ["connected", "connectFailed", "disconnected"])
            #expect(fixture.events.last { $0.name == "disconnected" }?.error == nil)
            #expect(!device.peripheral.isConnected)
        }

        @Test("If bluetoothd does not end a link, that is a device error, and its end is reported when it comes")
        @BluetoothActor func refusedDisconnecting() async throws {
            let fixture = try await TxRxFixture(SerialSimulator())
            let device = try await fixture.ready()
            let refusal = SimulatedReply.error(name: "org.bluez.Error.Failed", message: "No")
            await fixture.simulator.perform {
                $0.bluez.simulateReply(refusal, to: "Disconnect", of: "org.bluez.Device1")
            }
            #expect(await fixture.failure { try await device.disconnect() }?.code == .failed)
            #expect(fixture.names == ["connected", "ready", "deviceFailed"])
            #expect(device.peripheral.isConnected && !device.isReady)
            await fixture.simulator.disconnect()
            try await fixture.event("the end") { $0.name == "disconnected" }
            #expect(await fixture.failure { try await device.disconnect() }?.code == .notConnected)
        }

        @Test("A lost link is reported with the reason")
        @BluetoothActor func lost() async throws {
            let fixture = try await TxRxFixture(SerialSimulator())
            let device = try await fixture.ready()
            await fixture.simulator.disconnect()
            try await fixture.event("the end") { $0.name == "disconnected" }
            #expect(fixture.events.last?.error?.code == .disconnected)
            #expect(!device.isReady)
        }

        @Test("Devices are found by name and by indexed name, in any case, with indices from 0")
        @BluetoothActor func names() async throws {
            let simulator = try await SerialSimulator()
            try await simulator.add("UART", "00:AA:02:00:00:78")
            let fixture = try await TxRxFixture(simulator)
            let devices = try await fixture.scan(for: 2)
            #expect(fixture.txRx.devices.elementsEqual(devices, by: ===))
            #expect(devices.map(\.indexedName) == ["UART_0", "UART_1"])
            #expect(fixture.txRx.device(withIndexedName: "uart_1") === devices[1])
            #expect(fixture.txRx.device(withIndexedName: "UART_2") == nil)
            #expect(fixture.txRx.device(named: "uart") === devices[0])
            #expect(fixture.txRx.device(named: "other") == nil)
        }

        @Test("A device without a name is an unnamed device")
        @BluetoothActor func unnamed() async throws {
            let simulator = try await SerialSimulator()
            await simulator.perform { $0.peripheral.isAdvertising = false }
            try await simulator.add("", "00:AA:02:00:00:78")
            let fixture = try await TxRxFixture(simulator)
            let device = try #require(try await fixture.scan().first)
            #expect(device.name == "Unnamed device")
            #expect(fixture.txRx.device(withIndexedName: "unnamed device_0") === device)
        }

        @Test("Events come as a sequence too")
        @BluetoothActor func sequence() async throws {
            let fixture = try await TxRxFixture(SerialSimulator())
            let events = fixture.txRx.events()
            var names: [String] = []
            let consumer = Task { @BluetoothActor in
                for try await event in events { names.append(event.name) }
            }
            let device = try await fixture.ready()
            try await device.disconnect()
            try await eventually("the end; there were \(names)") { names.last == "disconnected" }
            consumer.cancel()
            #expect(names == ["scanBegan", "found", "scanEnded", "connected", "ready", "disconnected"])
            #expect(names == fixture.events.map(\.name))
        }

        @Test("A module's mode is switched, and a device without one says so")
        @BluetoothActor func modes() async throws {
            let simulator = try await SerialSimulator(.zentri)
            try await TxRxFixture.run(simulator) { fixture in
                let device = try await fixture.ready()
                try await device.setMode(.remoteCommand)
                #expect(await simulator.device.modes == [3])
                await simulator.perform {
                    $0.device.profile.mode.flatMap($0.peripheral.characteristic)?.faults.writeError = .writeNotPermitted
                }
                #expect(await fixture.failure { try await device.setMode(.stream) }?.code == .notPermitted)
                #expect(fixture.names.suffix(2) == ["modeChanged", "modeFailed"])
            }
            let fixture = try await TxRxFixture(SerialSimulator(.nordic))
            let device = try await fixture.ready()
            #expect(await fixture.failure { try await device.setMode(.stream) }?.code == .notSupported)
        }

        @Test("Events of a characteristic of their own are put together by a timer of their own")
        @BluetoothActor func zhaga() async throws {
            #expect(TxRxTimeouts().nextEventFragment == .milliseconds(200))
            let times = (Duration.seconds(60), Duration.milliseconds(150).stretched)
            let timeouts = TxRxTimeouts.with { ($0.nextFragment, $0.nextEventFragment) = times }
            let fixture = try await TxRxFixture(SerialSimulator(.tertiumZhaga), timeouts)
            _ = try await fixture.ready()
            await fixture.simulator.perform { simulator in
                simulator.device.sendEvent([1, 2])
                simulator.device.sendEvent([3])
            }
            try await fixture.event("the event") { $0.name == "event" }
            #expect(fixture.events.last?.data == Data([1, 2, 3]))
            await fixture.simulator.disconnect()
            try await fixture.event("the end") { $0.name == "disconnected" }
            #expect(fixture.names.suffix(3) == ["event", "eventFailed", "disconnected"])
        }
    }
}
