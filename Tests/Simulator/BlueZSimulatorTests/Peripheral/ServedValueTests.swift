import BlueZDBus
import BlueZSimulator
import TestSupport
import Testing

@Suite("The values of a program that offers services", .virtualTime) struct ServedValueTests {
    /// An application with a characteristic, and a central that has discovered it.
    @ClientActor private static func fixture(
        _ flags: [String], more: [String: Value] = [:], version: BlueZVersion = .v5_66, mtu: UInt16 = 517,
        response: Duration = .ample
    ) async throws -> ServingFixture {
        var timing = Timing.instant
        timing.applicationResponse = response
        var configuration = SimulatedBlueZ.Configuration(timing: timing)
        configuration.version = version
        let fixture = try await ServingFixture(configuration)
        try fixture.application.addService()
        try fixture.application.addCharacteristic(flags, more: more)
        try await fixture.application.register()
        try await fixture.connect(mtu: mtu)
        return fixture
    }

    private static let errors: [(name: String, message: String, old: UInt8, code: UInt8)] = [
        ("org.bluez.Error.Failed", "", 0x80, 0x0E),
        ("org.bluez.Error.Failed", "broken", 0x80, 0x80),
        ("org.bluez.Error.Failed", "0x81", 0x80, 0x81),
        ("org.bluez.Error.Failed", " 159", 0x80, 0x9F),
        ("org.bluez.Error.Failed", "0237", 0x80, 0x9F),
        ("org.bluez.Error.Failed", "0x81 ", 0x80, 0x80),
        ("org.bluez.Error.Failed", "0xA0", 0x80, 0x0E),
        ("org.bluez.Error.Failed", "-1", 0x80, 0x0E),
        ("org.bluez.Error.NotSupported", "", 0x06, 0x06),
        ("org.bluez.Error.NotAuthorized", "", 0x08, 0x08),
        ("org.bluez.Error.InvalidValueLength", "", 0x0D, 0x0D),
        ("org.bluez.Error.InvalidOffset", "", 0x07, 0x07),
        ("org.bluez.Error.InProgress", "", 0xFE, 0xFE),
        ("org.bluez.Error.ImproperlyConfigured", "", 0x0E, 0x0E),
        ("org.bluez.Error.Other", "", 0x0E, 0x0E),
        ("org.freedesktop.DBus.Error.UnknownMethod", "", 0x0E, 0x0E),
    ]

    @Test("The errors of a program have codes, which differ between versions", arguments: [true, false])
    @ClientActor func errors(isOld: Bool) async throws {
        let fixture = try await Self.fixture(["read", "write"], version: isOld ? .v5_55 : .v5_66)
        for (name, message, old, code) in Self.errors {
            fixture.application.reply(.error(name, message), to: "ReadValue")
            fixture.application.reply(.error(name, message), to: "WriteValue")
            let expected = ATTError(rawValue: isOld ? old : code)
            #expect(try await fixture.read() == .failure(expected), "\(name) \(message)")
            #expect(try await fixture.write([1]) == .failure(expected), "\(name) \(message)")
        }
        fixture.application.reply(.error("org.bluez.Error.NotPermitted", ""), to: "ReadValue")
        fixture.application.reply(.error("org.bluez.Error.NotPermitted", ""), to: "WriteValue")
        #expect(try await fixture.read() == .failure(.readNotPermitted))
        #expect(try await fixture.write([1]) == .failure(.writeNotPermitted))
    }

    @Test("From 5.82 on, a program can say that a configuration is improper") @ClientActor func improper() async throws
    {
        let fixture = try await Self.fixture(["read"], version: .v5_82)
        fixture.application.reply(.error("org.bluez.Error.ImproperlyConfigured", ""), to: "ReadValue")
        #expect(try await fixture.read() == .failure(ATTError(rawValue: 0xFD)))
    }

    @Test("A reply that is no value is an error") @ClientActor func noValue() async throws {
        let fixture = try await Self.fixture(["read"])
        fixture.application.reply(.values([]), to: "ReadValue")
        #expect(try await fixture.read() == .failure(.requestNotSupported))
    }

    @Test("A value has at most 512 bytes, and a response MTU - 1") @ClientActor func long() async throws {
        let fixture = try await Self.fixture(["read"], mtu: 23)
        fixture.application.reply(.values([.bytes(.init(repeating: 5, count: 600))]), to: "ReadValue")
        #expect(try await fixture.read() == .success(.init(repeating: 5, count: 22)))
        try await fixture.simulate { central in
            let handle = try #require(central.characteristic(0x2A37)).handle
            _ = try await central.read(handle, offset: 22)
        }
        #expect(
            fixture.application.calls.last
                == "ReadValue char0 {device=dev_F0_CA_FE_00_00_01,link=LE,mtu=23,offset=22}")
    }

    @Test("A program that doesn't answer in time makes an unlikely error, and its late answer is dropped")
    @ClientActor func timeout() async throws {
        let fixture = try await Self.fixture(["read", "write"], response: .milliseconds(50))
        fixture.application.reply(.none, to: "ReadValue")
        #expect(try await fixture.read() == .failure(.unlikelyError))
        fixture.application.reply(.none, to: "WriteValue")
        #expect(try await fixture.write([1]) == .failure(.unlikelyError))
        fixture.application.release([.bytes([9])])
        fixture.application.reply(.values([.bytes([7])]), to: "ReadValue")
        #expect(try await fixture.read() == .success([7]))
    }

    @Test("A characteristic that can be written without a response can't refuse a write") @ClientActor func command()
        async throws
    {
        let fixture = try await Self.fixture(["write", "write-without-response"])
        fixture.application.reply(.error("org.bluez.Error.NotPermitted", ""), to: "WriteValue")
        #expect(try await fixture.write([1]) == .success([]))
        try await fixture.simulate { central in
            try central.command([2], to: #require(central.characteristic(0x2A37)).handle)
        }
        try await fixture.application.wait(forCall: "WriteValue char0 0x02")
        #expect(fixture.application.calls.allSatisfy { !$0.contains("type") })
    }

    @Test("A write command reaches a characteristic that only allows requests") @ClientActor func commandOfRequest()
        async throws
    {
        let fixture = try await Self.fixture(["write"])
        try await fixture.simulate { central in
            try central.command([2], to: #require(central.characteristic(0x2A37)).handle)
        }
        try await fixture.application.wait(forCall: "WriteValue char0 0x02")
    }

    @Test("Prepared writes arrive merged when they are executed") @ClientActor func prepared() async throws {
        let fixture = try await Self.fixture(["write"])
        let result = try await fixture.simulate { central in
            let handle = try #require(central.characteristic(0x2A37)).handle
            return try await central.prepare([(3, [1, 2]), (5, [3])], of: handle)
        }
        #expect(result == .success([]))
        #expect(
            fixture.application.calls == [
                "WriteValue char0 0x010203 {device=dev_F0_CA_FE_00_00_01,link=LE,mtu=517,offset=3}"
            ])
    }

    @Test("Several prepared writes need a reliable characteristic", arguments: [true, false])
    @ClientActor func reliable(isReliable: Bool) async throws {
        let fixture = try await Self.fixture(isReliable ? ["write", "reliable-write"] : ["write"])
        let result = try await fixture.simulate { central in
            let handle = try #require(central.characteristic(0x2A37)).handle
            return try await central.prepare([(0, [1]), (9, [2])], of: handle)
        }
        #expect(result == (isReliable ? .success([]) : .failure(.requestNotSupported)))
        #expect(fixture.application.calls.count == (isReliable ? 2 : 0))
    }

    @Test("With the flag authorize, a program is asked before a prepared write") @ClientActor func authorize()
        async throws
    {
        let fixture = try await Self.fixture(["write", "authorize"])
        let prepare = { @SimulatorActor @Sendable (central: SimulatedCentral) in
            let handle = try #require(central.characteristic(0x2A37)).handle
            return try await central.prepare([(0, [1]), (1, [2])], of: handle)
        }
        fixture.application.reply(.error("org.bluez.Error.NotAuthorized", ""), to: "WriteValue")
        #expect(try await fixture.simulate(prepare) == .failure(.insufficientAuthorization))
        fixture.application.reply(.values([]), to: "WriteValue")
        fixture.application.forgetCalls()
        #expect(try await fixture.simulate(prepare) == .success([]))
        let options = "device=dev_F0_CA_FE_00_00_01,link=LE,mtu=517"
        #expect(
            fixture.application.calls == [
                "WriteValue char0 0x {\(options),prepare-authorize=true}", "WriteValue char0 0x0102 {\(options)}",
            ])
    }

    @Test("A write of 511 bytes is too long for 5.66, but not for 5.82", arguments: [true, false])
    @ClientActor func length(isOld: Bool) async throws {
        let fixture = try await Self.fixture(["write"], version: isOld ? .v5_66 : .v5_82)
        let result = try await fixture.write(.init(repeating: 1, count: 511))
        #expect(result == (isOld ? .failure(.invalidAttributeValueLength) : .success([])))
        #expect(try await fixture.write(.init(repeating: 1, count: 510)) == .success([]))
    }

    @Test("A request that waits when its service is unregistered is not supported") @ClientActor func withdrawn()
        async throws
    {
        let fixture = try await Self.fixture(["read"])
        fixture.application.reply(.none, to: "ReadValue")
        async let result = fixture.read()
        try await fixture.application.wait(forCall: "ReadValue")
        try await fixture.application.unregister()
        #expect(try await result == .failure(.requestNotSupported))
        #expect(try await fixture.read() == .failure(.invalidHandle))
    }

    @Test("Permissions need an encrypted or authenticated link") @ClientActor func permissions() async throws {
        let fixture = try await Self.fixture(["encrypt-read", "encrypt-authenticated-write"])
        #expect(try await fixture.read() == .failure(.insufficientEncryption))
        #expect(try await fixture.write([1]) == .failure(.insufficientAuthentication))
        let agent = try await Client(fixture.bluez.address)
        try agent.exportAgent(at: "/agent")
        let path = Value.objectPath(try ObjectPath("/agent"))
        try await agent.call("/org/bluez", "AgentManager1", "RegisterAgent", [path, .string("NoInputNoOutput")])
        try await agent.call("/org/bluez", "AgentManager1", "RequestDefaultAgent", [path])
        #expect(try await fixture.simulate { try await $0.pair() })
        #expect(agent.record.contains("? RequestAuthorization"))
        #expect(try await fixture.read() == .success([1, 2, 3]))
        #expect(try await fixture.write([1]) == .failure(.insufficientAuthentication))
    }
}
