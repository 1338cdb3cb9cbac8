import BlueZSimulator
import CoreBlueZ
import Foundation
import SimulatedSerial
import Testing

@testable import BLESerial

extension SerialPorts {
    @Suite struct TxRxCentralTests {
        @Test("A scan shows all devices, and reports its beginning and its end")
        func scanning() async throws {
            let world = try await SerialWorld()
            try await world.addForeign()
            try await TxRxStage.run(world) { stage in
                var isOver = false
                stage.central.startScan { error in isOver = error == nil }
                #expect(stage.central.isScanning)
                try await Patience.wait(for: "both") { stage.central.devices.count == 2 }
                stage.central.stopScan()
                try await Patience.wait(for: "the end") { isOver }
                #expect(stage.events.map(\.name) == ["scanBegan", "found", "found", "scanEnded"])
                #expect(!stage.central.isScanning)
            }
        }

        @Test("A scan keeps a limited number of devices; the first that is not in use leaves")
        func limit() async throws {
            let world = try await SerialWorld()
            try await TxRxStage.run(world) { stage in
                let used = try await stage.ready()
                stage.central.deviceLimit = 2
                stage.central.startScan { _ in }
                for number in 0..<3 {
                    try await stage.world.addForeign(name: "Lamp", address: "00:AA:02:00:00:8\(number)")
                    try await Patience.wait(for: "lamp \(number)") {
                        stage.central.devices.contains { "\($0.peripheral.id)".hasSuffix("\(number)") }
                    }
                }
                stage.central.stopScan()
                try await Patience.wait(for: "the end") { !stage.central.isScanning }
                #expect(stage.central.devices.count == 2)
                #expect(stage.central.devices.last?.index ?? 0 >= 2)
                #expect(used.isReady)
            }
        }

        @Test("A second scan, and the end of none, are scan errors")
        func scanErrors() async throws {
            try await TxRxStage.run(SerialWorld()) { stage in
                stage.central.stopScan()
                #expect(stage.events.last?.error?.code == .notScanning)
                stage.central.startScan { _ in }
                #expect(await stage.failure { try await stage.central.startScan() }?.code == .scanInProgress)
                #expect(stage.events.last?.error?.code == .scanInProgress)
                #expect(stage.central.isScanning)
            }
        }

        @Test("A scan that ends by an error of Bluetooth is a scan error and an internal error")
        func internalError() async throws {
            try await TxRxStage.run(SerialWorld()) { stage in
                let scan = Task { @BluetoothActor in try await stage.central.startScan() }
                try await Patience.wait(for: "a device") { !stage.central.devices.isEmpty }
                await stage.world.perform { $0.bluez.simulateCrash() }
                #expect(await stage.failure { try await scan.value }?.code == .daemonUnavailable)
                #expect(stage.names == ["failed", "scanFailed"])
            }
        }

        @Test("A scan that cannot begin is a scan error, and has not begun")
        func scanThatCannotBegin() async throws {
            try await TxRxStage.run(SerialWorld()) { stage in
                try await stage.central.central.setPowered(false)
                #expect(await stage.failure { try await stage.central.startScan() }?.code == .adapterOff)
                #expect(stage.events.map(\.name) == ["failed", "scanFailed"])
            }
        }

        @Test("A scan begins at once if another scan of the manager is in progress")
        func scanBesideAnother() async throws {
            try await TxRxStage.run(SerialWorld()) { stage in
                let found = stage.central.central.scanResults()
                for try await _ in found { break }
                stage.central.startScan { _ in }
                #expect(stage.events.map(\.name) == ["scanBegan"])
                try await stage.event("the device") { $0.name == "found" }
            }
        }

        @Test("The task's cancellation ends a scan")
        func cancelledScan() async throws {
            try await TxRxStage.run(SerialWorld()) { stage in
                let scan = Task { @BluetoothActor in try? await stage.central.startScan() }
                try await Patience.wait(for: "a device") { !stage.central.devices.isEmpty }
                scan.cancel()
                await scan.value
                #expect(!stage.central.isScanning)
            }
        }

        @Test("Nothing is connected during a scan")
        func duringScan() async throws {
            try await TxRxStage.run(SerialWorld()) { stage in
                stage.central.startScan { _ in }
                try await Patience.wait(for: "a device") { !stage.central.devices.isEmpty }
                #expect(await stage.failure { try await stage.central.devices[0].connect() }?.code == .scanInProgress)
                #expect(stage.names == ["connectFailed"])
            }
        }

        @Test("A foreign device is a connect error, and its link is ended")
        func foreign() async throws {
            try await TxRxStage.run(SerialWorld(.hm10)) { stage in
                let device = try #require(try await stage.scan().first)
                #expect(await stage.failure { try await device.connect() }?.code == .profileNotRecognized)
                #expect(stage.names.prefix(2) == ["connected", "connectFailed"])
                try await stage.event("the link's end") { $0.name == "disconnected" }
                #expect(stage.events.last?.error?.code == .profileNotRecognized)
                #expect(!device.isReady && !device.isConnecting && !device.peripheral.isConnected)
            }
        }

        @Test("A device that does not get ready in time is a connect error")
        func connectTimer() async throws {
            let world = try await SerialWorld()
            await world.perform { $0.peripheral.connectionFault = .stalledDiscovery }
            try await TxRxStage.run(world, .with { $0.connect = .milliseconds(300) }) { stage in
                let device = try #require(try await stage.scan().first)
                #expect(await stage.failure { try await device.connect() }?.code == .connectionTimedOut)
                try await stage.event("the link's end") { $0.name == "disconnected" }
                #expect(stage.names == ["connected", "connectFailed", "disconnected"])
                #expect(!device.peripheral.isConnected)
            }
        }

        @Test("Connecting what is connected, and disconnecting what is not, are errors")
        func twice() async throws {
            try await TxRxStage.run(SerialWorld()) { stage in
                let device = try await stage.ready()
                #expect(await stage.failure { try await device.connect() }?.code == .alreadyConnected)
                try await device.disconnect()
                try await stage.event("the end") { $0.name == "disconnected" }
                #expect(stage.events.last { $0.name == "disconnected" }?.error == nil)
                #expect(!device.peripheral.isConnected)
                #expect(await stage.failure { try await device.disconnect() }?.code == .notConnected)
                #expect(
                    stage.names == ["connected", "ready", "connectFailed", "disconnected", "deviceFailed"])
                try await device.connect()
                #expect(device.isReady)
            }
        }

        /// How bluetoothd ends a link: after 2 s.
        private func slowWorld() async throws -> SerialWorld {
            let world = try await SerialWorld()
            await world.perform { $0.bluez.timing.disconnect = .seconds(2) }
            return world
        }

        @Test("The end of a link is reported when bluetoothd has ended it, once, and before the completions")
        func disconnecting() async throws {
            try await TxRxStage.run(slowWorld()) { stage in
                let device = try await stage.ready()
                var order: [String] = []
                stage.central.eventHandler = { event in
                    guard case .disconnected(let device, let error) = event else { return }
                    order.append("event, \(device.peripheral.isConnected), \(error == nil)")
                }
                device.disconnect { order.append("first, \($0 == nil)") }
                device.disconnect { order.append("second, \($0 == nil)") }
                #expect(await stage.failure { try await device.send(Data("AT".utf8)) }?.code == .notConnected)
                try await Patience.wait(for: "the end; there were \(order)") { order.count == 3 }
                #expect(order == ["event, false, true", "first, true", "second, true"])
            }
        }

        @Test("A device that is being disconnected can be connected again: its old link ends first")
        func connectingAgain() async throws {
            try await TxRxStage.run(slowWorld()) { stage in
                let device = try await stage.ready()
                device.disconnect { _ in }
                try await device.connect()
                #expect(stage.names == ["connected", "ready", "disconnected", "connected", "ready"])
                #expect(device.isReady)
            }
        }

        @Test("A cancelled task still ends a link")
        func disconnectingWhileCancelled() async throws {
            try await TxRxStage.run(SerialWorld()) { stage in
                let device = try await stage.ready()
                let task = Task { @BluetoothActor in try await device.disconnect() }
                // Before it begins.
                task.cancel()
                try await task.value
                #expect(stage.names == ["connected", "ready", "disconnected"])
            }
        }

        @Test("Disconnecting ends an attempt to connect, and the link that it made")
        func disconnectingAttempt() async throws {
            let world = try await SerialWorld()
            await world.perform { $0.peripheral.connectionFault = .stalledDiscovery }
            try await TxRxStage.run(world) { stage in
                let device = try #require(try await stage.scan().first)
                var codes: [BluetoothError.Code?] = []
                device.connect { codes.append($0?.code) }
                try await stage.event("the link") { $0.name == "connected" }
                try await device.disconnect()
                #expect(codes == [.cancelled])
                #expect(stage.names == ["connected", "connectFailed", "disconnected"])
                #expect(stage.events.last { $0.name == "disconnected" }?.error == nil)
                #expect(!device.peripheral.isConnected)
            }
        }

        @Test("If bluetoothd does not end a link, that is a device error, and its end is reported when it comes")
        func refusedDisconnecting() async throws {
            try await TxRxStage.run(SerialWorld()) { stage in
                let device = try await stage.ready()
                let refusal = SimulatedReply.error(name: "org.bluez.Error.Failed", message: "No")
                await stage.world.perform {
                    $0.bluez.simulateReply(refusal, to: "Disconnect", of: "org.bluez.Device1")
                }
                #expect(await stage.failure { try await device.disconnect() }?.code == .failed)
                #expect(stage.names == ["connected", "ready", "deviceFailed"])
                #expect(device.peripheral.isConnected && !device.isReady)
                await stage.world.disconnect()
                try await stage.event("the end") { $0.name == "disconnected" }
                #expect(await stage.failure { try await device.disconnect() }?.code == .notConnected)
            }
        }

        @Test("A lost link is reported with the reason")
        func lost() async throws {
            try await TxRxStage.run(SerialWorld()) { stage in
                let device = try await stage.ready()
                await stage.world.disconnect()
                try await stage.event("the end") { $0.name == "disconnected" }
                #expect(stage.events.last?.error?.code == .disconnected)
                #expect(!device.isReady)
            }
        }

        @Test("Devices are found by name and by indexed name, in any case, with indices from 0")
        func names() async throws {
            let world = try await SerialWorld()
            try await world.addForeign(name: "UART")
            try await TxRxStage.run(world) { stage in
                let devices = try await stage.scan(for: 2)
                #expect(stage.central.devices.elementsEqual(devices, by: ===))
                #expect(devices.map(\.indexedName) == ["UART_0", "UART_1"])
                #expect(stage.central.device(withIndexedName: "uart_1") === devices[1])
                #expect(stage.central.device(withIndexedName: "UART_2") == nil)
                #expect(stage.central.device(named: "uart") === devices[0])
                #expect(stage.central.device(named: "other") == nil)
            }
        }

        @Test("A device without a name is an unnamed device")
        func unnamed() async throws {
            let world = try await SerialWorld()
            await world.perform { $0.peripheral.isAdvertising = false }
            try await world.addForeign(name: "")
            try await TxRxStage.run(world) { stage in
                let device = try #require(try await stage.scan().first)
                #expect(device.name == "Unnamed device")
                #expect(stage.central.device(withIndexedName: "unnamed device_0") === device)
            }
        }

        @Test("Events come as a sequence too")
        func sequence() async throws {
            try await TxRxStage.run(SerialWorld()) { stage in
                let events = stage.central.events()
                var names: [String] = []
                let consumer = Task { @BluetoothActor in
                    for try await event in events { names.append(event.name) }
                }
                let device = try await stage.ready()
                try await device.disconnect()
                try await Patience.wait(for: "the end; there were \(names)") { names.last == "disconnected" }
                consumer.cancel()
                #expect(names == ["scanBegan", "found", "scanEnded", "connected", "ready", "disconnected"])
                #expect(names == stage.events.map(\.name))
            }
        }

        @Test("The timeouts begin with the values that TxRxLibrary has")
        func defaults() {
            let timeouts = TxRxTimeouts()
            #expect(timeouts.connect == .seconds(20))
            #expect(timeouts.firstFragment == .seconds(2))
            #expect(timeouts.nextFragment == .milliseconds(200))
            #expect(timeouts.write == .milliseconds(1500))
        }

        @Test("A module's mode is switched, and a device without one says so")
        func modes() async throws {
            let world = try await SerialWorld(.zentri)
            try await TxRxStage.run(world) { stage in
                let device = try await stage.ready()
                try await device.setMode(.remoteCommand)
                #expect(await world.device.modes == [3])
                await world.perform {
                    $0.device.profile.mode.flatMap($0.peripheral.characteristic)?.faults.writeError = .writeNotPermitted
                }
                #expect(await stage.failure { try await device.setMode(.stream) }?.code == .notPermitted)
                #expect(stage.names.suffix(2) == ["modeChanged", "modeFailed"])
            }
            try await TxRxStage.run(SerialWorld(.nordic)) { stage in
                let device = try await stage.ready()
                #expect(await stage.failure { try await device.setMode(.stream) }?.code == .notSupported)
            }
        }

        @Test("Events of a characteristic of their own are put together by a timer of their own")
        func zhaga() async throws {
            let times = (Duration.seconds(60), Duration.milliseconds(150))
            let timeouts = TxRxTimeouts.with { ($0.nextFragment, $0.nextEventFragment) = times }
            try await TxRxStage.run(SerialWorld(.tertiumZhaga), timeouts) { stage in
                _ = try await stage.ready()
                await stage.world.perform { world in
                    world.device.sendEvent([1, 2])
                    world.device.sendEvent([3])
                }
                try await stage.event("the event") { $0.name == "event" }
                #expect(stage.events.last?.data == Data([1, 2, 3]))
                await stage.world.disconnect()
                try await stage.event("the end") { $0.name == "disconnected" }
                #expect(stage.names.suffix(3) == ["event", "eventFailed", "disconnected"])
            }
        }
    }
}

extension SerialWorld {
    /// Puts another device into the air.
    func addForeign(name: String = "Lamp", address: String = "00:AA:02:00:00:78") throws {
        try bluez.add(
            PeripheralSpecification(
                name: name, address: address,
                advertisement: AdvertisingData(flags: 0x06, localName: name, interval: .milliseconds(2))))
    }
}
