import BlueZDBus
import BlueZServer
import BlueZSimulator
import TestSupport
import Testing

/// The contract's peripheral, a simulator that has it, and a client.
@ClientActor struct ProbeFixture {
    nonisolated static let adapter = "/org/bluez/hci0"
    nonisolated static let device = adapter + "/dev_BC_6A_29_AB_AB_51"
    nonisolated static let service = device + "/service000a"
    nonisolated static let echo = service + "/char000b"
    nonisolated static let long = service + "/char000f"
    nonisolated static let updates = service + "/char0011"
    nonisolated static let confirmations = service + "/char0014"
    nonisolated static let sink = service + "/char0017"
    nonisolated static let commands = service + "/char0019"
    nonisolated static let readsOnly = service + "/char001b"

    let simulator: SimulatorFixture
    let client: Client
    var bluez: SimulatedBlueZ { simulator.bluez }
    var probe: SimulatedPeripheral { simulator.peripheral }

    init(
        timing: Timing = .instant, isExperimental: Bool = false, version: BlueZVersion = .v5_66,
        peripheral: PeripheralSpecification = Self.specification
    ) async throws {
        var configuration = SimulatedBlueZ.Configuration(timing: timing, isExperimental: isExperimental)
        configuration.version = version
        simulator = try await SimulatorFixture(configuration, peripheral: peripheral)
        client = try await Client(simulator.bluez.address)
    }

    /// Runs a step in the simulator.
    @discardableResult
    func simulate<R: Sendable>(_ body: @SimulatorActor (SimulatedBlueZ, SimulatedPeripheral) throws -> R) async rethrows
        -> R
    {
        try await body(bluez, probe)
    }

    /// Scans until the device is known, then stops.
    func find() async throws {
        try await client.call(
            Self.adapter, "Adapter1", "SetDiscoveryFilter", [.properties(["Transport": .string("le")])])
        try await client.call(Self.adapter, "Adapter1", "StartDiscovery")
        try await client.wait(for: "InterfacesAdded / dev_BC_6A_29_AB_AB_51")
        try await client.call(Self.adapter, "Adapter1", "StopDiscovery")
        try await client.wait(for: "Discovering=false")
    }

    /// Finds, connects, and waits for the services.
    func connect() async throws {
        try await find()
        try await client.call(Self.device, "Device1", "Connect")
        try await client.wait(for: "ServicesResolved=true")
        client.forget()
    }

    nonisolated static func uuid(_ number: String) -> BluetoothUUID {
        BluetoothUUID("C0B1\(number)-7A6B-4D5E-8F90-1A2B3C4D5E6F") ?? 0
    }

    nonisolated static let specification = PeripheralSpecification(
        name: "CoreBlueZ Probe",
        address: "bc:6a:29:ab:ab:51",
        advertisement: AdvertisementData(serviceUUIDs: [uuid("0000")], manufacturerData: [0xFFFF: [1, 2, 3]]),
        rssi: -50,
        maximumMTU: 247,
        services: [
            ServiceSpecification(
                uuid("0000"),
                characteristics: [
                    CharacteristicSpecification(
                        uuid("0001"), [.read, .write, .writeWithoutResponse], value: [1, 2, 3],
                        descriptors: [
                            DescriptorSpecification(0x2901, value: Array("Echo".utf8)),
                            DescriptorSpecification(uuid("0008"), value: [0xAA, 0x55], isWritable: true),
                        ]
                    ),
                    CharacteristicSpecification(uuid("0002"), .read, value: (0..<400).map { UInt8($0 % 251) }),
                    CharacteristicSpecification(uuid("0003"), [.read, .notify], value: [0]),
                    CharacteristicSpecification(uuid("0004"), [.read, .indicate], value: [0]),
                    CharacteristicSpecification(uuid("0005"), .write),
                    CharacteristicSpecification(uuid("0006"), .writeWithoutResponse),
                    CharacteristicSpecification(uuid("0007"), .read, value: Array("ready".utf8)),
                ]
            ),
            ServiceSpecification(
                uuid("0010"), characteristics: [CharacteristicSpecification(uuid("0011"), .read, value: [1])]),
            ServiceSpecification(
                uuid("0010"), characteristics: [CharacteristicSpecification(uuid("0011"), .read, value: [2])]),
        ]
    )
}

/// `a{sv}`
func options(_ options: [String: Value] = [:]) -> Value { .properties(options) }
