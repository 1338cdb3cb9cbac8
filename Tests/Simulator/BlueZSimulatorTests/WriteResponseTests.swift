import BlueZDBus
import BlueZSimulator
import TestSupport
import Testing

/// What a peripheral notifies after a write.
@Suite(.virtualTime) struct WriteResponseTests {
    private static let updates = "dev_BC_6A_29_AB_AB_51/service000a/char0011"

    private static func value(_ hex: String) -> String {
        "PropertiesChanged \(updates) GattCharacteristic1 {Value=0x\(hex)} []"
    }

    /// A probe whose sink responds through its updates, which are subscribed to.
    @ClientActor private func subscribed(_ responses: [WriteResponse]) async throws -> ProbeFixture {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        await fixture.simulate { _, probe in
            probe.characteristic(ProbeFixture.uuid("0005"))?.responses = responses
        }
        try await fixture.client.call(ProbeFixture.updates, "GattCharacteristic1", "StartNotify")
        fixture.client.forget()
        return fixture
    }

    @ClientActor private func write(_ value: [UInt8], _ fixture: ProbeFixture) async throws {
        try await fixture.client.call(
            ProbeFixture.sink, "GattCharacteristic1", "WriteValue", [.bytes(value), options()])
    }

    private static let updatesUUID = ProbeFixture.uuid("0003")

    @Test("The responses with the longest prefix follow the write's confirmation, in order")
    @ClientActor func longestPrefix() async throws {
        let fixture = try await subscribed([
            WriteResponse(to: [], parts: [.bytes([0xEE]), .writtenByte(0), .writtenByte(9)], on: Self.updatesUUID),
            WriteResponse(to: [4, 1], parts: [.written, .bytes([0xFF])], on: Self.updatesUUID),
            WriteResponse(to: [4], [0xDD], on: Self.updatesUUID),
            WriteResponse(to: [4, 1], [2], on: Self.updatesUUID),
        ])
        try await write([4, 1, 7], fixture)
        try await fixture.client.wait("two responses") { $0.record.count == 3 }
        #expect(fixture.client.record == ["= WriteValue", Self.value("040107ff"), Self.value("02")])
        fixture.client.forget()
        try await write([4], fixture)
        try await write([], fixture)
        try await write([9], fixture)
        try await fixture.client.wait("three responses") { $0.record.count == 6 }
        #expect(
            fixture.client.record.filter { !$0.hasPrefix("=") } == [
                Self.value("dd"), Self.value("ee"), Self.value("ee09"),
            ])
    }

    @Test("A refused write has no response, and neither has one that is too late for its link")
    @ClientActor func unsent() async throws {
        let fixture = try await subscribed([
            WriteResponse(to: [1], [1], on: Self.updatesUUID, after: Duration.milliseconds(300).stretched),
            WriteResponse(to: [2], [2], on: Self.updatesUUID),
        ])
        await fixture.simulate { _, probe in
            probe.characteristic(ProbeFixture.uuid("0005"))?.faults.writeError = .unlikelyError
        }
        _ = try await fixture.client.error(
            ProbeFixture.sink, "GattCharacteristic1", "WriteValue", [.bytes([2]), options()])
        await fixture.simulate { _, probe in
            probe.characteristic(ProbeFixture.uuid("0005"))?.faults.writeError = nil
        }
        try await write([1], fixture)
        await fixture.simulate { _, probe in probe.simulateDisconnection() }
        try await fixture.client.wait(for: "Connected=false")
        // bluetoothd subscribes again with the next link.
        try await fixture.client.call(ProbeFixture.device, "Device1", "Connect")
        try await eventually("the subscription") {
            await fixture.simulate { _, probe in probe.characteristic(Self.updatesUUID)?.isSubscribed == true }
        }
        // Written later, and sent later than the response to the first write would be.
        await fixture.simulate { _, probe in
            probe.characteristic(ProbeFixture.uuid("0005"))?.responses.append(
                WriteResponse(to: [3], [3], on: Self.updatesUUID, after: Duration.milliseconds(400).stretched))
        }
        try await write([3], fixture)
        try await fixture.client.wait("the last response") { $0.record.contains(Self.value("03")) }
        #expect(!fixture.client.record.contains(Self.value("01")))
        #expect(!fixture.client.record.contains(Self.value("02")))
    }

    @Test("A peripheral that needs more handles than there are is refused")
    @ClientActor func handles() async throws {
        let fixture = try await ProbeFixture()
        var specification = ProbeFixture.specification
        specification.address = "00:AA:02:00:00:01"
        specification.services.append(ServiceSpecification(0xFFE0, handle: 0xFFFF))
        await #expect(throws: DBusError.self) {
            try await fixture.simulate { bluez, _ in _ = try bluez.add(specification) }
        }
        specification.services[specification.services.count - 1].handle = 0xFFFE
        try await fixture.simulate { bluez, _ in _ = try bluez.add(specification) }
    }
}
