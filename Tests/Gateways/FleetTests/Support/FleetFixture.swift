import BlueZDBus
import BlueZServer
import BlueZSimulator
import CoreBlueZ
import Foundation
import Gateway
import GatewayProtocol
import TestSupport
import Testing

@testable import Fleet

/// Gateways with a simulated BlueZ each, a broker in this process, and a fleet.
@SimulatorActor final class FleetFixture {
    nonisolated static let service = SimulatorFixture.service
    nonisolated static let value = SimulatorFixture.value
    nonisolated static let updates = SimulatorFixture.updates
    /// For paired centrals only.
    nonisolated static let secret: BluetoothUUID = "C0B10004-7A6B-4D5E-8F90-1A2B3C4D5E6F"

    /// One gateway's surroundings.
    @SimulatorActor final class GatewayFixture: SimulatorFixture {
        let name: String
        private(set) var client: InMemoryClient?
        private let broker: InMemoryBroker
        private let directory: URL
        private let slots: Int
        private let repetition: Duration
        private var gateway: Gateway?
        private var run: Task<GatewayEnd, Never>?

        init(_ name: String, _ broker: InMemoryBroker, rssi: Int16?, slots: Int) async throws {
            self.name = name
            self.slots = slots
            // Who compares signal strengths need not wait until the next advertisement is due.
            repetition = rssi == nil ? .seconds(10) : .milliseconds(500)
            self.broker = broker
            directory = FileManager.default.temporaryDirectory.appending(path: "fleet-\(UUID().uuidString)")
            let bluez = try await Self.start(.init(timing: .instant, isExperimental: true))
            super.init(bluez, try bluez.add(FleetFixture.specification()))
            if let rssi { peripheral.rssi = rssi }
            try await start()
        }

        /// Starts the gateway.
        func start() async throws {
            let client = broker.client(name)
            var configuration = GatewayConfiguration(
                name: try #require(GatewayName(name)), stateFile: directory.appending(path: "\(name).json").path)
            configuration.bus = .address(bluez.address)
            configuration.slots = slots
            configuration.repetition = repetition
            let gateway = try await BluetoothActor.run { [configuration] in
                try Gateway(configuration: configuration, broker: client)
            }
            self.client = client
            self.gateway = gateway
            run = Task { await gateway.run() }
        }

        /// Ends the gateway without telling the broker, and starts it again.
        func restart() async {
            client?.vanish()
            await end()
            do { try await start() } catch { Issue.record(error) }
        }

        /// The characteristics that its bluetoothd has subscribers of.
        var subscribed: [BluetoothUUID] { bluez.notificationSessions(of: peripheral) }

        /// Ends the gateway.
        func end() async {
            await gateway?.end()
            _ = await run?.value
            gateway = nil
            try? FileManager.default.removeItem(at: directory)
        }
    }

    nonisolated static func specification(_ address: String = "BC:6A:29:00:00:01") -> PeripheralSpecification {
        SimulatorFixture.specification(
            "Thing", address, interval: .milliseconds(100),
            more: [CharacteristicSpecification(secret, [.read, .write], value: [7], needsEncryption: true)])
    }

    nonisolated let broker = InMemoryBroker()
    let gateways: [GatewayFixture]
    let fleet: Fleet
    private let run: Task<FleetEnd, Never>

    init(
        _ names: [String], rssi: [Int16], slots: Int, _ change: sending (inout FleetConfiguration) -> Void
    ) async throws {
        var gateways: [GatewayFixture] = []
        for (number, name) in names.enumerated() {
            let rssi = number < rssi.count ? rssi[number] : nil
            gateways.append(try await GatewayFixture(name, broker, rssi: rssi, slots: slots))
        }
        self.gateways = gateways
        var configuration = FleetConfiguration(name: try #require(GatewayName("fleet")))
        change(&configuration)
        let fleet = try await Fleet(configuration: configuration, broker: broker.client("fleet"))
        self.fleet = fleet
        run = Task { await fleet.run() }
    }

    /// Runs a test with a client of the fleet's bus, then ends everything.
    static func with(
        _ names: [String] = ["attic"], rssi: [Int16] = [], slots: Int = 10,
        _ change: sending (inout FleetConfiguration) -> Void = { _ in },
        _ body: @BluetoothActor @escaping (FleetFixture, CentralManager) async throws -> Void
    ) async throws {
        let fixture = try await FleetFixture(names, rssi: rssi, slots: slots, change)
        let result: Result<Void, any Error>
        do {
            result = .success(
                try await BluetoothActor.run {
                    let central = CentralManager(bus: .address(fixture.fleet.address))
                    try await body(fixture, central)
                })
        } catch {
            result = .failure(error)
        }
        await fixture.end()
        try result.get()
    }

    /// Ends the fleet and its gateways.
    func end() async {
        fleet.end()
        _ = await run.value
        for gateway in gateways { await gateway.end() }
    }

    var gateway: GatewayFixture { gateways[0] }

    /// How often a central did something with a characteristic.
    func count(_ operation: SimulatedPeripheral.LogEntry.Operation, _ uuid: BluetoothUUID) -> Int {
        gateways.reduce(0) { sum, gateway in
            sum + gateway.peripheral.log.count { $0.operation == operation && $0.uuid == uuid }
        }
    }

    func notify(_ value: [UInt8]) { gateway.notify(value) }

    /// The fleet's first link.
    @BlueZServerActor var link: FleetLink? { fleet.gateways.values.lazy.flatMap(\.links.values).first }
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
        try #require(self[FleetFixture.service]?[uuid])
    }
}

extension Fleet {
    /// How many gateways are online.
    var onlineCount: Int { gateways.values.count { $0.isOnline } }

    /// How many bytes of objects a gateway has.
    func objectBytes(of name: GatewayName) -> Int { objects.part(of: name) }

    /// The gateways that hear a device, the best first.
    func hearing(_ device: BluetoothAddress?) -> [String] {
        guard let device, let adapter = adapterProvider as? AdapterForAll else { return [] }
        return adapter.table.routes(of: device, at: .now).map(\.description)
    }
}
