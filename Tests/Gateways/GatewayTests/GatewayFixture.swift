import BlueZDBus
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import Gateway
import GatewayProtocol
import TestSupport
import Testing

typealias Patience = TestSupport.Patience

/// A simulated bluetoothd with two peripherals.
@SimulatorActor final class GatewaySimulator: SimulatorFixture {
    nonisolated static let device = BluetoothAddress("BC:6A:29:00:00:01")!
    nonisolated static let second = BluetoothAddress("BC:6A:29:00:00:02")!
    let other: SimulatedPeripheral

    init() async throws {
        let bluez = try await Self.start()
        let peripheral = try bluez.add(Self.twin("Tag", "BC:6A:29:00:00:01"))
        other = try bluez.add(Self.twin("Other", "BC:6A:29:00:00:02"))
        super.init(bluez, peripheral)
    }

    private static func twin(_ name: String, _ address: String) -> PeripheralSpecification {
        PeripheralSpecification(
            name: name, address: address,
            advertisement: AdvertisementData(
                localName: name, serviceUUIDs: [Self.service], manufacturerData: [0x0499: [5, 1, 2]]),
            advertisingInterval: .milliseconds(100),
            services: [
                ServiceSpecification(
                    Self.service,
                    characteristics: [
                        CharacteristicSpecification(
                            Self.value, [.read, .write, .writeWithoutResponse], value: [1, 2, 3],
                            descriptors: [DescriptorSpecification(0x2901, value: [0x41], isWritable: true)]),
                        CharacteristicSpecification(Self.updates, [.read, .notify], value: [0]),
                    ])
            ])
    }

    func characteristic(_ uuid: BluetoothUUID) -> SimulatedCharacteristic? { peripheral.characteristic(uuid) }
}

/// A simulator, a broker, and a gateway that is online.
@BluetoothActor final class GatewayFixture {
    nonisolated static let name = GatewayName("kitchen")!
    let simulator: GatewaySimulator
    let broker: InMemoryBroker
    let directory: String
    private(set) var gateway: Gateway?
    private(set) var client: InMemoryClient
    private(set) var ending: Task<GatewayEnd, Never>?

    init(_ simulator: GatewaySimulator) {
        self.simulator = simulator
        broker = InMemoryBroker()
        directory = "/tmp/corebluez-gateway-\(UUID().uuidString)"
        client = broker.client("gateway")
    }

    static func run(
        configure: (inout GatewayConfiguration) -> Void = { _ in },
        _ body: @BluetoothActor (GatewayFixture) async throws -> Void
    ) async throws {
        let simulator = try await GatewaySimulator()
        try await BluetoothActor.run {
            let fixture = GatewayFixture(simulator)
            defer { try? FileManager.default.removeItem(atPath: fixture.directory) }
            do {
                try fixture.start(configure: configure)
                try await fixture.isOnline()
                try await body(fixture)
            } catch {
                await fixture.end()
                throw error
            }
            await fixture.end()
        }
    }

    var configuration: GatewayConfiguration {
        var configuration = GatewayConfiguration(name: Self.name, stateFile: "\(directory)/leases.json")
        configuration.bus = simulator.bus
        return configuration
    }

    func start(configure: (inout GatewayConfiguration) -> Void = { _ in }) throws {
        var configuration = configuration
        configure(&configuration)
        client = broker.client("gateway-\(UUID().uuidString)")
        let gateway = try Gateway(configuration: configuration, broker: client)
        self.gateway = gateway
        ending = Task { await gateway.run() }
    }

    func end() async {
        gateway?.end()
        _ = await ending?.value
        gateway = nil
        ending = nil
    }

    /// The retained status.
    var status: GatewayStatus? {
        broker.retained(Topics.standard.status(Self.name)).flatMap { try? GatewayStatus(payload: $0.payload) }
    }

    func isOnline() async throws {
        try await Patience.wait(for: "the status") { status?.state == .online && status?.powered == true }
    }

    /// Waits until the broker has got advertisements of both peripherals: bluetoothd knows them.
    func remote(_ name: String = "hall") async throws -> Remote {
        let remote = try Remote(broker, name)
        _ = try await remote.succeed(.heard, EmptyResult.self)
        try await Patience.wait(for: "the advertisements") {
            remote.heard(GatewaySimulator.device) != nil && remote.heard(GatewaySimulator.second) != nil
        }
        return remote
    }
}

extension Topics {
    /// The topics under the prefix that gateways have unless told otherwise.
    static let standard = (try? Topics(prefix: "corebluez"))!
}
