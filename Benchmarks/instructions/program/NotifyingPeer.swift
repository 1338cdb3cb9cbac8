import BlueZSimulator
import Glibc

/// A simulated heart-rate sensor that sends the requested number of notifications, as fast as the bus accepts them.
///
/// It runs in a separate process, so that only the client's instructions are counted.
@SimulatorActor final class NotifyingPeer: SimulatedPeripheralDelegate {
    private static let value = [UInt8](repeating: 0x42, count: 20)

    private static let specification = PeripheralSpecification(
        name: "Heart",
        address: "C0:FF:EE:00:00:02",
        advertisement: AdvertisementData(localName: "Heart", serviceUUIDs: [0x180D]),
        services: [
            ServiceSpecification(
                0x180D,
                characteristics: [
                    CharacteristicSpecification(0x2A37, [.notify]),
                    CharacteristicSpecification(0x2A38, [.read], value: value),
                    CharacteristicSpecification(0x2A39, [.write]),
                ]
            )
        ]
    )

    /// Prints the address of its bus, and runs until the process ends.
    static func run() async throws {
        let bluez = try await SimulatedBlueZ(.init(timing: .instant))
        let peer = NotifyingPeer()
        try bluez.add(specification).delegate = peer
        print("DBUS_SYSTEM_BUS_ADDRESS=" + bluez.address)
        guard fflush(nil) == 0 else { throw InstructionBenchmark.Failure(description: "The output cannot be written") }
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(86400)) }
        withExtendedLifetime(peer) {}
    }

    /// Takes how many notifications are wanted, as uint32 little-endian. For 0 there is one, when the client is idle.
    func peripheral(
        _ peripheral: SimulatedPeripheral,
        write value: [UInt8],
        to characteristic: SimulatedCharacteristic,
        request: AttributeRequest
    ) {
        request.respond()
        guard let measurement = peripheral.characteristic(0x2A37) else { return }
        let count = value.reversed().reduce(0) { $0 << 8 | Int($1) }
        guard count > 0 else {
            peripheral.notify(from: measurement, every: .seconds(1), startingAfter: .seconds(4)) { count in
                count == 0 ? Self.value : nil
            }
            return
        }
        for _ in 0..<count { peripheral.notify(Self.value, from: measurement) }
    }
}
