import BlueZAccessories
import BlueZSimulator
import CoreBlueZ
import TestSupport
import Testing

extension AccessoryPorts {
    @Suite(.virtualTime) struct AccessoryTests {
        @Test("An accessory has what its device says of itself, and the protocols that it speaks")
        @BluetoothActor func properties() async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            let accessory = try await fixture.accessory()
            #expect(accessory.name == "UART")
            #expect(accessory.manufacturer == "Example Inc.")
            #expect(accessory.modelNumber == "U-1")
            #expect(accessory.serialNumber == "0042")
            #expect(accessory.firmwareRevision == "1.2")
            #expect(accessory.hardwareRevision == "B")
            #expect(accessory.protocolStrings == [Name.uart, Name.twin])
            #expect(accessory.isConnected && accessory.peripheral.address == AccessorySimulator.uartAddress)
            let text = "UART (00:AA:02:00:00:77): com.example.uart, com.example.twin"
            #expect("\(accessory)" == "\(text), connected")
            #expect("\(AccessoryNotification.connected(accessory))" == "connected: \(text)")
            #expect("\(AccessoryNotification.disconnected(accessory))" == "disconnected: \(text)")
        }

        @Test("What a device does not say is nil")
        @BluetoothActor func silent() async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator(saysWhoItIs: false))
            let accessory = try await fixture.accessory()
            let said = [
                accessory.manufacturer, accessory.modelNumber, accessory.serialNumber, accessory.firmwareRevision,
                accessory.hardwareRevision,
            ]
            #expect(said.allSatisfy { $0 == nil })
        }

        @Test("An accessory is listed when its services are resolved, not before")
        @BluetoothActor func resolved() async throws {
            var timing = Timing.instant
            timing.serviceDiscovery = Duration.milliseconds(300).stretched
            let fixture = try await AccessoryFixture(try await AccessorySimulator(timing: timing))
            fixture.note()
            fixture.manager.registerForNotifications()
            let peripheral = try await fixture.find(AccessorySimulator.uartAddress)
            var wasListed: Bool?
            fixture.central.eventHandler = { event in
                if case .connected = event { wasListed = !fixture.manager.connectedAccessories.isEmpty }
                if case .servicesResolved = event, wasListed == false {
                    wasListed = !fixture.manager.connectedAccessories.isEmpty
                }
            }
            try await peripheral.connect(options: ConnectOptions(timeout: .ample))
            _ = try await fixture.listed(AccessorySimulator.uartAddress)
            #expect(wasListed == false)
            #expect(fixture.notified == ["+UART"])
        }

        @Test("Accessories that were connected before the manager was made are listed, without a notification")
        @BluetoothActor func before() async throws {
            let simulator = try await AccessorySimulator()
            let fixture = try await AccessoryFixture(simulator)
            try await fixture.connect(AccessorySimulator.uartAddress)
            fixture.replaceManager()
            fixture.note()
            fixture.manager.registerForNotifications()
            #expect(fixture.manager.connectedAccessories.isEmpty)
            try await fixture.manager.ready(timeout: .ample)
            #expect(fixture.manager.connectedAccessories.map(\.name) == ["UART"])
            #expect(fixture.notified.isEmpty)
            await simulator.perform { $0.uart.peripheral.simulateDisconnection() }
            try await eventually("the disconnection") { fixture.notified == ["-UART"] }
            _ = try await fixture.accessory()
            #expect(fixture.notified == ["-UART", "+UART"])
        }

        @Test(
            "A manager is ready once Bluetooth is on and the devices have told what they are; otherwise it says why not"
        )
        @BluetoothActor func ready() async throws {
            let simulator = try await AccessorySimulator()
            let fixture = try await AccessoryFixture(simulator)
            try await fixture.manager.ready(timeout: .ample)
            #expect(fixture.manager.connectedAccessories.isEmpty)
            try await fixture.connect(AccessorySimulator.uartAddress)
            await simulator.perform { $0.uart.peripheral.characteristic(0x2A29)?.faults.delay = .milliseconds(500) }
            fixture.replaceManager()
            #expect(await fixture.failureCode { try await fixture.manager.ready(timeout: .zero) } == .timedOut)
            var isReady = false
            fixture.manager.ready(timeout: .ample) { isReady = $0 == nil }
            try await eventually("the manager") { isReady }
            #expect(fixture.manager.connectedAccessories.count == 1)
            await simulator.perform { $0.bluez.adapters.first?.simulatePower(false) }
            try await eventually("the adapter") { fixture.central.state == .poweredOff }
            fixture.replaceManager()
            #expect(await fixture.failureCode { try await fixture.manager.ready(timeout: .zero) } == .adapterOff)
            async let readiness: Void = fixture.manager.ready(timeout: .ample)
            await simulator.perform { $0.bluez.adapters.first?.simulatePower(true) }
            try await readiness
            #expect(fixture.manager.connectedAccessories.isEmpty)
        }

        @Test("A device speaks what is declared, in any order and under any name, and nothing else")
        @BluetoothActor func declared() async throws {
            let declared = [
                AccessoryProtocol("any name", over: .serial(.nordic)),
                AccessoryProtocol(Name.meter, over: .rfcomm(uuid: Name.meterUUID)),
                AccessoryProtocol("com.example.other", over: .serial(.issc), .serial(.nordic)),
            ]
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            try await fixture.connect(AccessorySimulator.uartAddress)
            for protocols in [declared, declared.reversed(), []] {
                let manager = AccessoryManager(fixture.central, protocols: protocols)
                #expect(
                    manager.central === fixture.central && manager.protocols.map(\.name) == protocols.map(\.name))
                try await manager.ready(timeout: .ample)
                let spoken = manager.connectedAccessories.map { Set($0.protocolStrings) }
                #expect(spoken == (protocols.isEmpty ? [] : [["any name", "com.example.other"]]))
            }
        }

        @Test("A device that speaks no declared protocol is no accessory")
        @BluetoothActor func stranger() async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            try await fixture.connect(AccessorySimulator.strangerAddress)
            _ = try await fixture.accessory()
            #expect(fixture.manager.connectedAccessories.map(\.name) == ["UART"])
        }

        @Test("Nothing is notified of before registering nor after unregistering")
        @BluetoothActor func registering() async throws {
            let simulator = try await AccessorySimulator()
            let fixture = try await AccessoryFixture(simulator)
            fixture.note()
            _ = try await fixture.accessory()
            #expect(fixture.notified.isEmpty && !fixture.manager.isRegisteredForNotifications)
            fixture.manager.registerForNotifications()
            await simulator.perform { $0.uart.peripheral.simulateDisconnection() }
            try await eventually("a notification") { fixture.notified == ["-UART"] }
            #expect(fixture.manager.connectedAccessories.isEmpty)
            let accessory = try await fixture.accessory()
            #expect(fixture.notified == ["-UART", "+UART"])
            fixture.manager.unregisterForNotifications()
            await simulator.perform { $0.uart.peripheral.simulateDisconnection() }
            try await eventually("the disconnection") { !accessory.isConnected }
            #expect(fixture.notified.count == 2)
        }

        @Test("Notifications can be taken as a sequence")
        @BluetoothActor func sequence() async throws {
            let simulator = try await AccessorySimulator()
            let fixture = try await AccessoryFixture(simulator)
            var iterator = fixture.manager.notifications().makeAsyncIterator()
            var count = 0
            fixture.manager.notificationHandler = { _ in count += 1 }
            fixture.manager.registerForNotifications()
            let accessory = try await fixture.accessory()
            guard case .connected(let first) = try await iterator.next() else {
                _ = Issue.record("It is not connected")
                return
            }
            #expect(first == accessory)
            await simulator.perform { $0.uart.peripheral.simulateDisconnection() }
            guard case .disconnected(let second) = try await iterator.next() else {
                _ = Issue.record("It is not disconnected")
                return
            }
            #expect(second == accessory && count == 2)
        }

        @Test("The accessory's own closure hears of its disconnection, once; connected again it is another accessory")
        @BluetoothActor func disconnectHandler() async throws {
            let simulator = try await AccessorySimulator()
            let fixture = try await AccessoryFixture(simulator)
            let accessory = try await fixture.accessory()
            var heard: [Accessory] = []
            accessory.disconnectHandler = { heard.append($0) }
            await simulator.perform { $0.uart.peripheral.simulateDisconnection() }
            try await eventually("the disconnection") { !heard.isEmpty }
            #expect(!accessory.isConnected && fixture.manager.connectedAccessories.isEmpty)
            let again = try await fixture.accessory()
            #expect(again != accessory && again.connectionID != accessory.connectionID)
            #expect(heard == [accessory] && !accessory.isConnected)
        }

        @Test("A classic device is an accessory by its RFCOMM services")
        @BluetoothActor func classic() async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            let accessory = try await fixture.accessory(AccessorySimulator.classicAddress)
            #expect(accessory.name == "Classic" && accessory.manufacturer == nil)
            #expect(accessory.protocolStrings == [Name.port, Name.meter])
        }

        @Test("The picker connects the device that the application chooses")
        @BluetoothActor func picking() async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            try await fixture.manager.pickAccessory(timeout: .ample) { $0.name == "UART" }
            _ = try await fixture.listed(AccessorySimulator.uartAddress)
            let code = await fixture.failureCode {
                try await fixture.manager.pickAccessory(timeout: .ample) { $0.name == "UART" }
            }
            #expect(code == .alreadyConnected)
            try await fixture.manager.pickAccessory(timeout: .ample) { $0.name == "Classic" }
            _ = try await fixture.listed(AccessorySimulator.classicAddress)
        }

        @Test("The picker fails with why the chosen device cannot be connected")
        @BluetoothActor func notConnected() async throws {
            let simulator = try await AccessorySimulator()
            await simulator.perform {
                $0.uart.peripheral.connectionFault = .failure("le-connection-abort-by-local", after: .zero)
            }
            let fixture = try await AccessoryFixture(simulator)
            var code: BluetoothError.Code?
            fixture.manager.pickAccessory(timeout: .ample) {
                $0.name == "UART"
            } completion: {
                code = $0?.code
            }
            try await eventually("the end") { code != nil }
            #expect(code == .connectionFailed)
            #expect(fixture.manager.connectedAccessories.isEmpty)
        }

        @Test("The picker ends if nothing is chosen in time, and when it is cancelled")
        @BluetoothActor func notPicked() async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            var code: BluetoothError.Code?
            fixture.manager.pickAccessory(timeout: .milliseconds(50)) { _ in
                false
            } completion: {
                code = $0?.code
            }
            try await eventually("the end") { code == .timedOut }
            let task = Task {
                await fixture.failureCode { try await fixture.manager.pickAccessory { _ in false } }
            }
            try await eventually("the scan") { fixture.central.isScanning }
            task.cancel()
            #expect(await task.value == .cancelled)
        }
    }
}
