import BlueZClassic
import BlueZDBus
import BlueZSimulator
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

extension Classic {
    @Suite struct TransportTests {
        @Test("A scan for BR/EDR reports classic devices with their class, and no LE device")
        @BluetoothActor func classic() async throws {
            let simulator = try await ClassicSimulator()
            let fixture = try await ClassicFixture(simulator)
            #expect(fixture.peripheral.name == "Classic")
            #expect(fixture.peripheral.deviceClass == ClassicSimulator.deviceClass)
            var found: Set<String> = []
            fixture.central.scanForPeripherals(options: ScanOptions(transport: .bredr)) { peripheral, _, _ in
                found.insert(peripheral.displayName)
            } completion: { _ in
            }
            try await eventually("the classic device") { !found.isEmpty }
            fixture.central.stopScan()
            #expect(found == ["Classic"])
            #expect(await simulator.filters("Transport").allSatisfy { $0 == .string("bredr") })
        }

        @Test("A scan for LE, as by default, reports LE devices without a class")
        @BluetoothActor func le() async throws {
            let simulator = try await ClassicSimulator()
            let central = try await ClassicFixture.poweredOn(simulator)
            let found = try await central.firstPeripheral(timeout: .ample)
            #expect(found.name == "LE" && found.deviceClass == nil)
            #expect(await simulator.filters("Transport") == [.string("le")])
        }

        @Test("Scans for both kinds at a time share a filter for both, and each gets its own")
        @BluetoothActor func both() async throws {
            let simulator = try await ClassicSimulator()
            let fixture = try await ClassicFixture(simulator)
            let le = fixture.central.scanResults()
            let bredr = fixture.central.scanResults(options: ScanOptions(transport: .bredr))
            let auto = fixture.central.scanResults(options: ScanOptions(transport: .auto))
            var names: Set<String> = []
            for try await result in auto where names.insert(result.peripheral.displayName).inserted {
                if names.count == 2 { break }
            }
            for try await result in bredr {
                #expect(result.peripheral.deviceClass != nil)
                break
            }
            for try await result in le where result.peripheral.name == "LE" { break }
            #expect(await simulator.filters("Transport").last == .string("auto"))
        }

        @Test("Connecting over BR/EDR does not fall back to LE, and says what is missing")
        @BluetoothActor func noFallback() async throws {
            let simulator = try await ClassicSimulator()
            let fixture = try await ClassicFixture(simulator)
            do throws(BluetoothError) {
                try await fixture.peripheral.connect(options: .patient)
                Issue.record("There was no error")
            } catch {
                #expect(error.code == .notSupported)
                #expect(error.message.contains("no profile in common"))
                #expect(error.bluezMessage == "br-connection-profile-unavailable")
            }
            #expect(await simulator.calls("Connect").count == 1)
        }

        @Test("Connecting opens the channels of profiles that connect automatically")
        @BluetoothActor func automatic() async throws {
            let simulator = try await ClassicSimulator()
            let fixture = try await ClassicFixture(simulator)
            var channels: [RFCOMMChannel] = []
            let profile = RFCOMMProfile(ClassicSimulator.classicService, connectsAutomatically: true)
            try await fixture.central.registerProfile(profile) { channels.append($0) }
            try await fixture.peripheral.connect(options: .patient)
            #expect(fixture.peripheral.isConnected)
            try await eventually("a channel") { channels.count == 1 }
            #expect(channels.first?.uuid == ClassicSimulator.classicService)
            #expect(channels.first?.peripheral === fixture.peripheral)
        }
    }
}
