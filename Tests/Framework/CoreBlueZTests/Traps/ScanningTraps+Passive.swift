import BlueZDBus
import BlueZSimulator
import Foundation
import TestSupport
import Testing

@testable import CoreBlueZ

extension Traps.Scanning {
    @Suite struct Passive {
        private static let simulator = AdvertisementPattern.name("Watch")
        private static let passive = ScanOptions(passivePatterns: [simulator])
        private static let manager = "org.bluez.AdvertisementMonitorManager1"
        private static let other = "/org/bluez/hci0/dev_BC_6A_29_00_00_02"

        private static func run(
            supportsMonitors: Bool = true, _ body: @BluetoothActor (PeripheralFixture) async throws -> Void
        ) async throws {
            let configuration = SimulatedBlueZ.Configuration(
                adapters: [AdapterSpecification(supportsMonitors: supportsMonitors)], timing: .instant,
                isExperimental: true)
            try await PeripheralFixture.run(configuration, body)
        }

        @BluetoothActor private static func scan(_ fixture: PeripheralFixture) async -> BluetoothError? {
            await fixture.failure { try await fixture.central.scanForPeripherals(options: passive) { _, _, _ in } }
        }

        private static func monitors(_ fixture: PeripheralFixture) async -> Int {
            await fixture.simulator.bluez.adapters[0].activeMonitorCount
        }

        @Test("Row 18: Without --experimental a passive scan says so, and does not scan otherwise")
        @BluetoothActor func absent() async throws {
            let fixture = try await PeripheralFixture()
            await fixture.simulator.keepCalls()
            let error = await Self.scan(fixture)
            #expect(error?.code == .notSupported)
            #expect(error?.message.contains("--experimental") == true)
            try await fixture.central.barrier()
            #expect(await !fixture.simulator.members.contains("StartDiscovery"))
        }

        @Test("Row 18: A RegisterMonitor that bluetoothd does not know says the same, with its words")
        func unknownMethod() async throws {
            try await Self.run { fixture in
                let text =
                    "Method \"RegisterMonitor\" with signature \"o\" on interface \"\(Self.manager)\" doesn't exist\n"
                await fixture.simulator.refuse(
                    "RegisterMonitor", of: Self.manager, SimulatorFixture.busError + "UnknownMethod", text)
                let error = await Self.scan(fixture)
                #expect(error?.code == .notSupported)
                #expect(error?.message.contains("--experimental") == true)
                #expect(error?.bluezMessage == text)
            }
        }

        @Test("Row 18: A kernel without monitors is an error that says so")
        func kernel() async throws {
            try await Self.run(supportsMonitors: false) { fixture in
                let error = await Self.scan(fixture)
                #expect(error?.code == .notSupported)
                #expect(error?.message.contains("kernel") == true)
            }
        }

        @Test("Row 18: A monitor that is released in place of activated is an error that says so")
        func released() async throws {
            try await Self.run { fixture in
                await fixture.simulator.perform { $0.bluez.adapters[0].refusesMonitors = true }
                await fixture.simulator.keepCalls()
                let error = await Self.scan(fixture)
                #expect(error?.code == .notSupported)
                #expect(error?.message.contains("released") == true)
                try await eventually("the application's end") {
                    await fixture.simulator.members.contains("UnregisterMonitor")
                }
            }
        }

        @Test("Row 18: A monitor that is registered and never activated ends at a timeout")
        func silent() async throws {
            try await Self.run { fixture in
                fixture.central.client.timeouts.activation = .milliseconds(50)
                await fixture.simulator.succeedWithoutEffect("RegisterMonitor", of: Self.manager)
                let error = await Self.scan(fixture)
                #expect(error?.code == .timedOut)
                #expect(error?.message.contains("never activated") == true)
            }
        }

        @Test("Row 18: A monitor that is released later ends its scan")
        func releasedLater() async throws {
            try await Self.run { fixture in
                var ends: [BluetoothError?] = []
                fixture.central.scanForPeripherals(
                    options: Self.passive, found: { _, _, _ in }, completion: { ends.append($0) })
                try await eventually("the monitor") { await Self.monitors(fixture) == 1 }
                await fixture.simulator.perform { $0.bluez.adapters[0].simulateMonitorRelease() }
                try await eventually("the end") { ends.count == 1 }
                #expect(ends.first??.code == .notSupported)
            }
        }

        @Test("Row 18: A passive scan finds what fits its patterns, starts no discovery, and takes its monitor back")
        func finds() async throws {
            try await Self.run { fixture in
                try await fixture.simulator.add("Other", "BC:6A:29:00:00:02")
                await fixture.simulator.keepCalls()
                var found: [String?] = []
                var ends: [BluetoothError?] = []
                fixture.central.scanForPeripherals(options: Self.passive) { peripheral, _, rssi in
                    found.append(peripheral.name)
                    #expect(rssi == -60)
                } completion: {
                    ends.append($0)
                }
                try await eventually("the peripheral") { !found.isEmpty }
                #expect(fixture.central.client.connection?.exportedPaths.count == 1)
                fixture.central.stopScan()
                #expect(ends == [nil])
                try await eventually("the monitor's end") { await Self.monitors(fixture) == 0 }
                try await fixture.central.barrier()
                #expect(found == ["Watch"])
                #expect(
                    await fixture.simulator.members.filter { $0 != "GetManagedObjects" } == [
                        "RegisterMonitor", "UnregisterMonitor",
                    ])
                #expect(fixture.central.client.connection?.exportedPaths.isEmpty == true)
            }
        }

        @Test("Row 18: What an active scan finds beside is not reported to a passive one")
        func filtered() async throws {
            try await Self.run { fixture in
                try await fixture.simulator.add("Other", "BC:6A:29:00:00:02")
                var passive: Set<String?> = []
                var active: Set<String?> = []
                fixture.central.scanForPeripherals(options: Self.passive) { peripheral, _, _ in
                    passive.insert(peripheral.name)
                } completion: { _ in
                }
                try await eventually("the peripheral") { !passive.isEmpty }
                let second = CentralManager(bus: fixture.simulator.bus)
                second.scanForPeripherals { peripheral, _, _ in
                    active.insert(peripheral.name)
                } completion: { _ in
                }
                try await eventually("both peripherals") { active.count == 2 }
                #expect(passive == ["Watch"])
            }
        }

        @Test("Row 18: With duplicates each advertisement is reported")
        func duplicates() async throws {
            try await Self.run { fixture in
                var options = Self.passive
                options.allowDuplicates = true
                var count = 0
                fixture.central.scanForPeripherals(options: options) { _, _, _ in
                    count += 1
                } completion: { _ in
                }
                try await eventually("the same advertisement again and again") { count > 3 }
            }
        }

        @Test("Row 18: A device that the controller has lost is reported when it is heard again")
        func lost() async throws {
            try await Self.run { fixture in
                var count = 0
                fixture.central.scanForPeripherals(options: Self.passive) { _, _, _ in
                    count += 1
                } completion: { _ in
                }
                try await eventually("the peripheral") { count == 1 }
                await fixture.simulator.perform { $0.bluez.adapters[0].simulateMonitorLoss(of: $0.peripheral) }
                try await eventually("the peripheral again") { count == 2 }
            }
        }

        @Test("Row 18: A passive scan that resumes registers its monitor with the next bluetoothd")
        func resumes() async throws {
            try await Self.run { fixture in
                fixture.central.client.timeouts.retry = .milliseconds(5)
                var options = Self.passive
                options.resumes = true
                var count = 0
                fixture.central.scanForPeripherals(options: options) { _, _, _ in
                    count += 1
                } completion: { _ in
                }
                try await eventually("the peripheral") { count == 1 }
                await fixture.simulator.perform { $0.bluez.simulateCrash() }
                try await fixture.simulator.bluez.restart()
                try await eventually("the peripheral again") { count == 2 }
            }
        }

        @Test("Row 18: Only bluetoothd may call a monitor")
        func stranger() async throws {
            try await Self.run { fixture in
                var ends = 0
                fixture.central.scanForPeripherals(options: Self.passive) { _, _, _ in
                } completion: { _ in
                    ends += 1
                }
                try await eventually("the monitor") { await Self.monitors(fixture) == 1 }
                let connection = try #require(fixture.central.client.connection)
                let (name, path) = (try #require(connection.uniqueName), try #require(connection.exportedPaths.first))
                let stranger = try await Stranger(fixture.simulator.bus)
                for member in ["Release", "Activate"] {
                    let error = try await stranger.call(
                        name, member, of: "org.bluez.AdvertisementMonitor1", at: path.string, [])
                    #expect(error?.name == DBusError.Name.accessDenied)
                }
                #expect(ends == 0)
            }
        }

        @Test("Row 18: The end of the task that scans takes the monitor back")
        func cancelled() async throws {
            try await Self.run { fixture in
                let central = fixture.central
                let task = Task { @BluetoothActor in
                    try await central.scanForPeripherals(options: Self.passive) { _, _, _ in }
                }
                try await eventually("the monitor") { await Self.monitors(fixture) == 1 }
                task.cancel()
                let error = await fixture.failure { try await task.value }
                #expect(error?.code == .cancelled)
                try await eventually("the monitor's end") { await Self.monitors(fixture) == 0 }
            }
        }

        @Test(
            "Row 18: A pattern that bluetoothd would refuse silently is refused here",
            arguments: [
                [], [AdvertisementPattern(type: 0x09, content: Data())],
                [AdvertisementPattern(type: 0xFF, content: Data(repeating: 0, count: 32))],
                [AdvertisementPattern(type: 0xFF, offset: 30, content: Data([1, 2]))],
            ])
        func pattern(patterns: [AdvertisementPattern]) async throws {
            try await Self.run { fixture in
                let error = await fixture.failure {
                    try await fixture.central.scanForPeripherals(options: ScanOptions(passivePatterns: patterns)) {
                        _, _, _ in
                    }
                }
                #expect(error?.code == .invalidArguments)
            }
        }
    }
}

@Test(
    "Patterns of common fields have the bytes that are sent",
    arguments: [
        (AdvertisementPattern.flags(0x06), 0x01, [0x06]), (.manufacturer(0x004C), 0xFF, [0x4C, 0x00]),
        (.name("Tag"), 0x09, [0x54, 0x61, 0x67]), (.serviceData(0x180D), 0x16, [0x0D, 0x18]),
    ] as [(AdvertisementPattern, UInt8, [UInt8])])
func patternBytes(pattern: AdvertisementPattern, type: UInt8, content: [UInt8]) {
    #expect(pattern.type == type)
    #expect([UInt8](pattern.content) == content)
    #expect(pattern.offset == 0)
}
