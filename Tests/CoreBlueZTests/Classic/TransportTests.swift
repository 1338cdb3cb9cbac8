import BlueZSimulator
import BluetoothClassic
import DBus
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

extension Classic {
    @Suite struct TransportTests {
        @Test("A scan for BR/EDR reports classic devices with their class, and no LE device")
        func classic() async throws {
            let world = try await ClassicWorld()
            try await ClassicStage.run(world) { stage in
                #expect(stage.peripheral.name == "Classic")
                #expect(stage.peripheral.deviceClass == ClassicWorld.deviceClass)
                var found: Set<String> = []
                let options = ScanOptions(duration: Patience.scaled(.milliseconds(100)), transport: .bredr)
                try await stage.central.scanForPeripherals(options: options) { peripheral, _, _ in
                    found.insert(peripheral.displayName)
                }
                #expect(found == ["Classic"])
                #expect(await world.filters("Transport").allSatisfy { $0 == .string("bredr") })
            }
        }

        @Test("A scan for LE, as by default, reports LE devices without a class")
        func le() async throws {
            let world = try await ClassicWorld()
            try await BluetoothActor.run {
                Timeouts.allowForSlowness()
                let central = CentralManager(bus: world.bus)
                try await central.waitUntilPoweredOn(timeout: Patience.timeout)
                let found = try await central.firstPeripheral(timeout: Patience.timeout)
                #expect(found.name == "LE" && found.deviceClass == nil)
                #expect(await world.filters("Transport") == [.string("le")])
            }
        }

        @Test("Scans for both kinds at a time share a filter for both, and each gets its own")
        func both() async throws {
            let world = try await ClassicWorld()
            try await ClassicStage.run(world) { stage in
                let le = stage.central.scanResults()
                let bredr = stage.central.scanResults(options: ScanOptions(transport: .bredr))
                let auto = stage.central.scanResults(options: ScanOptions(transport: .auto))
                var names: Set<String> = []
                for try await result in auto where names.insert(result.peripheral.displayName).inserted {
                    if names.count == 2 { break }
                }
                for try await result in bredr {
                    #expect(result.peripheral.deviceClass != nil)
                    break
                }
                for try await result in le where result.peripheral.name == "LE" { break }
                #expect(await world.filters("Transport").last == .string("auto"))
            }
        }

        @Test("Connecting over BR/EDR does not fall back to LE, and says what is missing")
        func noFallback() async throws {
            let world = try await ClassicWorld()
            try await ClassicStage.run(world) { stage in
                do throws(BluetoothError) {
                    try await stage.peripheral.connect(options: .patient)
                    Issue.record("There was no error")
                } catch {
                    #expect(error.code == .notSupported)
                    #expect(error.message.contains("no profile in common"))
                    #expect(error.bluezMessage == "br-connection-profile-unavailable")
                }
                #expect(await world.calls("Connect").count == 1)
            }
        }

        @Test("Connecting opens the channels of profiles that connect automatically")
        func automatic() async throws {
            let world = try await ClassicWorld()
            try await ClassicStage.run(world) { stage in
                var channels: [RFCOMMChannel] = []
                let profile = RFCOMMProfile(ClassicWorld.service, connectsAutomatically: true)
                try await stage.central.registerProfile(profile) { channels.append($0) }
                try await stage.peripheral.connect(options: .patient)
                #expect(stage.peripheral.isConnected)
                try await Patience.wait(for: "a channel") { channels.count == 1 }
                #expect(channels.first?.uuid == ClassicWorld.service)
                #expect(channels.first?.peripheral === stage.peripheral)
            }
        }
    }
}
