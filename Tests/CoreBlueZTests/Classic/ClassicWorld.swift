import BlueZSimulator
import BluetoothClassic
import DBus
import Foundation
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// The tests with classic devices: a few at a time, so that they do not wait for one another.
@Suite(.serialized) struct Classic {}

/// A simulated bluetoothd with a classic device that sends back what it gets, and one with LE.
@SimulatorActor final class ClassicWorld {
    nonisolated static let service: BluetoothUUID = "C1A50000-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    nonisolated static let offered: BluetoothUUID = "C1A50001-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    nonisolated static let deviceClass: UInt32 = 0x24_0404

    let bluez: SimulatedBlueZ
    let device: SimulatedPeripheral
    nonisolated let bus: BusAddress

    init(timing: Timing = .instant) async throws {
        bluez = try await SimulatedBlueZ(.init(timing: timing))
        bluez.keepsCalls = true
        bus = .address(bluez.address)
        let services: [BluetoothUUID] = [.serialPort, Self.service]
        device = try bluez.add(
            PeripheralSpecification(
                name: "Classic", address: "00:AA:02:00:00:01",
                advertisement: AdvertisingData(flags: nil, localName: "Classic", interval: .milliseconds(2)),
                classic: ClassicSpecification(deviceClass: Self.deviceClass, services: services)))
        device.channelHandler = { $0.echo() }
        try bluez.add(
            PeripheralSpecification(
                name: "LE", address: "00:AA:02:00:00:02",
                advertisement: AdvertisingData(flags: 0x06, localName: "LE", interval: .milliseconds(2))))
    }

    /// The values of a key of SetDiscoveryFilter, in order.
    func filters(_ key: String) -> [Value] {
        bluez.calls.filter { $0.member == "SetDiscoveryFilter" }.compactMap { call in
            guard case .dictionary(_, _, let entries) = call.arguments.first else { return nil }
            return entries[.string(key)]?.unwrapped
        }
    }

    func calls(_ member: String) -> [ReceivedCall] { bluez.calls.filter { $0.member == member } }

    func connect(to uuid: BluetoothUUID) async -> SimulatedRFCOMMChannel? {
        await withCheckedContinuation { continuation in
            bluez.simulateRFCOMMConnection(of: device, to: uuid) { continuation.resume(returning: $0) }
        }
    }

    func perform<R: Sendable>(_ body: @SimulatorActor (ClassicWorld) throws -> R) rethrows -> R { try body(self) }
}

/// A manager that has found the classic device.
@BluetoothActor final class ClassicStage {
    let world: ClassicWorld
    let central: CentralManager
    let peripheral: Peripheral
    var arrived = Data()
    var ends: [BluetoothError?] = []

    init(_ world: ClassicWorld) async throws {
        self.world = world
        Timeouts.allowForSlowness()
        central = CentralManager(bus: world.bus)
        try await central.waitUntilPoweredOn(timeout: Patience.timeout)
        peripheral = try await central.firstPeripheral(timeout: Patience.timeout, transport: .bredr)
    }

    static func run(
        _ world: ClassicWorld, _ body: @BluetoothActor (ClassicStage) async throws -> Void
    ) async throws {
        try await BluetoothActor.run { try await body(try await ClassicStage(world)) }
    }

    func open(_ uuid: BluetoothUUID = .serialPort) async throws -> RFCOMMChannel {
        let channel = try await peripheral.openRFCOMMChannel(uuid, options: .patient)
        collect(channel)
        return channel
    }

    func collect(_ channel: RFCOMMChannel) {
        channel.receiveHandler = { [self] in arrived += $0 }
        channel.endHandler = { [self] in ends.append($0) }
    }

    func waitForBytes(_ count: Int) async throws {
        try await Patience.wait(for: "\(count) bytes; there are \(arrived.count)") { arrived.count >= count }
    }

    func waitForEnd() async throws {
        try await Patience.wait(for: "the end") { !ends.isEmpty }
    }

    /// The error that an operation must end with.
    func failure<Value>(_ body: @BluetoothActor () async throws -> Value) async -> BluetoothError.Code? {
        do {
            _ = try await body()
            Issue.record("There was no error")
            return nil
        } catch {
            return (error as? BluetoothError)?.code
        }
    }
}

extension ConnectOptions {
    static var patient: ConnectOptions { ConnectOptions(timeout: Patience.timeout, transport: .bredr) }
}

/// Bytes that are told apart by their place.
func places(_ count: Int) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &* 7) })
}
