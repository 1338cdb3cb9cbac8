import BlueZPrintableText
import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension Contract {
    /// Beside bleak in another process, on the same adapter and the same link.
    @Suite(.realTime, .enabled(if: Neighbour.python != nil, "needs bleak: COREBLUEZ_TEST_PYTHON or LAB_PYTHON"))
    struct Beside {
        @Test(
            "Beside another program with the same link both get all values, and neither takes anything from the other")
        func sharedLink() async throws {
            try await Self.run { fixture, neighbour in
                let (peripheral, updates) = try await Self.adopt(fixture)
                var values: [Data?] = []
                updates.service?.updateHandler = { characteristic, error in
                    if error == nil { values.append(characteristic.value) }
                }
                try await updates.setNotifyValue(true)
                // bluetoothd broadcasts each value once for every subscribed program.
                try await Self.notify(fixture, 1)
                try await fixture.wait(for: "our values", within: 30) { Self.distinct(values).count == 20 }
                try await fixture.wait(for: "its values", within: 30) {
                    Self.distinct(neighbour.said("value")).count == 20
                }
                #expect(Self.distinct(values) == Self.expected(1))
                #expect(Self.distinct(neighbour.said("value")) == Self.expected(1).map(Self.hexadecimal))

                let echo = try fixture.characteristic(Probe.echo, of: peripheral)
                try await echo.writeValue(Data([7, 8]), type: .withResponse)
                try neighbour.tell("read")
                #expect(try await echo.readValue() == Data([7, 8]))
                try await fixture.wait(for: "its read", within: 30) { neighbour.said("read") == ["0708"] }

                try await updates.setNotifyValue(false)
                try await Self.notify(fixture, 2)
                try await fixture.wait(for: "its values alone", within: 30) {
                    Self.distinct(neighbour.said("value")).count == 40
                }
                #expect(Self.distinct(values).count == 20)
                #expect(neighbour.said("disconnected").isEmpty)
            }
        }

        @Test("Scans of two programs at a time both find")
        func scans() async throws {
            try await Self.run { fixture, neighbour in
                let tag = try #require(BluetoothAddress("BC:6A:29:AB:AB:50"))
                // bluetoothd reports a signal strength once while it stays the same, however many programs scan: so both
                // listen before there is one.
                _ = try await fixture.ask("advertise", ["peer": "tag", "on": false])
                var found: [BluetoothAddress?] = []
                fixture.central.scanForPeripherals { peripheral, _, _ in
                    found.append(peripheral.address)
                } completion: { _ in
                }
                try await fixture.wait(for: "our scan", within: 30) { fixture.central.adapter?.isDiscovering == true }
                try neighbour.tell("scan")
                try await fixture.wait(for: "its scan", within: 30) { neighbour.said("scanning").count == 1 }
                _ = try await fixture.ask("advertise", ["peer": "tag", "on": true])
                try await fixture.wait(for: "our result", within: 30) { found.contains(tag) }
                try await fixture.wait(for: "its result", within: 30) { neighbour.said("found") == [tag.description] }
                // Its scan has ended, ours goes on.
                #expect(fixture.central.isScanning)
                fixture.central.stopScan()
            }
        }

        @Test("A manager that goes leaves the other program its link and its subscription")
        func leaving() async throws {
            try await Self.run { fixture, neighbour in
                do {
                    let own = CentralManager(bus: fixture.side.bus)
                    own.disconnectsAtEnd = true
                    try await own.waitUntilPoweredOn(timeout: fixture.seconds(10))
                    let peripheral = try #require(own.retrievePeripheral(withIdentifier: Probe.address))
                    try await peripheral.connect()
                    try await Self.discover(peripheral)
                    try await fixture.characteristic(Probe.updates, of: peripheral).setNotifyValue(true)
                }
                try await Self.notify(fixture, 3)
                try await fixture.wait(for: "its values", within: 30) {
                    Self.distinct(neighbour.said("value")).count == 20
                }
                try neighbour.tell("read")
                try await fixture.wait(for: "its read", within: 30) { neighbour.said("read").count == 1 }
                #expect(neighbour.said("disconnected").isEmpty)
            }
        }

        @Test("The other program's Disconnect ends the link for all, and is reported as its loss, once")
        func itsEnd() async throws {
            try await Self.run { fixture, neighbour in
                let (peripheral, updates) = try await Self.adopt(fixture)
                try await updates.setNotifyValue(true)
                let losses = Once<BluetoothError?>()
                peripheral.disconnectHandler = { losses($1) }
                try neighbour.end()
                try await fixture.wait(for: "the loss", within: 30) { losses.isCalled }
                #expect(try losses.only()?.code == .disconnected)
                #expect(!updates.isNotifying)
            }
        }

        // MARK: What they share

        private static func run(_ body: @BluetoothActor (ContractFixture, Neighbour) async throws -> Void) async throws
        {
            try await ContractFixture.run { fixture in
                let neighbour = try Neighbour(bus: fixture.side.bus, python: try #require(Neighbour.python))
                try await fixture.wait(for: "the other program", within: 60) {
                    try #require(neighbour.isRunning, "\(neighbour.lines)")
                    return neighbour.said("ready").count == 1
                }
                try await body(fixture, neighbour)
                try neighbour.end()
                try await fixture.wait(for: "the other program's end", within: 60) { !neighbour.isRunning }
            }
        }

        /// The probe with the link that the other program made.
        @BluetoothActor private static func adopt(_ fixture: ContractFixture) async throws -> (
            Peripheral, Characteristic
        ) {
            let peripheral = try #require(fixture.central.retrievePeripheral(withIdentifier: Probe.address))
            #expect(peripheral.isConnected)
            try await peripheral.connect()
            try await discover(peripheral)
            return (peripheral, try fixture.characteristic(Probe.updates, of: peripheral))
        }

        @BluetoothActor private static func discover(_ peripheral: Peripheral) async throws {
            for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
        }

        private static func notify(_ fixture: ContractFixture, _ round: UInt8) async throws {
            let sent = try await fixture.ask(
                "notify",
                ["char": Probe.updates.fullString, "value": "0\(round)", "count": 20, "number": true])
            #expect(sent["sent"] as? Int == 20)
        }

        private static func expected(_ round: UInt8) -> [Data] {
            (0..<20).map { Data([round, UInt8($0), 0, 0, 0]) }
        }

        private static func hexadecimal(_ value: Data) -> String {
            String(hexadecimal: value)
        }

        /// Each value once, in the order in which they came first.
        private static func distinct<Value: Hashable>(_ values: [Value]) -> [Value] {
            var seen: Set<Value> = []
            return values.filter { seen.insert($0).inserted }
        }
    }
}
