import BlueZDBus
import Foundation
import TestSupport
import Testing

@testable import CoreBlueZ

extension Contract {
    @Suite(.virtualTime) struct Reconnecting {
        @Test(
            "A peripheral that vanishes and returns 20 times is connected again, and each value comes once",
            .enabled("needs vanish and return") { try await Side.can("vanish", "return") }
        )
        func twentyTimes() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let updates = try fixture.characteristic(Probe.updates, of: peripheral)
                var values: [Data?] = []
                updates.service?.updateHandler = { characteristic, error in
                    if error == nil { values.append(characteristic.value) }
                }
                var returns = 0
                var losses = 0
                peripheral.disconnectHandler = { _, error in losses += error?.code == .disconnected ? 1 : 0 }
                peripheral.reconnectHandler = { _, error in
                    #expect(error == nil)
                    returns += 1
                }
                peripheral.reconnectPolicy = ReconnectPolicy(
                    firstDelay: .milliseconds(10), longestDelay: .seconds(fixture.side.timeScale),
                    options: ConnectOptions(timeout: fixture.seconds(45)))
                try await updates.setNotifyValue(true)
                let services = peripheral.services.map(ObjectIdentifier.init)
                let before = try await fixture.inventory(of: peripheral)
                #expect(before.rules > 0)
                for round in 1...20 {
                    _ = try await fixture.ask("vanish")
                    try await fixture.wait(for: "loss \(round)", within: 30) { losses == round }
                    _ = try await fixture.ask("return")
                    try await fixture.wait(for: "return \(round)", within: 60) { returns == round }
                    #expect(updates.isNotifying)
                    #expect(!peripheral.isReconnecting)
                    let sent = try await fixture.ask(
                        "notify",
                        ["char": Probe.updates.fullString, "value": "0\(round % 10)", "count": 3, "number": true]
                    )
                    #expect(sent["sent"] as? Int == 3)
                    try await fixture.wait(for: "the values of round \(round)", within: 20) {
                        values.count >= round * 3
                    }
                }
                // A read is answered after all that was notified before.
                try await updates.readValue()
                let expected = (1...20).flatMap { round in
                    (0..<3).map { Data([UInt8(round % 10), UInt8($0), 0, 0, 0]) }
                }
                #expect(values == expected)
                #expect(losses == 20)
                #expect(peripheral.services.map(ObjectIdentifier.init) == services)
                try await fixture.settle(on: before, of: peripheral)
                try await peripheral.disconnect()
                #expect(returns == 20)
                #expect(!peripheral.isReconnecting)
            }
        }

        @Test("disconnect() ends the attempts", .enabled("needs vanish") { try await Side.can("vanish", "return") })
        func cancelled() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let losses = Once<BluetoothError?>()
                peripheral.disconnectHandler = { if $1 != nil { losses($1) } }
                peripheral.reconnectHandler = { _, _ in Issue.record("It was connected again") }
                peripheral.reconnectPolicy = ReconnectPolicy(firstDelay: .milliseconds(1))
                _ = try await fixture.ask("vanish")
                try await fixture.wait(for: "the loss", within: 30) { losses.isCalled }
                #expect(peripheral.isReconnecting)
                try await fixture.wait(for: "an attempt", within: 10) { peripheral.state == .connecting }
                try await peripheral.disconnect()
                #expect(!peripheral.isReconnecting)
                #expect(peripheral.state == .disconnected)
                _ = try await fixture.ask("return")
                _ = try await fixture.findProbe()
                #expect(!peripheral.isConnected)
                #expect(try losses.only()?.code == .disconnected)
            }
        }
    }
}

/// What a program could leave over, counted.
struct Inventory: Equatable {
    /// Open descriptors of the process, by what they are; none if other suites run beside.
    var descriptors: [String: Int]
    /// Objects of the peripheral in the mirror.
    var objects: Int
    /// Match rules that the bus counts for our connection; 0 if it does not report them.
    var rules: Int
    /// Objects that we offer on the bus.
    var exports: Int
    /// Operations that have not ended.
    var operations: Int
    /// The manager's objects for devices that bluetoothd no longer knows.
    var formerPeripherals: Int
}

extension ContractFixture {
    func inventory(of peripheral: Peripheral) async throws -> Inventory {
        let mirror = central.client.mirror
        let paths =
            [ObjectPath](mirror.devices.keys) + mirror.services.keys + mirror.characteristics.keys
            + mirror.descriptors.keys
        return Inventory(
            descriptors: side.isAlone ? try Self.openDescriptors() : [:],
            objects: paths.filter { peripheral.path.contains($0) }.count,
            rules: try await matchRules(),
            exports: central.client.connection?.exportedPaths.count ?? 0,
            operations: central.operations.count,
            formerPeripherals: central.peripherals.filter { mirror.devices[$0.path] == nil }.count
        )
    }

    private static func openDescriptors() throws -> [String: Int] {
        let folder = "/proc/self/fd"
        var kinds: [String: Int] = [:]
        for number in try FileManager.default.contentsOfDirectory(atPath: folder) {
            // The folder's own is gone by now. What follows is "socket:[4711]", "anon_inode:[eventfd]" or a path.
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)") else {
                continue
            }
            // libdispatch makes these for the waits of the test itself, whenever it likes.
            if target == "anon_inode:[timerfd]" { continue }
            kinds[target.hasPrefix("socket:") ? "socket" : target, default: 0] += 1
        }
        return kinds
    }

    /// Waits until nothing is left over: what is being closed may take a moment.
    func settle(on expected: Inventory, of peripheral: Peripheral) async throws {
        var last: Inventory?
        do {
            try await wait(for: "nothing to be left over", within: 20) {
                last = try await inventory(of: peripheral)
                return last == expected
            }
        } catch {
            #expect(last == expected)
            throw error
        }
    }

    /// GetConnectionStats of the bus's own debugging interface.
    private func matchRules() async throws -> Int {
        guard let connection = central.client.connection, let name = connection.uniqueName else { return 0 }
        let bus = "org.freedesktop.DBus"
        let message = try Message.methodCall(
            to: bus, path: try ObjectPath("/org/freedesktop/DBus"), interface: bus + ".Debug.Stats",
            member: "GetConnectionStats")
        try message.write { (writer) throws(DBusError) in try writer.append(name) }
        let limit = seconds(10)
        return await withCheckedContinuation { continuation in
            connection.call(message, timeout: limit) { result in
                var rules = 0
                do throws(DBusError) {
                    var reader = try result.get().reader
                    try reader.readProperties { (name, value) throws(DBusError) in
                        if name == "MatchRules" { rules = Int(try value.readUInt32()) }
                    }
                } catch {
                    rules = 0
                }
                continuation.resume(returning: rules)
            }
        }
    }
}
