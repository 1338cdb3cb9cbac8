import BlueZSimulator
import CoreBlueZ
import Fleet
import Foundation
import Gateway
import GatewayProtocol
import Mosquitto
import Testing

/// A simulated BlueZ with one peripheral, a gateway to it, and a fleet; both of these use a Mosquitto.
@SimulatorActor final class Chain {
    nonisolated static let service: BluetoothUUID = "C0B10000-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    nonisolated static let value: BluetoothUUID = "C0B10001-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    /// How many other characteristics there are.
    nonisolated static let others = 60
    nonisolated static let users = ["kitchen": "a", "fleet": "b"]
    /// The lists of Documentation/Gateways.md.
    nonisolated static let gatewayAccess = [
        "pattern readwrite corebluez/1/gateways/%u/#", "pattern write corebluez/1/clients/+/responses/%u",
    ]
    nonisolated static let fleetAccess = [
        "user fleet", "topic read corebluez/+/gateways/#", "topic write corebluez/1/gateways/+/requests/fleet",
        "topic read corebluez/1/clients/#",
    ]

    let bluez: SimulatedBlueZ
    let peripheral: SimulatedPeripheral
    let fleet: Fleet
    private let gateway: Gateway
    private let runs: [Task<Void, Never>]
    private let folder: URL

    private init(_ broker: String, gateway url: String, lease: Duration) async throws {
        bluez = try await SimulatedBlueZ(.init(timing: .instant))
        peripheral = try bluez.add(
            PeripheralSpecification(
                name: "Thing", address: "BC:6A:29:00:00:01",
                advertisingInterval: .milliseconds(100),
                services: [
                    ServiceSpecification(
                        Self.service,
                        characteristics: [CharacteristicSpecification(Self.value, [.read, .write], value: [1])]
                            + (0..<Self.others).map {
                                CharacteristicSpecification(BluetoothUUID(0xFE00 + UInt16($0)), [.write])
                            })
                ]))
        folder = FileManager.default.temporaryDirectory.appending(path: "chain-\(UUID().uuidString)")
        var configuration = GatewayConfiguration(
            name: try #require(GatewayName("kitchen")), stateFile: folder.appending(path: "leases.json").path)
        configuration.bus = .address(bluez.address)
        let connection = try Self.connection(url, "kitchen")
        let gateway = try await BluetoothActor.run { [configuration] in
            try Gateway(configuration: configuration, broker: connection)
        }
        self.gateway = gateway
        var settings = FleetConfiguration(name: try #require(GatewayName("fleet")))
        settings.lease = lease
        let fleet = try await Fleet(configuration: settings, broker: Self.connection(broker, "fleet"))
        self.fleet = fleet
        runs = [Task { _ = await gateway.run() }, Task { _ = await fleet.run() }]
    }

    private static func connection(_ broker: String, _ user: String) throws -> MosquittoBroker {
        var configuration = try #require(
            BrokerConfiguration(url: broker, clientIdentifier: "\(user)\(UInt32.random(in: 0...UInt32.max))"))
        configuration.user = user
        configuration.password = users[user]
        return MosquittoBroker(configuration)
    }

    /// Runs a test with the characteristic of a connected peripheral, then ends everything.
    ///
    /// - Parameter gateway: the broker's URL for the gateway, if it has another one.
    nonisolated static func with(
        _ broker: TestBroker, gateway: String? = nil, lease: Duration = .seconds(15),
        _ body: (Chain, Characteristic) async throws -> Void
    ) async throws {
        let chain = try await Chain(broker.url, gateway: gateway ?? broker.url, lease: lease)
        do {
            let central = await CentralManager(bus: .address(chain.fleet.address))
            try await body(chain, try await connect(central))
        } catch {
            await chain.end()
            throw error
        }
        await chain.end()
    }

    @BluetoothActor private static func connect(_ central: CentralManager) async throws -> Characteristic {
        try await central.waitUntilPoweredOn(timeout: .seconds(60))
        let peripheral = try await central.firstPeripheral(timeout: .seconds(60)) { peripheral, _ in
            peripheral.address == BluetoothAddress("BC:6A:29:00:00:01")
        }
        try await peripheral.connect(options: ConnectOptions(timeout: .seconds(60)))
        for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
        return try #require(peripheral[Self.service]?[value])
    }

    /// The other characteristics of the peripheral.
    @BluetoothActor static func others(beside value: Characteristic) -> [Characteristic] {
        value.service?.characteristics.filter { $0 !== value } ?? []
    }

    /// Writes a byte, and returns the error.
    @BluetoothActor static func write(_ number: UInt8, to characteristic: Characteristic) async -> BluetoothError? {
        do throws(BluetoothError) {
            try await characteristic.writeValue(Data([number]))
            return nil
        } catch {
            return error
        }
    }

    private func end() async {
        fleet.end()
        await gateway.end()
        for run in runs { await run.value }
        try? FileManager.default.removeItem(at: folder)
    }

    /// The values that were written, in order.
    var writes: [[UInt8]] { peripheral.log.filter { $0.operation == .write }.map(\.value) }
}
