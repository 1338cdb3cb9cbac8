import BlueZSimulator
import CoreBlueZ
import DBus
import Foundation
import Gateway
import GatewayProtocol
import TestSupport
import Testing

@testable import Fleet

/// Rooms with a simulated BlueZ and a gateway each, a broker in this process, and a fleet.
@SimulatorActor final class FleetScene {
    nonisolated static let service: BluetoothUUID = "C0B10000-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    nonisolated static let value: BluetoothUUID = "C0B10001-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    nonisolated static let updates: BluetoothUUID = "C0B10003-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    /// For paired centrals only.
    nonisolated static let secret: BluetoothUUID = "C0B10004-7A6B-4D5E-8F90-1A2B3C4D5E6F"

    /// One gateway's surroundings.
    @SimulatorActor final class Room {
        let name: String
        let bluez: SimulatedBlueZ
        let peripheral: SimulatedPeripheral
        private(set) var client: InMemoryClient?
        private let broker: InMemoryBroker
        private let directory: URL
        private let slots: Int
        private var gateway: Gateway?
        private var run: Task<GatewayEnd, Never>?

        init(_ name: String, _ broker: InMemoryBroker, slots: Int, timing: Timing) async throws {
            self.name = name
            self.slots = slots
            self.broker = broker
            directory = FileManager.default.temporaryDirectory.appending(path: "fleet-\(UUID().uuidString)")
            bluez = try await SimulatedBlueZ(.init(timing: timing, isExperimental: true))
            peripheral = try bluez.add(FleetScene.specification)
            try await start()
        }

        /// Starts the gateway.
        func start() async throws {
            let client = broker.client(name)
            var configuration = GatewayConfiguration(
                name: try #require(GatewayName(name)), stateFile: directory.appending(path: "\(name).json").path)
            configuration.bus = .address(bluez.address)
            configuration.slots = slots
            let gateway = try await BluetoothActor.run { [configuration] in
                try Gateway(configuration: configuration, broker: client)
            }
            self.client = client
            self.gateway = gateway
            run = Task { await gateway.run() }
        }

        /// Ends the gateway.
        func end() async {
            await gateway?.end()
            _ = await run?.value
            gateway = nil
            try? FileManager.default.removeItem(at: directory)
        }
    }

    nonisolated static var specification: PeripheralSpecification { specification("BC:6A:29:00:00:01") }

    nonisolated static func specification(_ address: String) -> PeripheralSpecification {
        PeripheralSpecification(
            name: "Thing",
            address: address,
            advertisement: AdvertisingData(flags: 0x06, localName: "Thing", interval: .milliseconds(20)),
            services: [
                ServiceSpecification(
                    service,
                    characteristics: [
                        CharacteristicSpecification(
                            value, [.read, .write], value: [1, 2, 3],
                            descriptors: [DescriptorSpecification(0x2901, value: [0x41])]),
                        CharacteristicSpecification(updates, [.read, .notify], value: [0]),
                        CharacteristicSpecification(secret, [.read, .write], value: [7], needsEncryption: true),
                    ])
            ])
    }

    nonisolated let broker = InMemoryBroker()
    let rooms: [Room]
    let fleet: Fleet
    private let run: Task<FleetEnd, Never>

    private init(
        _ names: [String], slots: Int, timing: Timing, _ change: (inout FleetConfiguration) -> Void
    ) async throws {
        var rooms: [Room] = []
        for name in names { rooms.append(try await Room(name, broker, slots: slots, timing: timing)) }
        self.rooms = rooms
        var configuration = FleetConfiguration(name: try #require(GatewayName("fleet")))
        change(&configuration)
        let fleet = try await Fleet(configuration: configuration, broker: broker.client("fleet"))
        self.fleet = fleet
        run = Task { await fleet.run() }
    }

    /// Runs a test with a client of the fleet's bus, then ends everything.
    static func with(
        _ names: [String] = ["attic"], slots: Int = 10, timing: Timing = .instant,
        _ change: (inout FleetConfiguration) -> Void = { _ in },
        _ body: @BluetoothActor @escaping (FleetScene, CentralManager) async throws -> Void
    ) async throws {
        let scene = try await FleetScene(names, slots: slots, timing: timing, change)
        let result: Result<Void, any Error>
        do {
            result = .success(
                try await BluetoothActor.run {
                    let central = CentralManager(bus: .address(scene.fleet.address))
                    try await body(scene, central)
                })
        } catch {
            result = .failure(error)
        }
        scene.fleet.end()
        _ = await scene.run.value
        for room in scene.rooms { await room.end() }
        try result.get()
    }

    var room: Room { rooms[0] }

    /// How often a central did something with a characteristic.
    func count(_ operation: SimulatedPeripheral.LogEntry.Operation, _ uuid: BluetoothUUID) -> Int {
        rooms.reduce(0) { sum, room in
            sum + room.peripheral.log.count { $0.operation == operation && $0.uuid == uuid }
        }
    }

    func notify(_ value: [UInt8]) {
        guard let updates = room.peripheral.characteristic(Self.updates) else { return }
        room.peripheral.notify(value, from: updates)
    }
}

extension CentralManager {
    /// The first peripheral, or the one with an address, found and connected.
    func connectFirst(at address: BluetoothAddress? = nil) async throws -> Peripheral {
        try await waitUntilPoweredOn(timeout: Patience.timeout)
        let peripheral = try await firstPeripheral(timeout: Patience.timeout) { peripheral, _ in
            address == nil || peripheral.address == address
        }
        try await peripheral.connect(options: ConnectOptions(timeout: Patience.timeout))
        return peripheral
    }

    /// The thing, found, connected and discovered.
    func connectThing(at address: BluetoothAddress? = BluetoothAddress("BC:6A:29:00:00:01")) async throws -> Peripheral
    {
        let peripheral = try await connectFirst(at: address)
        for service in try await peripheral.discoverServices() {
            try await service.discoverCharacteristics()
        }
        return peripheral
    }
}

extension Peripheral {
    func characteristic(_ uuid: BluetoothUUID) throws -> Characteristic {
        try #require(self[FleetScene.service]?[uuid])
    }
}

extension Fleet {
    /// The gateways that hear a device, the best first.
    func hearing(_ device: BluetoothAddress?) -> [String] {
        guard let device, let adapter = adapterProvider as? AdapterForAll else { return [] }
        return adapter.table.routes(of: device, at: .now).map(\.description)
    }
}
