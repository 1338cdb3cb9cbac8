import BlueZSimulator
import DBus
import Testing

@Suite struct SimulatorValueTests {
    @Test("A read reports its value to everybody before it answers")
    func read() async throws {
        try await ClientActor.run {
            let scene = try await Scene()
            try await scene.connect()
            try await scene.client.call(Scene.echo, "GattCharacteristic1", "ReadValue", [options()])
            let value =
                "PropertiesChanged dev_BC_6A_29_AB_AB_51/service000a/char000b GattCharacteristic1 {Value=0x010203} []"
            #expect(scene.client.record == [value, "= ReadValue 0x010203"])
            let long = try await scene.client.call(Scene.long, "GattCharacteristic1", "ReadValue", [options()])
            #expect(long == [.bytes((0..<400).map { UInt8($0 % 251) })])
            let tail = try await scene.client.call(
                Scene.long, "GattCharacteristic1", "ReadValue", [options(["offset": .uint16(390)])])
            #expect(tail == [.bytes((390..<400).map { UInt8($0 % 251) })])
        }
    }

    @Test("Two reads at once are one request with two answers")
    func coalescedReads() async throws {
        try await ClientActor.run {
            let scene = try await Scene()
            try await scene.connect()
            await scene.simulate { _, probe in
                probe.characteristic(Scene.uuid("0001"))?.faults.delay = .milliseconds(30)
            }
            let first = try scene.client.start(Scene.echo, "GattCharacteristic1", "ReadValue", [options()])
            let second = try scene.client.start(Scene.echo, "GattCharacteristic1", "ReadValue", [options()])
            #expect(try await first.value == [.bytes([1, 2, 3])])
            #expect(try await second.value == [.bytes([1, 2, 3])])
            #expect(scene.client.record.filter { $0.hasPrefix("PropertiesChanged") }.count == 1)
            let reads = await scene.simulate { _, probe in
                probe.log.filter { $0.uuid == Scene.uuid("0001") && $0.operation == .read }.count
            }
            #expect(reads == 1)
        }
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
    func attErrors(code: UInt8, expected: String) async throws {
        try await ClientActor.run {
            let scene = try await Scene()
            try await scene.connect()
            await scene.simulate { _, probe in
                let echo = probe.characteristic(Scene.uuid("0001"))
                echo?.faults.readError = ATTError(rawValue: code)
                echo?.faults.writeError = ATTError(rawValue: code)
                echo?.descriptors.last?.faults.readError = ATTError(rawValue: code)
            }
            let read = try await scene.client.error(Scene.echo, "GattCharacteristic1", "ReadValue", [options()])
            #expect(read == "org.bluez.Error." + expected)
            let write = try await scene.client.error(
                Scene.echo, "GattCharacteristic1", "WriteValue", [.bytes([1]), options(["type": .string("request")])])
            #expect(write == "org.bluez.Error." + expected)
            let descriptor = try await scene.client.error(
                Scene.echo + "/desc000e", "GattDescriptor1", "ReadValue", [options()])
            #expect(descriptor == "org.bluez.Error." + expected)
        }
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
            Write(Scene.echo, 2), Write(Scene.echo, 1, ["type": .string("request")]),
            Write(Scene.echo, 1, ["type": .string("command")]), Write(Scene.echo, 1, ["type": .string("reliable")]),
            Write(Scene.echo, 1, ["type": .string("nonsense")], "NotSupported: Operation is not supported"),
            Write(Scene.echo, 0), Write(Scene.echo, 512),
            Write(Scene.echo, 513, [:], "InvalidArguments: Invalid Length"),
            Write(Scene.echo, 300, ["type": .string("command")], "Failed: Failed to initiate write"),
            Write(Scene.echo, 1, ["offset": .string("x")], "InvalidArguments: Invalid arguments in method call"),
            Write(
                Scene.echo, 1, ["type": .string("command"), "offset": .uint16(1)],
                "NotSupported: Operation is not supported"),
            Write(Scene.echo, 1, ["offset": .uint16(2)]),
            Write(Scene.echo, 1, ["offset": .uint16(9)], "InvalidArguments: Invalid offset"),
            Write(Scene.readsOnly, 1, [:], "NotSupported: Operation is not supported"),
            Write(Scene.readsOnly, 1, ["type": .string("command")]),
            Write(Scene.readsOnly, 1, ["type": .string("request")], "NotPermitted: Write not permitted"),
            Write(Scene.commands, 1), Write(Scene.sink, 1, ["type": .string("command")]),
            Write(Scene.commands, 1, ["type": .string("request")], "NotPermitted: Write not permitted"),
        ]
    )
    func writes(write: Write) async throws {
        try await ClientActor.run {
            let scene = try await Scene()
            try await scene.connect()
            let arguments = [Value.bytes([UInt8](repeating: 7, count: write.size)), options(write.options)]
            if let expected = write.error {
                let error = try await scene.client.error(write.path, "GattCharacteristic1", "WriteValue", arguments)
                #expect(error == "org.bluez.Error." + expected)
            } else {
                try await scene.client.call(write.path, "GattCharacteristic1", "WriteValue", arguments)
                #expect(scene.client.record == ["= WriteValue"])
            }
        }
    }

    @Test("Descriptors are read and written, the client configuration is not written")
    func descriptors() async throws {
        try await ClientActor.run {
            let scene = try await Scene()
            try await scene.connect()
            let echo = Scene.echo
            let name = try await scene.client.call(echo + "/desc000d", "GattDescriptor1", "ReadValue", [options()])
            #expect(name == [.bytes(Array("Echo".utf8))])
            #expect(scene.client.record.first?.contains("GattDescriptor1 {Value=0x4563686f} []") == true)
            let refused = try await scene.client.error(
                echo + "/desc000d", "GattDescriptor1", "WriteValue", [.bytes([1]), options()])
            #expect(refused == "org.bluez.Error.NotPermitted: Write not permitted")
            try await scene.client.call(
                echo + "/desc000e", "GattDescriptor1", "WriteValue", [.bytes([0x11, 0x22]), options()])
            let custom = try await scene.client.call(echo + "/desc000e", "GattDescriptor1", "ReadValue", [options()])
            #expect(custom == [.bytes([0x11, 0x22])])
            let configuration = Scene.updates + "/desc0013"
            let bits = try await scene.client.call(configuration, "GattDescriptor1", "ReadValue", [options()])
            #expect(bits == [.bytes([0, 0])])
            let written = try await scene.client.error(
                configuration, "GattDescriptor1", "WriteValue", [.bytes([1, 0]), options()])
            #expect(written == "org.bluez.Error.NotPermitted: Write not permitted")
        }
    }
}
