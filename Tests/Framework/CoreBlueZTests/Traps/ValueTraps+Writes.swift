import BlueZDBus
import BlueZSimulator
import Foundation
import TestSupport
import Testing

@testable import CoreBlueZ

extension Traps.Values {
    private static let command: BluetoothUUID = "C0B10006-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    private static let both: BluetoothUUID = "C0B10007-7A6B-4D5E-8F90-1A2B3C4D5E6F"

    /// The fixture with one more service: a characteristic for commands, and one that notifies and indicates.
    private func run(_ body: @BluetoothActor (PeripheralFixture, Service) async throws -> Void) async throws {
        try await PeripheralFixture.run { fixture in
            await fixture.simulator.perform { simulator in
                _ = simulator.peripheral.addService(
                    ServiceSpecification(
                        "C0B10005-7A6B-4D5E-8F90-1A2B3C4D5E6F",
                        characteristics: [
                            CharacteristicSpecification(Self.command, [.writeWithoutResponse], value: []),
                            CharacteristicSpecification(Self.both, [.notify, .indicate], value: []),
                        ]))
            }
            let peripheral = try await fixture.connect()
            let uuid = BluetoothUUID("C0B10005-7A6B-4D5E-8F90-1A2B3C4D5E6F")
            try await body(fixture, try #require(peripheral[uuid]))
        }
    }

    @Test("Row 35: What can notify and indicate notifies")
    func notifiesFirst() async throws {
        try await run { fixture, service in
            try await #require(service[Self.both]).setNotifyValue(true)
            let bits = await fixture.simulator.configuration(of: Self.both)
            #expect(bits == 1)
        }
    }

    @Test("Row 38: Every write says its type")
    func types() async throws {
        try await run { fixture, service in
            let value = try #require(service.peripheral?[SimulatorFixture.service]?[SimulatorFixture.value])
            let command = try #require(service[Self.command])
            await fixture.simulator.keepCalls()
            try await value.writeValue(Data([1]))
            try await command.writeValue(Data([2]), type: .withoutResponse)
            let options = await fixture.simulator.calls("WriteValue").map(\.arguments.last)
            #expect(
                options == [
                    .properties(["type": .string("request")]), .properties(["type": .string("command")]),
                ])
        }
    }

    // Requests go out whatever the flags say: the peripheral answers them itself, and some permit what their flags do
    // not.
    @Test("Row 38: A command that the flags do not permit is refused here, for BlueZ would send it into the void")
    func commandWithoutFlag() async throws {
        try await run { fixture, service in
            let value = try #require(service.peripheral?[SimulatorFixture.service]?[SimulatorFixture.value])
            await fixture.simulator.keepCalls()
            let error = await fixture.failure { try await value.writeValue(Data([1]), type: .withoutResponse) }
            #expect(error?.code == .notPermitted)
            #expect(await fixture.simulator.members.isEmpty)
        }
    }

    @Test("Row 38: A request that the peripheral does not take ends with its answer")
    func requestWithoutFlag() async throws {
        try await run { fixture, service in
            let error = await fixture.failure { try await service[Self.command]?.writeValue(Data([1])) }
            #expect(error?.code == .notPermitted)
            #expect(error?.attError == .writeNotPermitted)
            #expect(error?.bluezMessage == "Write not permitted")
        }
    }

    @Test(
        "Row 38: What else BlueZ answers to a write becomes the error that fits",
        arguments: [
            ("NotSupported", "Operation is not supported", BluetoothError.Code.notSupported),
            ("Failed", "Bad address", .failed),
        ])
    func otherAnswers(name: String, text: String, code: BluetoothError.Code) async throws {
        try await run { fixture, service in
            let value = try #require(service.peripheral?[SimulatorFixture.service]?[SimulatorFixture.value])
            await fixture.simulator.refuse("WriteValue", of: Self.characteristic, "org.bluez.Error." + name, text)
            let error = await fixture.failure { try await value.writeByte(1) }
            #expect(error?.code == code)
            #expect(error?.bluezMessage == text)
        }
    }

    @Test("Row 39: The longest command is the MTU less 3, follows the MTU, and is 20 if BlueZ reports none")
    func lengths() async throws {
        try await run { fixture, service in
            let command = try #require(service[Self.command])
            let path = try #require(command.path)
            let mtu = await fixture.simulator.mtu
            #expect(command.maximumWriteValueLength(for: .withoutResponse) == min(512, mtu - 3))
            #expect(command.maximumWriteValueLength(for: .withResponse) == 512)
            let updates = try #require(service[Self.both])
            try await updates.setNotifyValue(true)
            try await fixture.simulator.propertiesChanged(path.string, Self.characteristic, ["MTU": .uint16(100)])
            try await eventually("the MTU") { command.maximumWriteValueLength(for: .withoutResponse) == 97 }
            await fixture.simulator.disconnect()
            try await eventually("the end") { command.maximumWriteValueLength(for: .withoutResponse) == 20 }
        }
    }

    @Test("Row 39: A command over the limit, and a value over 512 bytes, are refused before they are cut or dropped")
    func tooLong() async throws {
        try await run { fixture, service in
            let command = try #require(service[Self.command])
            let value = try #require(service.peripheral?[SimulatorFixture.service]?[SimulatorFixture.value])
            let limit = command.maximumWriteValueLength(for: .withoutResponse)
            await fixture.simulator.keepCalls()
            let error = await fixture.failure {
                try await command.writeValue(Data(repeating: 1, count: limit + 1), type: .withoutResponse)
            }
            #expect(error?.code == .valueTooLong)
            #expect(
                await fixture.failure { try await value.writeValue(Data(repeating: 1, count: 513)) }?.code
                    == .valueTooLong)
            #expect(await fixture.simulator.members.isEmpty)
            try await command.writeValue(Data(repeating: 1, count: limit), type: .withoutResponse)
            // Longer than a packet: BlueZ prepares and executes.
            try await value.writeValue(Data(repeating: 2, count: 512))
            #expect(try await value.readValue() == Data(repeating: 2, count: 512))
        }
    }

    @Test(
        "Row 39: What BlueZ answers to lengths and offsets becomes the error that fits",
        arguments: [
            ("Failed", "Failed to initiate write", BluetoothError.Code.valueTooLong, UInt8?.none),
            ("InvalidArguments", "Invalid offset", .invalidArguments, 0x07),
            ("InvalidArguments", "Invalid Length", .invalidArguments, 0x0D),
            ("Failed", "Operation failed with ATT error: 0x0b", .att, 0x0B),
        ])
    func lengthAnswers(name: String, text: String, code: BluetoothError.Code, att: UInt8?) async throws {
        try await run { fixture, service in
            let value = try #require(service.peripheral?[SimulatorFixture.service]?[SimulatorFixture.value])
            await fixture.simulator.refuse("WriteValue", of: Self.characteristic, "org.bluez.Error." + name, text)
            let error = await fixture.failure { try await value.writeByte(1) }
            #expect(error?.code == code)
            #expect(error?.attError?.rawValue == att)
        }
    }

    @Test("Row 40: ATT error 0x0e with the link's end after it is the link's end")
    func linkLoss() async throws {
        try await run { fixture, service in
            let peripheral = try #require(service.peripheral)
            let value = try #require(peripheral[SimulatorFixture.service]?[SimulatorFixture.value])
            await fixture.simulator.refuse(
                "ReadValue", of: Self.characteristic, Self.failed, "Operation failed with ATT error: 0x0e")
            var errors: [BluetoothError?] = []
            value.readValue { errors.append($1) }
            try await fixture.central.barrier()
            await fixture.simulator.disconnect()
            try await eventually("the end") { !errors.isEmpty }
            await fixture.central.settle()
            #expect(errors.map { $0?.code } == [.disconnected])
        }
    }

    @Test("Row 40: ATT error 0x0e on a link that lives is the peripheral's answer")
    func unlikelyError() async throws {
        try await run { fixture, service in
            let value = try #require(service.peripheral?[SimulatorFixture.service]?[SimulatorFixture.value])
            await fixture.simulator.refuse(
                "ReadValue", of: Self.characteristic, Self.failed, "Operation failed with ATT error: 0x0e")
            let error = await fixture.failure { try await value.readValue() }
            #expect(error?.attError == .unlikelyError)
            #expect(service.peripheral?.isConnected == true)
        }
    }

    @Test("Row 40: ATT error 0x0e after bluetoothd's own limit is the peripheral's silence")
    func silence() async throws {
        try await run { fixture, service in
            let value = try #require(service.peripheral?[SimulatorFixture.service]?[SimulatorFixture.value])
            await fixture.simulator.refuse(
                "ReadValue", of: Self.characteristic, Self.failed, "Operation failed with ATT error: 0x0e", times: 2)
            fixture.central.client.timeouts.transaction = .zero
            let error = await fixture.failure { try await value.readValue() }
            #expect(error?.code == .timedOut)
            #expect(error?.message.hasSuffix("the peripheral did not respond within 0 seconds") == true)
            #expect(error?.bluezName == Self.failed)
            fixture.central.client.timeouts.transaction = fixture.central.attributeTimeout
            #expect(await fixture.failure { try await value.readValue() }?.attError == .unlikelyError)
        }
    }

    @Test("Row 40: Not connected, after the link, and Not paired have codes of their own")
    func securityAnswers() async throws {
        try await run { fixture, service in
            let value = try #require(service.peripheral?[SimulatorFixture.service]?[SimulatorFixture.value])
            await fixture.simulator.refuse(
                "ReadValue", of: Self.characteristic, "org.bluez.Error.NotPermitted", "Not paired")
            #expect(await fixture.failure { try await value.readValue() }?.code == .insufficientSecurity)
            await fixture.simulator.disconnect()
            try await eventually("the end") { service.peripheral?.isConnected == false }
            #expect(await fixture.failure { try await value.readValue() }?.code == .notConnected)
        }
    }
}

extension SimulatorFixture {
    var mtu: Int { Int(peripheral.specification.maximumMTU) }
    func configuration(of uuid: BluetoothUUID) -> UInt16? { peripheral.characteristic(uuid)?.clientConfiguration }
}
