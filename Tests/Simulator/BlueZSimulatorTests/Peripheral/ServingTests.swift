import BlueZDBus
import BlueZSimulator
import TestSupport
import Testing

/// A simulator without peripherals, an application and a central.
@ClientActor struct ServingFixture {
    let bluez: SimulatedBlueZ
    let application: Application
    let central: SimulatedCentral

    init(_ configuration: SimulatedBlueZ.Configuration = .init(timing: .instant)) async throws {
        let bluez = try await SimulatorFixture.start(configuration)
        self.bluez = bluez
        application = try await Application(bluez.address)
        central = await bluez.addCentral()
    }

    /// Does something in the simulator.
    @discardableResult
    func simulate<R: Sendable>(_ body: @SimulatorActor (SimulatedCentral) async throws -> R) async rethrows -> R {
        let central = central
        return try await SimulatorActor.run { try await body(central) }
    }

    /// Connects the central and discovers the services.
    func connect(mtu: UInt16 = 517) async throws {
        try await simulate { central in
            try await central.connect(maximumMTU: mtu, timeout: .ample)
            try await central.discover()
        }
    }

    /// Reads the application's characteristic.
    func read(_ uuid: BluetoothUUID = 0x2A37) async throws -> Result<[UInt8], ATTError> {
        try await simulate { try await $0.read(#require($0.characteristic(uuid)).handle) }
    }

    /// Writes the application's characteristic by a request.
    func write(_ value: [UInt8], _ uuid: BluetoothUUID = 0x2A37) async throws -> Result<[UInt8], ATTError> {
        try await simulate { try await $0.write(value, to: #require($0.characteristic(uuid)).handle) }
    }

    /// Writes the client configuration of the application's characteristic.
    @discardableResult
    func configure(_ value: UInt16, _ uuid: BluetoothUUID = 0x2A37) async throws -> Result<[UInt8], ATTError> {
        try await simulate { try await $0.configure(#require($0.characteristic(uuid)), value) }
    }

    /// The received values.
    func updates(_ count: Int) async throws -> [SimulatedCentral.Update] {
        let central = central
        try await eventually("\(count) updates") { await central.updates.count >= count }
        return await central.updates
    }
}

@Suite("A program that offers services", .virtualTime) struct ServingTests {
    @Test("A central discovers, reads, writes and subscribes") func all() async throws {
        try await ClientActor.run {
            let fixture = try await ServingFixture()
            try fixture.application.addService()
            try fixture.application.addCharacteristic(["read", "write", "notify"])
            try await fixture.application.register()
            try await fixture.connect()
            #expect(try await fixture.read() == .success([1, 2, 3]))
            #expect(try await fixture.write([7]) == .success([]))
            try await fixture.configure(1)
            try await fixture.application.wait(forCall: "StartNotify")
            try await fixture.application.report([9])
            let updates = try await fixture.updates(1)
            #expect(updates.map(\.value) == [[9]])
            #expect(updates.map(\.isIndication) == [false])
            let device = "dev_F0_CA_FE_00_00_01"
            #expect(
                fixture.application.calls.filter { !$0.hasPrefix("Set") } == [
                    "ReadValue char0 {device=\(device),link=LE,mtu=517}",
                    "WriteValue char0 0x07 {device=\(device),link=LE,mtu=517}", "StartNotify char0",
                ])
        }
    }
}
