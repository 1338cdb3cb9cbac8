import BlueZSimulator
import CoreBlueZ
import DBus
import FoundationEssentials
import Gateway
import GatewayProtocol
import TestSupport
import Testing

typealias Patience = TestSupport.Patience

/// A simulated bluetoothd with two peripherals.
@SimulatorActor final class Room {
    nonisolated static let service: BluetoothUUID = "C0B10000-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    nonisolated static let value: BluetoothUUID = "C0B10001-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    nonisolated static let updates: BluetoothUUID = "C0B10003-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    nonisolated static let device = BluetoothAddress("BC:6A:29:00:00:01")!
    nonisolated static let second = BluetoothAddress("BC:6A:29:00:00:02")!

    let bluez: SimulatedBlueZ
    let peripheral: SimulatedPeripheral
    let other: SimulatedPeripheral
    nonisolated let bus: BusAddress

    init() async throws {
        bluez = try await SimulatedBlueZ(.init(timing: .instant))
        bus = .address(bluez.address)
        peripheral = try bluez.add(Self.specification("Tag", "BC:6A:29:00:00:01"))
        other = try bluez.add(Self.specification("Other", "BC:6A:29:00:00:02"))
    }

    private static func specification(_ name: String, _ address: String) -> PeripheralSpecification {
        PeripheralSpecification(
            name: name, address: address,
            advertisement: AdvertisingData(
                flags: 0x06, localName: name, serviceUUIDs: [Self.service], manufacturerData: [0x0499: [5, 1, 2]],
                interval: .milliseconds(10)),
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

    func notify(_ value: [UInt8]) {
        if let updates = characteristic(Self.updates) { peripheral.notify(value, from: updates) }
    }

    /// The values that were written, in order.
    var writes: [[UInt8]] {
        peripheral.log.filter { $0.operation == .write || $0.operation == .command }.map(\.value)
    }

    func setDelay(_ delay: Duration) { characteristic(Self.value)?.faults.delay = delay }
}

/// A room, a broker, and a gateway that is online.
@BluetoothActor final class Stage {
    nonisolated static let name = GatewayName("kitchen")!
    let room: Room
    let broker: InMemoryBroker
    let directory: String
    private(set) var gateway: Gateway?
    private(set) var client: InMemoryClient
    private(set) var ending: Task<GatewayEnd, Never>?

    init(_ room: Room) {
        self.room = room
        broker = InMemoryBroker()
        directory = "/tmp/corebluez-gateway-\(UUID().uuidString)"
        client = broker.client("gateway")
    }

    static func run(
        configure: (inout GatewayConfiguration) -> Void = { _ in },
        _ body: @BluetoothActor (Stage) async throws -> Void
    ) async throws {
        let room = try await Room()
        try await BluetoothActor.run {
            let stage = Stage(room)
            defer { try? FileManager.default.removeItem(atPath: stage.directory) }
            do {
                try stage.start(configure: configure)
                try await stage.isOnline()
                try await body(stage)
            } catch {
                await stage.end()
                throw error
            }
            await stage.end()
        }
    }

    var configuration: GatewayConfiguration {
        var configuration = GatewayConfiguration(name: Self.name, stateFile: "\(directory)/leases.json")
        configuration.bus = room.bus
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
            remote.heard(Room.device) != nil && remote.heard(Room.second) != nil
        }
        return remote
    }
}

extension Topics {
    /// The topics under the prefix that gateways have unless told otherwise.
    static let standard = (try? Topics(prefix: "corebluez"))!
}
