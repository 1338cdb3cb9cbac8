import BlueZSerial
import CoreBlueZ
import TestSupport
import Testing

extension SerialPorts {
    @Suite(.virtualTime) @BluetoothActor struct SerialFinderTests {
        @Test("The link that another program made while the finder waited for its own stays if the device is no match")
        func foreignLink() async throws {
            let simulator = try await SerialSimulator(.hm10)
            await simulator.keepCalls()
            await simulator.perform {
                $0.bluez.simulateReply(
                    .error(name: "org.bluez.Error.InProgress", message: "In Progress"), to: "Connect",
                    of: "org.bluez.Device1", times: 1)
            }
            let central = CentralManager(bus: simulator.bus)
            let finder = SerialFinder(central, profiles: [.nordic])
            let search = Task { try await finder.find(named: "UART", timeout: .ample) }
            try await eventually("the refusal") { await simulator.calls("Connect").count == 1 }
            // Another connection to the bus is another program to bluetoothd.
            let address = simulator.bus.description
            let other = CentralManager(bus: .address("\(address);\(address)"))
            try await other.waitUntilPoweredOn(timeout: .ample)
            let device = try #require(other.retrieveKnownPeripherals().first)
            try await device.connect()
            let error = await #expect(throws: BluetoothError.self) { try await search.value }
            #expect(error?.code == .profileNotRecognized)
            #expect(!finder.hasMadeLink)
            #expect(await simulator.calls("Disconnect").isEmpty)
            #expect(device.isConnected)
        }
    }
}
