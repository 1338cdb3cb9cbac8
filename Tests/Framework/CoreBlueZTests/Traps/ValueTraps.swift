import BlueZDBus
import BlueZSimulator
import Foundation
import TestSupport
import Testing

@testable import CoreBlueZ

extension Traps {
    @Suite struct Values {
        static let characteristic = "org.bluez.GattCharacteristic1"
        static let failed = "org.bluez.Error.Failed"

        @Test("Row 32: Operations of one attribute run one after another: BlueZ has nothing to refuse")
        @BluetoothActor func queued() async throws {
            let fixture = try await PeripheralFixture()
            let value = try fixture.value(of: try await fixture.connect())
            await fixture.simulator.delay(.milliseconds(2))
            await fixture.simulator.keepCalls()
            var results: [String] = []
            for number in UInt8(0)..<5 {
                value.writeByte(number) { results.append("write \($0?.code.rawValue ?? "ok")") }
                value.readValue { data, error in
                    results.append(error?.code.rawValue ?? "read \(data?.first ?? 0xFF)")
                }
            }
            try await eventually("all") { results.count == 10 }
            #expect(results == (0..<5).flatMap { ["write ok", "read \($0)"] })
            // Ten calls, none repeated.
            #expect(await fixture.simulator.members == (0..<5).flatMap { _ in ["WriteValue", "ReadValue"] })
        }

        @Test(
            "Row 32: In Progress of another program's operation is tried again until it passes",
            arguments: [true, false])
        @BluetoothActor func otherProgram(reads: Bool) async throws {
            let fixture = try await PeripheralFixture()
            let value = try fixture.value(of: try await fixture.connect())
            await fixture.simulator.refuse(
                reads ? "ReadValue" : "WriteValue", of: Self.characteristic, "org.bluez.Error.InProgress",
                "In Progress", times: 4)
            if reads {
                #expect(try await value.readValue() == Data([1, 2, 3]))
            } else {
                try await value.writeByte(7)
            }
        }

        @Test("Row 32: In Progress that stays is busy, after a bounded number of tries")
        @BluetoothActor func staysBusy() async throws {
            let fixture = try await PeripheralFixture()
            fixture.central.client.timeouts.callBackOff = .milliseconds(1)
            let value = try fixture.value(of: try await fixture.connect())
            await fixture.simulator.refuse(
                "ReadValue", of: Self.characteristic, "org.bluez.Error.InProgress", "In Progress", times: 100)
            let error = await fixture.failure { try await value.readValue() }
            #expect(error?.code == .busy)
            #expect(error?.bluezMessage == "In Progress")
        }

        @Test("Row 33: The echo of a read is no notification, and one that comes before it is")
        @BluetoothActor func echo() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.connect()
            let updates = try fixture.updates(of: peripheral)
            var values: [Data?] = []
            updates.service?.updateHandler = { characteristic, _ in values.append(characteristic.value) }
            try await updates.setNotifyValue(true)
            let notifier = NotifiesBeforeResponse([5]) { $0.respond(with: [0x77]) }
            await fixture.simulator.perform { $0.peripheral.delegate = notifier }
            var reads: [Data?] = []
            updates.readValue { data, _ in reads.append(data) }
            try await eventually("the read's end") { reads.count == 1 }
            #expect(reads == [Data([0x77])])
            #expect(values == [Data([5])])
            withExtendedLifetime(notifier) {}
        }

        @Test("Row 33: A value that came while a read failed was a notification")
        @BluetoothActor func failedRead() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.connect()
            let updates = try fixture.updates(of: peripheral)
            var values: [Data?] = []
            updates.service?.updateHandler = { characteristic, _ in values.append(characteristic.value) }
            try await updates.setNotifyValue(true)
            let notifier = NotifiesBeforeResponse([5]) { $0.fail(ATTError(rawValue: 0x80)) }
            await fixture.simulator.perform { $0.peripheral.delegate = notifier }
            var errors: [BluetoothError?] = []
            updates.readValue { errors.append($1) }
            try await eventually("the read's end") { errors.count == 1 }
            #expect(errors[0]?.attError?.rawValue == 0x80)
            #expect(values == [Data([5])])
            withExtendedLifetime(notifier) {}
        }

        @Test("Row 34: Two managers of a process get each value once: there is one connection and one session")
        @BluetoothActor func once() async throws {
            let fixture = try await PeripheralFixture()
            let first = try fixture.updates(of: try await fixture.connect())
            let other = PeripheralFixture(fixture.simulator, adapter: nil)
            let twin = try #require(other.central.retrieveKnownPeripherals().first)
            for service in try await twin.discoverServices() { try await service.discoverCharacteristics() }
            let second = try other.updates(of: twin)
            var values: [String] = []
            first.service?.updateHandler = { values.append("first \($0.value?.first ?? 0) \($1 == nil)") }
            second.service?.updateHandler = { values.append("second \($0.value?.first ?? 0) \($1 == nil)") }
            await fixture.simulator.keepCalls()
            try await first.setNotifyValue(true)
            try await second.setNotifyValue(true)
            await fixture.simulator.notify([1])
            await fixture.simulator.notify([2])
            try await eventually("the values") { values.count >= 4 }
            try await fixture.central.barrier()
            #expect(values.sorted() == ["first 1 true", "first 2 true", "second 1 true", "second 2 true"])
            #expect(await fixture.simulator.calls("StartNotify").count == 1)
            try await first.setNotifyValue(false)
            #expect(await fixture.simulator.calls("StopNotify").isEmpty)
            await fixture.simulator.notify([3])
            try await eventually("the value") { values.count == 5 }
            try await second.setNotifyValue(false)
            #expect(await fixture.simulator.calls("StopNotify").count == 1)
        }

        @Test("Row 34: Values of a subscription that is another program's are not delivered")
        @BluetoothActor func foreign() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.connect()
            let (value, updates) = (try fixture.value(of: peripheral), try fixture.updates(of: peripheral))
            var values: [BluetoothUUID] = []
            updates.service?.updateHandler = { characteristic, _ in values.append(characteristic.uuid) }
            try await updates.setNotifyValue(true)
            let path = try #require(value.path).string
            try await fixture.simulator.propertiesChanged(path, Self.characteristic, ["Value": .bytes([9])])
            await fixture.simulator.notify([1])
            try await eventually("our value") { !values.isEmpty }
            #expect(values == [SimulatorFixture.updates])
            #expect(value.value == nil)
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
        @BluetoothActor func conflict(row: Conflict) async throws {
            let fixture = try await PeripheralFixture()
            let updates = try fixture.updates(of: try await fixture.connect())
            await fixture.simulator.refuse(
                "StartNotify", of: Self.characteristic, "org.bluez.Error." + row.name, row.text)
            #expect(await fixture.failure { try await updates.setNotifyValue(true) }?.code == row.code)
            #expect(!updates.isNotifying)
            try await updates.setNotifyValue(true)
        }

        @Test("Row 35: Switching notifications off succeeds if BlueZ no longer has a session")
        @BluetoothActor func noSession() async throws {
            let fixture = try await PeripheralFixture()
            let updates = try fixture.updates(of: try await fixture.connect())
            try await updates.setNotifyValue(true)
            await fixture.simulator.refuse(
                "StopNotify", of: Self.characteristic, Self.failed, "No notify session started")
            try await updates.setNotifyValue(false)
            #expect(!updates.isNotifying)
        }

        @Test("Row 35: The client configuration is not written by hand, and what cannot notify says so")
        @BluetoothActor func configuration() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.connect()
            let updates = try fixture.updates(of: peripheral)
            await fixture.simulator.keepCalls()
            let descriptors = try await updates.discoverDescriptors()
            let configuration = try #require(descriptors.first { $0.uuid == 0x2902 })
            let error = await fixture.failure { try await configuration.writeValue(Data([1, 0])) }
            #expect(error?.code == .notPermitted)
            let value = try fixture.value(of: peripheral)
            #expect(await fixture.failure { try await value.setNotifyValue(true) }?.code == .notSupported)
            #expect(await fixture.simulator.members.isEmpty)
        }

        @Test("Row 37: A session does not outlive the link: nothing arrives after a reconnection until it is asked for")
        @BluetoothActor func reconnection() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.connect()
            let updates = try fixture.updates(of: peripheral)
            var values: [Data?] = []
            try await updates.setNotifyValue(true)
            await fixture.simulator.keepCalls()
            await fixture.simulator.disconnect()
            try await eventually("the end") { !updates.isNotifying }
            try await eventually("the session's end") {
                await fixture.simulator.calls("StopNotify").count == 1
            }
            try await peripheral.connect()
            for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
            updates.service?.updateHandler = { characteristic, _ in values.append(characteristic.value) }
            let isSubscribed = await fixture.simulator.isSubscribed
            #expect(!isSubscribed)
            try await updates.setNotifyValue(true)
            await fixture.simulator.notify([1])
            try await eventually("the value") { !values.isEmpty }
            #expect(values == [Data([1])])
        }

        @Test("Row 37: In Progress of a session that BlueZ still has from before passes")
        @BluetoothActor func staleSession() async throws {
            let fixture = try await PeripheralFixture()
            let updates = try fixture.updates(of: try await fixture.connect())
            await fixture.simulator.refuse(
                "StartNotify", of: Self.characteristic, "org.bluez.Error.InProgress", "In Progress", times: 3)
            try await updates.setNotifyValue(true)
            #expect(updates.isNotifying)
        }
    }
}

extension SimulatorFixture {
    var isSubscribed: Bool { peripheral.characteristic(Self.updates)?.isSubscribed == true }
}

/// Notifies a value while a read waits for its response.
private final class NotifiesBeforeResponse: SimulatedPeripheralDelegate {
    private let value: [UInt8]
    private let respond: @SimulatorActor (AttributeRequest) -> Void

    nonisolated init(_ value: [UInt8], respond: @escaping @SimulatorActor (AttributeRequest) -> Void) {
        self.value = value
        self.respond = respond
    }

    func peripheral(
        _ peripheral: SimulatedPeripheral, read characteristic: SimulatedCharacteristic, request: AttributeRequest
    ) {
        peripheral.notify(value, from: characteristic)
        respond(request)
    }
}
