import BlueZDBus
import BlueZSimulator
import TestSupport
import Testing

@Suite(.virtualTime) struct SimulatorValueTests {
    @Test("A read reports its value to everybody before it answers")
    @ClientActor func read() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        try await fixture.client.call(ProbeFixture.echo, "GattCharacteristic1", "ReadValue", [options()])
        let value =
            "PropertiesChanged dev_BC_6A_29_AB_AB_51/service000a/char000b GattCharacteristic1 {Value=0x010203} []"
        #expect(fixture.client.record == [value, "= ReadValue 0x010203"])
        let long = try await fixture.client.call(ProbeFixture.long, "GattCharacteristic1", "ReadValue", [options()])
        #expect(long == [.bytes((0..<400).map { UInt8($0 % 251) })])
        let tail = try await fixture.client.call(
            ProbeFixture.long, "GattCharacteristic1", "ReadValue", [options(["offset": .uint16(390)])])
        #expect(tail == [.bytes((390..<400).map { UInt8($0 % 251) })])
    }

    @Test("Two reads at once are one request with two answers")
    @ClientActor func coalescedReads() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        // Long enough for the second read.
        let delay = Duration.milliseconds(200).stretched
        await fixture.simulate { _, probe in
            probe.characteristic(ProbeFixture.uuid("0001"))?.faults.delay = delay
        }
        let first = try fixture.client.start(ProbeFixture.echo, "GattCharacteristic1", "ReadValue", [options()])
        let second = try fixture.client.start(ProbeFixture.echo, "GattCharacteristic1", "ReadValue", [options()])
        #expect(try await first.value == [.bytes([1, 2, 3])])
        #expect(try await second.value == [.bytes([1, 2, 3])])
        #expect(fixture.client.record.filter { $0.hasPrefix("PropertiesChanged") }.count == 1)
        let reads = await fixture.simulate { _, probe in
            probe.log.filter { $0.uuid == ProbeFixture.uuid("0001") && $0.operation == .read }.count
        }
        #expect(reads == 1)
    }

    @Test(
        "Every ATT error has bluetoothd's name and text",
        arguments: [
            (0x01, "Failed: Operation failed with ATT error: 0x01"), (0x02, "NotPermitted: Read not permitted"),
            (0x03, "NotPermitted: Write not permitted"), (0x04, "Failed: Operation failed with ATT error: 0x04"),
            (0x06, "NotSupported: Operation is not supported"), (0x07, "InvalidArguments: Invalid offset"),
            (0x08, "NotAuthorized: Operation Not Authorized"), (0x0C, "NotPermitted: Not paired"),
            (0x0D, "InvalidArguments: Invalid Length"), (0x0E, "Failed: Operation failed with ATT error: 0x0e"),
            (0x80, "Failed: Operation failed with ATT error: 0x80"),
            (0xFF, "Failed: Operation failed with ATT error: 0xff"),
        ]
    )
    @ClientActor func attErrors(code: UInt8, expected: String) async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        await fixture.simulate { _, probe in
            let echo = probe.characteristic(ProbeFixture.uuid("0001"))
            echo?.faults.readError = ATTError(rawValue: code)
            echo?.faults.writeError = ATTError(rawValue: code)
            echo?.descriptors.last?.faults.readError = ATTError(rawValue: code)
        }
        let read = try await fixture.client.error(
            ProbeFixture.echo, "GattCharacteristic1", "ReadValue", [options()])
        #expect(read == "org.bluez.Error." + expected)
        let write = try await fixture.client.error(
            ProbeFixture.echo, "GattCharacteristic1", "WriteValue",
            [.bytes([1]), options(["type": .string("request")])])
        #expect(write == "org.bluez.Error." + expected)
        let descriptor = try await fixture.client.error(
            ProbeFixture.echo + "/desc000e", "GattDescriptor1", "ReadValue", [options()])
        #expect(descriptor == "org.bluez.Error." + expected)
    }

    struct Write: Sendable, CustomTestStringConvertible {
        let path: String
        let size: Int
        let options: [String: Value]
        let error: String?
        var testDescription: String { "\(size) bytes to \(path.suffix(4)), \(options)" }

        init(_ path: String, _ size: Int, _ options: [String: Value] = [:], _ error: String? = nil) {
            self.path = path
            self.size = size
            self.options = options
            self.error = error
        }
    }

    @Test(
        "Writes follow flags, type, length and offset as bluetoothd does",
        arguments: [
            Write(ProbeFixture.echo, 2), Write(ProbeFixture.echo, 1, ["type": .string("request")]),
            Write(ProbeFixture.echo, 1, ["type": .string("command")]),
            Write(ProbeFixture.echo, 1, ["type": .string("reliable")]),
            Write(ProbeFixture.echo, 1, ["type": .string("nonsense")], "NotSupported: Operation is not supported"),
            Write(ProbeFixture.echo, 0), Write(ProbeFixture.echo, 512),
            Write(ProbeFixture.echo, 513, [:], "InvalidArguments: Invalid Length"),
            Write(ProbeFixture.echo, 300, ["type": .string("command")], "Failed: Failed to initiate write"),
            Write(ProbeFixture.echo, 1, ["offset": .string("x")], "InvalidArguments: Invalid arguments in method call"),
            Write(
                ProbeFixture.echo, 1, ["type": .string("command"), "offset": .uint16(1)],
                "NotSupported: Operation is not supported"),
            Write(ProbeFixture.echo, 1, ["offset": .uint16(2)]),
            Write(ProbeFixture.echo, 1, ["offset": .uint16(9)], "InvalidArguments: Invalid offset"),
            Write(ProbeFixture.readsOnly, 1, [:], "NotSupported: Operation is not supported"),
            Write(ProbeFixture.readsOnly, 1, ["type": .string("command")]),
            Write(ProbeFixture.readsOnly, 1, ["type": .string("request")], "NotPermitted: Write not permitted"),
            Write(ProbeFixture.commands, 1), Write(ProbeFixture.sink, 1, ["type": .string("command")]),
            Write(ProbeFixture.commands, 1, ["type": .string("request")], "NotPermitted: Write not permitted"),
        ]
    )
    @ClientActor func writes(write: Write) async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        let arguments = [Value.bytes([UInt8](repeating: 7, count: write.size)), options(write.options)]
        if let expected = write.error {
            let error = try await fixture.client.error(write.path, "GattCharacteristic1", "WriteValue", arguments)
            #expect(error == "org.bluez.Error." + expected)
        } else {
            try await fixture.client.call(write.path, "GattCharacteristic1", "WriteValue", arguments)
            #expect(fixture.client.record == ["= WriteValue"])
        }
    }

    @Test("Descriptors are read and written, the client configuration is not written")
    @ClientActor func descriptors() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        let echo = ProbeFixture.echo
        let name = try await fixture.client.call(echo + "/desc000d", "GattDescriptor1", "ReadValue", [options()])
        #expect(name == [.bytes(Array("Echo".utf8))])
        #expect(fixture.client.record.first?.contains("GattDescriptor1 {Value=0x4563686f} []") == true)
        let refused = try await fixture.client.error(
            echo + "/desc000d", "GattDescriptor1", "WriteValue", [.bytes([1]), options()])
        #expect(refused == "org.bluez.Error.NotPermitted: Write not permitted")
        try await fixture.client.call(
            echo + "/desc000e", "GattDescriptor1", "WriteValue", [.bytes([0x11, 0x22]), options()])
        let custom = try await fixture.client.call(echo + "/desc000e", "GattDescriptor1", "ReadValue", [options()])
        #expect(custom == [.bytes([0x11, 0x22])])
        let configuration = ProbeFixture.updates + "/desc0013"
        let bits = try await fixture.client.call(configuration, "GattDescriptor1", "ReadValue", [options()])
        #expect(bits == [.bytes([0, 0])])
        let written = try await fixture.client.error(
            configuration, "GattDescriptor1", "WriteValue", [.bytes([1, 0]), options()])
        #expect(written == "org.bluez.Error.NotPermitted: Write not permitted")
    }
}
