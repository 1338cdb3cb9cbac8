import Accessories
import BlueZSimulator
import CoreBlueZ
import Testing

extension AccessoryPorts {
    @Suite struct AccessoryTests {
        @Test("An accessory has what its device says of itself, and the protocols that it speaks")
        func properties() async throws {
            try await AccessoryStage.run(try await AccessoryWorld()) { stage in
                let accessory = try await stage.accessory()
                #expect(accessory.name == "UART")
                #expect(accessory.manufacturer == "Example Inc.")
                #expect(accessory.modelNumber == "U-1")
                #expect(accessory.serialNumber == "0042")
                #expect(accessory.firmwareRevision == "1.2")
                #expect(accessory.hardwareRevision == "B")
                #expect(accessory.protocolStrings == [Name.uart, Name.twin])
                #expect(accessory.isConnected && accessory.peripheral.address == AccessoryWorld.uartAddress)
            }
        }

        @Test("What a device does not say is nil")
        func silent() async throws {
            try await AccessoryStage.run(try await AccessoryWorld(saysWhoItIs: false)) { stage in
                let accessory = try await stage.accessory()
                let said = [
                    accessory.manufacturer, accessory.modelNumber, accessory.serialNumber, accessory.firmwareRevision,
                    accessory.hardwareRevision,
                ]
                #expect(said.allSatisfy { $0 == nil })
            }
        }

        @Test("An accessory is listed when its services are resolved, not before")
        func resolved() async throws {
            var timing = Timing.instant
            timing.serviceDiscovery = Patience.scaled(.milliseconds(300))
            try await AccessoryStage.run(try await AccessoryWorld(timing: timing)) { stage in
                stage.note()
                stage.manager.registerForNotifications()
                let peripheral = try await stage.find(AccessoryWorld.uartAddress)
                var wasListed: Bool?
                stage.central.eventHandler = { event in
                    if case .connected = event { wasListed = !stage.manager.connectedAccessories.isEmpty }
                    if case .servicesResolved = event, wasListed == false {
                        wasListed = !stage.manager.connectedAccessories.isEmpty
                    }
                }
                try await peripheral.connect(options: ConnectOptions(timeout: Patience.timeout))
                _ = try await stage.listed(AccessoryWorld.uartAddress)
                #expect(wasListed == false)
                #expect(stage.notified == ["+UART"])
            }
        }

        @Test("Accessories that were connected before the manager was made are listed, without a notification")
        func before() async throws {
            let world = try await AccessoryWorld()
            try await AccessoryStage.run(world) { stage in
                try await stage.connect(AccessoryWorld.uartAddress)
                stage.replaceManager()
                stage.note()
                stage.manager.registerForNotifications()
                #expect(stage.manager.connectedAccessories.isEmpty)
                try await stage.manager.ready(timeout: Patience.timeout)
                #expect(stage.manager.connectedAccessories.map(\.name) == ["UART"])
                #expect(stage.notified.isEmpty)
                await world.perform { $0.uart.peripheral.simulateDisconnection() }
                try await Patience.wait(for: "the disconnection") { stage.notified == ["-UART"] }
                _ = try await stage.accessory()
                #expect(stage.notified == ["-UART", "+UART"])
            }
        }

        @Test(
            "A manager is ready once Bluetooth is on and the devices have told what they are; otherwise it says why not"
        )
        func ready() async throws {
            let world = try await AccessoryWorld()
            try await AccessoryStage.run(world) { stage in
                try await stage.manager.ready(timeout: Patience.timeout)
                #expect(stage.manager.connectedAccessories.isEmpty)
                try await stage.connect(AccessoryWorld.uartAddress)
                await world.perform { $0.uart.peripheral.characteristic(0x2A29)?.faults.delay = .milliseconds(500) }
                stage.replaceManager()
                #expect(await stage.failure { try await stage.manager.ready(timeout: .zero) } == .timedOut)
                var isReady = false
                stage.manager.ready(timeout: Patience.timeout) { isReady = $0 == nil }
                try await Patience.wait(for: "the manager") { isReady }
                #expect(stage.manager.connectedAccessories.count == 1)
                await world.perform { $0.bluez.adapters.first?.simulatePower(false) }
                try await Patience.wait(for: "the adapter") { stage.central.state == .poweredOff }
                stage.replaceManager()
                #expect(await stage.failure { try await stage.manager.ready(timeout: .zero) } == .adapterOff)
                async let readiness: Void = stage.manager.ready(timeout: Patience.timeout)
                await world.perform { $0.bluez.adapters.first?.simulatePower(true) }
                try await readiness
                #expect(stage.manager.connectedAccessories.isEmpty)
            }
        }

        @Test("A device speaks what is declared, in any order and under any name, and nothing else")
        func declared() async throws {
            let declared = [
                AccessoryProtocol("any name", over: .serial(.nordic)),
                AccessoryProtocol(Name.meter, over: .rfcomm(uuid: Name.meterUUID)),
                AccessoryProtocol("com.example.other", over: .serial(.issc), .serial(.nordic)),
            ]
            try await AccessoryStage.run(try await AccessoryWorld()) { stage in
                try await stage.connect(AccessoryWorld.uartAddress)
                for protocols in [declared, declared.reversed(), []] {
                    let manager = AccessoryManager(stage.central, protocols: protocols)
                    #expect(manager.central === stage.central && manager.protocols.map(\.name) == protocols.map(\.name))
                    try await manager.ready(timeout: Patience.timeout)
                    let spoken = manager.connectedAccessories.map { Set($0.protocolStrings) }
                    #expect(spoken == (protocols.isEmpty ? [] : [["any name", "com.example.other"]]))
                }
            }
        }

        @Test("A device that speaks no declared protocol is no accessory")
        func stranger() async throws {
            try await AccessoryStage.run(try await AccessoryWorld()) { stage in
                try await stage.connect(AccessoryWorld.strangerAddress)
                _ = try await stage.accessory()
                #expect(stage.manager.connectedAccessories.map(\.name) == ["UART"])
            }
        }

        @Test("Nothing is notified of before registering nor after unregistering")
        func registering() async throws {
            let world = try await AccessoryWorld()
            try await AccessoryStage.run(world) { stage in
                stage.note()
                _ = try await stage.accessory()
                #expect(stage.notified.isEmpty && !stage.manager.isRegisteredForNotifications)
                stage.manager.registerForNotifications()
                await world.perform { $0.uart.peripheral.simulateDisconnection() }
                try await Patience.wait(for: "a notification") { stage.notified == ["-UART"] }
                #expect(stage.manager.connectedAccessories.isEmpty)
                let accessory = try await stage.accessory()
                #expect(stage.notified == ["-UART", "+UART"])
                stage.manager.unregisterForNotifications()
                await world.perform { $0.uart.peripheral.simulateDisconnection() }
                try await Patience.wait(for: "the disconnection") { !accessory.isConnected }
                #expect(stage.notified.count == 2)
            }
        }

        @Test("Notifications can be taken as a sequence")
        func sequence() async throws {
            let world = try await AccessoryWorld()
            try await AccessoryStage.run(world) { stage in
                var iterator = stage.manager.notifications().makeAsyncIterator()
                var count = 0
                stage.manager.notificationHandler = { _ in count += 1 }
                stage.manager.registerForNotifications()
                let accessory = try await stage.accessory()
                guard case .connected(let first) = try await iterator.next() else {
                    _ = Issue.record("It is not connected")
                    return
                }
                #expect(first == accessory)
                await world.perform { $0.uart.peripheral.simulateDisconnection() }
                guard case .disconnected(let second) = try await iterator.next() else {
                    _ = Issue.record("It is not disconnected")
                    return
                }
                #expect(second == accessory && count == 2)
            }
        }

        @Test("The accessory's own closure hears of its disconnection, once; connected again it is another accessory")
        func disconnectHandler() async throws {
            let world = try await AccessoryWorld()
            try await AccessoryStage.run(world) { stage in
                let accessory = try await stage.accessory()
                var heard: [Accessory] = []
                accessory.disconnectHandler = { heard.append($0) }
                await world.perform { $0.uart.peripheral.simulateDisconnection() }
                try await Patience.wait(for: "the disconnection") { !heard.isEmpty }
                #expect(!accessory.isConnected && stage.manager.connectedAccessories.isEmpty)
                let again = try await stage.accessory()
                #expect(again != accessory && again.connectionID != accessory.connectionID)
                #expect(heard == [accessory] && !accessory.isConnected)
            }
        }

        @Test("A classic device is an accessory by its RFCOMM services")
        func classic() async throws {
            try await AccessoryStage.run(try await AccessoryWorld()) { stage in
                let accessory = try await stage.accessory(AccessoryWorld.classicAddress)
                #expect(accessory.name == "Classic" && accessory.manufacturer == nil)
                #expect(accessory.protocolStrings == [Name.port, Name.meter])
            }
        }

        @Test("The picker connects the device that the application chooses")
        func picking() async throws {
            try await AccessoryStage.run(try await AccessoryWorld()) { stage in
                try await stage.manager.pickAccessory(timeout: Patience.timeout) { $0.name == "UART" }
                _ = try await stage.listed(AccessoryWorld.uartAddress)
                let code = await stage.failure {
                    try await stage.manager.pickAccessory(timeout: Patience.timeout) { $0.name == "UART" }
                }
                #expect(code == .alreadyConnected)
                try await stage.manager.pickAccessory(timeout: Patience.timeout) { $0.name == "Classic" }
                _ = try await stage.listed(AccessoryWorld.classicAddress)
            }
        }

        @Test("The picker fails with why the chosen device cannot be connected")
        func notConnected() async throws {
            let world = try await AccessoryWorld()
            await world.perform {
                $0.uart.peripheral.connectionFault = .failure("le-connection-abort-by-local", after: .zero)
            }
            try await AccessoryStage.run(world) { stage in
                var code: BluetoothError.Code?
                stage.manager.pickAccessory(timeout: Patience.timeout) {
                    $0.name == "UART"
                } completion: {
                    code = $0?.code
                }
                try await Patience.wait(for: "the end") { code != nil }
                #expect(code == .connectionFailed)
                #expect(stage.manager.connectedAccessories.isEmpty)
            }
        }

        @Test("The picker ends if nothing is chosen in time, and when it is cancelled")
        func notPicked() async throws {
            try await AccessoryStage.run(try await AccessoryWorld()) { stage in
                var code: BluetoothError.Code?
                stage.manager.pickAccessory(timeout: .milliseconds(50)) { _ in
                    false
                } completion: {
                    code = $0?.code
                }
                try await Patience.wait(for: "the end") { code == .timedOut }
                let task = Task {
                    await stage.failure { try await stage.manager.pickAccessory { _ in false } }
                }
                try await Patience.wait(for: "the scan") { stage.central.isScanning }
                task.cancel()
                #expect(await task.value == .cancelled)
            }
        }
    }
}
