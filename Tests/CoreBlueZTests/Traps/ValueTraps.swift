import BlueZSimulator
import DBus
import Foundation
import Testing

@testable import CoreBlueZ

extension Traps {
    @Suite struct Values {
        static let characteristic = "org.bluez.GattCharacteristic1"
        static let failed = "org.bluez.Error.Failed"

        @Test("Row 32: Operations of one attribute run one after another: BlueZ has nothing to refuse")
        func queued() async throws {
            try await TrapStage.run { stage in
                let value = try stage.value(of: try await stage.connect())
                await stage.world.delay(.milliseconds(2))
                await stage.world.keepCalls()
                var results: [String] = []
                for number in UInt8(0)..<5 {
                    value.writeByte(number) { results.append("write \($0?.code.rawValue ?? "ok")") }
                    value.readValue { data, error in
                        results.append(error?.code.rawValue ?? "read \(data?.first ?? 0xFF)")
                    }
                }
                try await Patience.wait(for: "all") { results.count == 10 }
                #expect(results == (0..<5).flatMap { ["write ok", "read \($0)"] })
                // Ten calls, none repeated.
                #expect(await stage.world.members == (0..<5).flatMap { _ in ["WriteValue", "ReadValue"] })
            }
        }

        @Test(
            "Row 32: In Progress of another program's operation is tried again until it passes",
            arguments: [true, false])
        func otherProgram(reads: Bool) async throws {
            try await TrapStage.run { stage in
                let value = try stage.value(of: try await stage.connect())
                await stage.world.refuse(
                    reads ? "ReadValue" : "WriteValue", of: Self.characteristic, "org.bluez.Error.InProgress",
                    "In Progress", times: 4)
                if reads {
                    #expect(try await value.readValue() == Data([1, 2, 3]))
                } else {
                    try await value.writeByte(7)
                }
            }
        }

        @Test("Row 32: In Progress that stays is busy, after a bounded number of tries")
        func staysBusy() async throws {
            try await TrapStage.run { stage in
                let value = try stage.value(of: try await stage.connect())
                await stage.world.refuse(
                    "ReadValue", of: Self.characteristic, "org.bluez.Error.InProgress", "In Progress", times: 100)
                let error = await stage.failure { try await value.readValue() }
                #expect(error?.code == .busy)
                #expect(error?.bluezMessage == "In Progress")
            }
        }

        @Test("Row 33: The echo of a read is no notification, and one that comes before it is")
        func echo() async throws {
            try await TrapStage.run { stage in
                let peripheral = try await stage.connect()
                let updates = try stage.updates(of: peripheral)
                var values: [Data?] = []
                updates.service?.updateHandler = { characteristic, _ in values.append(characteristic.value) }
                try await updates.setNotifyValue(true)
                await stage.world.perform { world in
                    world.peripheral.characteristic(World.updates)?.value = [0x77]
                    world.peripheral.characteristic(World.updates)?.faults.delay = .milliseconds(60)
                }
                var reads: [Data?] = []
                updates.readValue { data, _ in reads.append(data) }
                try await Patience.wait(for: "the read") { await stage.world.hasBeenRead }
                await stage.world.notify([5])
                try await Patience.wait(for: "the read's end") { reads.count == 1 }
                #expect(reads == [Data([0x77])])
                #expect(values == [Data([5])])
            }
        }

        @Test("Row 33: A value that came while a read failed was a notification")
        func failedRead() async throws {
            try await TrapStage.run { stage in
                let peripheral = try await stage.connect()
                let updates = try stage.updates(of: peripheral)
                var values: [Data?] = []
                updates.service?.updateHandler = { characteristic, _ in values.append(characteristic.value) }
                try await updates.setNotifyValue(true)
                await stage.world.perform { world in
                    world.peripheral.characteristic(World.updates)?.faults.readError = ATTError(rawValue: 0x80)
                    world.peripheral.characteristic(World.updates)?.faults.delay = .milliseconds(60)
                }
                var errors: [BluetoothError?] = []
                updates.readValue { errors.append($1) }
                try await Patience.wait(for: "the read") { await stage.world.hasBeenRead }
                await stage.world.notify([5])
                try await Patience.wait(for: "the read's end") { errors.count == 1 }
                #expect(errors[0]?.attError?.rawValue == 0x80)
                #expect(values == [Data([5])])
            }
        }

        @Test("Row 34: Two managers of a process get each value once: there is one connection and one session")
        func once() async throws {
            try await TrapStage.run { stage in
                let first = try stage.updates(of: try await stage.connect())
                let other = TrapStage(stage.world)
                let twin = try #require(other.central.retrieveKnownPeripherals().first)
                for service in try await twin.discoverServices() { try await service.discoverCharacteristics() }
                let second = try other.updates(of: twin)
                var values: [String] = []
                first.service?.updateHandler = { values.append("first \($0.value?.first ?? 0) \($1 == nil)") }
                second.service?.updateHandler = { values.append("second \($0.value?.first ?? 0) \($1 == nil)") }
                await stage.world.keepCalls()
                try await first.setNotifyValue(true)
                try await second.setNotifyValue(true)
                await stage.world.notify([1])
                await stage.world.notify([2])
                try await Patience.wait(for: "the values") { values.count >= 4 }
                try await stage.central.barrier()
                #expect(values.sorted() == ["first 1 true", "first 2 true", "second 1 true", "second 2 true"])
                #expect(await stage.world.calls("StartNotify").count == 1)
                try await first.setNotifyValue(false)
                #expect(await stage.world.calls("StopNotify").isEmpty)
                await stage.world.notify([3])
                try await Patience.wait(for: "the value") { values.count == 5 }
                try await second.setNotifyValue(false)
                #expect(await stage.world.calls("StopNotify").count == 1)
            }
        }

        @Test("Row 34: Values of a subscription that is another program's are not delivered")
        func foreign() async throws {
            try await TrapStage.run { stage in
                let peripheral = try await stage.connect()
                let (value, updates) = (try stage.value(of: peripheral), try stage.updates(of: peripheral))
                var values: [BluetoothUUID] = []
                updates.service?.updateHandler = { characteristic, _ in values.append(characteristic.uuid) }
                try await updates.setNotifyValue(true)
                let path = try #require(value.path).string
                try await stage.world.propertiesChanged(path, Self.characteristic, ["Value": .bytes([9])])
                await stage.world.notify([1])
                try await Patience.wait(for: "our value") { !values.isEmpty }
                #expect(values == [World.updates])
                #expect(value.value == nil)
            }
        }

        struct Conflict: Sendable, CustomTestStringConvertible {
            let name: String
            let text: String
            let code: BluetoothError.Code
            var testDescription: String { text }
        }

        static let conflicts = [
            Conflict(name: "NotPermitted", text: "Notify acquired", code: .busy),
            Conflict(name: "NotSupported", text: "Operation is not supported", code: .notSupported),
            Conflict(name: "Failed", text: "Failed to register notify session", code: .failed),
        ]

        @Test(
            "Row 35: What BlueZ answers to StartNotify in a conflict becomes the error that fits", arguments: conflicts)
        func conflict(row: Conflict) async throws {
            try await TrapStage.run { stage in
                let updates = try stage.updates(of: try await stage.connect())
                await stage.world.refuse(
                    "StartNotify", of: Self.characteristic, "org.bluez.Error." + row.name, row.text)
                #expect(await stage.failure { try await updates.setNotifyValue(true) }?.code == row.code)
                #expect(!updates.isNotifying)
                try await updates.setNotifyValue(true)
            }
        }

        @Test("Row 35: A write while another program has acquired the characteristic is busy")
        func writeAcquired() async throws {
            try await TrapStage.run { stage in
                let value = try stage.value(of: try await stage.connect())
                await stage.world.refuse(
                    "WriteValue", of: Self.characteristic, "org.bluez.Error.NotPermitted", "Write acquired")
                #expect(await stage.failure { try await value.writeByte(1) }?.code == .busy)
            }
        }

        @Test("Row 35: Switching notifications off succeeds if BlueZ no longer has a session")
        func noSession() async throws {
            try await TrapStage.run { stage in
                let updates = try stage.updates(of: try await stage.connect())
                try await updates.setNotifyValue(true)
                await stage.world.refuse(
                    "StopNotify", of: Self.characteristic, Self.failed, "No notify session started")
                try await updates.setNotifyValue(false)
                #expect(!updates.isNotifying)
            }
        }

        @Test("Row 35: The client configuration is not written by hand, and what cannot notify says so")
        func configuration() async throws {
            try await TrapStage.run { stage in
                let peripheral = try await stage.connect()
                let updates = try stage.updates(of: peripheral)
                await stage.world.keepCalls()
                let descriptors = try await updates.discoverDescriptors()
                let configuration = try #require(descriptors.first { $0.uuid == 0x2902 })
                let error = await stage.failure { try await configuration.writeValue(Data([1, 0])) }
                #expect(error?.code == .notPermitted)
                let value = try stage.value(of: peripheral)
                #expect(await stage.failure { try await value.setNotifyValue(true) }?.code == .notSupported)
                #expect(await stage.world.members.isEmpty)
            }
        }

        @Test("Row 37: A session does not outlive the link: nothing arrives after a reconnection until it is asked for")
        func reconnection() async throws {
            try await TrapStage.run { stage in
                let peripheral = try await stage.connect()
                let updates = try stage.updates(of: peripheral)
                var values: [Data?] = []
                try await updates.setNotifyValue(true)
                await stage.world.keepCalls()
                await stage.world.disconnect()
                try await Patience.wait(for: "the end") { !updates.isNotifying }
                try await Patience.wait(for: "the session's end") {
                    await stage.world.calls("StopNotify").count == 1
                }
                try await peripheral.connect()
                for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
                updates.service?.updateHandler = { characteristic, _ in values.append(characteristic.value) }
                let isSubscribed = await stage.world.isSubscribed
                #expect(!isSubscribed)
                try await updates.setNotifyValue(true)
                await stage.world.notify([1])
                try await Patience.wait(for: "the value") { !values.isEmpty }
                #expect(values == [Data([1])])
            }
        }

        @Test("Row 37: In Progress of a session that BlueZ still has from before passes")
        func staleSession() async throws {
            try await TrapStage.run { stage in
                let updates = try stage.updates(of: try await stage.connect())
                await stage.world.refuse(
                    "StartNotify", of: Self.characteristic, "org.bluez.Error.InProgress", "In Progress", times: 3)
                try await updates.setNotifyValue(true)
                #expect(updates.isNotifying)
            }
        }
    }
}

extension World {
    var isSubscribed: Bool { peripheral.characteristic(Self.updates)?.isSubscribed == true }
}
