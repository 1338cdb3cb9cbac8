import BlueZClassic
import BlueZDBus
import BlueZSimulator
import Foundation
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// The tests with classic devices: a few at a time, so that they do not wait for one another.
@Suite(.serialized, .virtualTime) struct Classic {}

/// A simulated bluetoothd with a classic device that sends back what it gets, and one with LE.
@SimulatorActor final class ClassicSimulator: SimulatorFixture {
    nonisolated static let classicService: BluetoothUUID = "C1A50000-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    nonisolated static let offered: BluetoothUUID = "C1A50001-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    nonisolated static let deviceClass: UInt32 = 0x24_0404

    init(timing: Timing = .instant) async throws {
        let bluez = try await Self.start(.init(timing: timing))
        bluez.keepsCalls = true
        let services: [BluetoothUUID] = [.serialPort, Self.classicService]
        let device = try bluez.add(
            PeripheralSpecification(
                name: "Classic", address: "00:AA:02:00:00:01",
                advertisement: AdvertisementData(), advertisingInterval: .milliseconds(100),
                classic: ClassicSpecification(deviceClass: Self.deviceClass, services: services)))
        device.channelHandler = { $0.echo() }
        super.init(bluez, device)
        try add("LE", "00:AA:02:00:00:02")
    }

    /// The values of a key of SetDiscoveryFilter, in order.
    func filters(_ key: String) -> [Value] {
        bluez.calls.filter { $0.member == "SetDiscoveryFilter" }.compactMap { call in
            guard case .dictionary(_, _, let entries) = call.arguments.first else { return nil }
            return entries[.string(key)]?.unwrapped
        }
    }

    func connect(to uuid: BluetoothUUID) async -> SimulatedRFCOMMChannel? {
        await withCheckedContinuation { continuation in
            bluez.simulateRFCOMMConnection(of: peripheral, to: uuid) { continuation.resume(returning: $0) }
        }
    }
}

/// A manager that has found the classic device.
@BluetoothActor final class ClassicFixture: CentralFixture<ClassicSimulator> {
    let peripheral: Peripheral
    var ends: [BluetoothError?] = []

    required init(_ simulator: ClassicSimulator) async throws {
        let central = try await Self.poweredOn(simulator)
        peripheral = try await central.firstPeripheral(timeout: .ample, transport: .bredr)
        super.init(simulator, central)
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

    func waitForEnd() async throws {
        try await eventually("the end") { !ends.isEmpty }
    }
}

extension ConnectOptions {
    static var patient: ConnectOptions { ConnectOptions(timeout: .ample, transport: .bredr) }
}
