import ArgumentParser
import BlueZSimulator
import Foundation

/// `many-radios simulate`: several simulated BlueZ services in one process, each with its own peripherals.
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract:
            "Simulates many radios, each on its own message bus.",
        discussion: """
            The command prints the address of each bus. For each line on the standard input, it prints a JSON object \
            with the numbers that clients have written. It ends at the end of the standard input.

            Example:
              many-radios simulate --radios 2 --devices 3 --rate 1
            """)

    @OptionGroup var scale: RadioOptions

    @Option(help: "The number of values that a subscribed peripheral sends per second, 0.001 to 10000.")
    var rate = 10.0

    func validate() throws {
        guard (0.001...10_000).contains(rate) else { throw ValidationError("Give --rate a number from 0.001 to 10000") }
    }

    func run() async throws {
        let radios = try await SimulatorActor.run { try await CountingRadios(scale, rate: rate) }
        for address in await radios.addresses { Self.say(address) }
        while readLine() != nil { Self.say(await radios.report()) }
        await radios.end()
    }

    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}

/// The radios with their peripherals.
@SimulatorActor final class CountingRadios {
    private var radios: [SimulatedBlueZ] = []
    private var peripherals: [CountingPeripheral] = []

    init(_ scale: RadioOptions, rate: Double) async throws {
        for radio in 0..<scale.radios {
            var configuration = SimulatedBlueZ.Configuration()
            configuration.timing.disconnect = .milliseconds(100)
            configuration.adapters[0].address = Self.address(0xAA, radio, 0)
            let bluez = try await SimulatedBlueZ(configuration)
            for device in 0..<scale.devices {
                let address = Self.address(0xC0, radio, device)
                peripherals.append(try CountingPeripheral(address, in: bluez, rate: rate))
            }
            self.radios.append(bluez)
        }
    }

    var addresses: [String] { radios.map(\.address) }

    /// A JSON object with the number of writes of each number to each peripheral.
    func report() -> String {
        let devices = peripherals.map { peripheral in
            let counts = peripheral.writes.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
            return "\"\(peripheral.address)\":{\(counts.joined(separator: ","))}"
        }
        return "{\(devices.joined(separator: ","))}"
    }

    func end() {
        peripherals.removeAll()
        radios.removeAll()
    }

    private static func address(_ first: UInt8, _ radio: Int, _ device: Int) -> String {
        [first, 0, 0, UInt8(clamping: radio), 0, UInt8(clamping: device)]
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ":")
    }
}

/// A peripheral that receives numbers of 8 bytes (little endian), counts how often each was written, and sends the time
/// of each of its values.
@SimulatorActor final class CountingPeripheral: SimulatedPeripheralDelegate {
    static let service: BluetoothUUID = "c0b1f000-7a6b-4d5e-8f90-1a2b3c4d5e6f"
    static let writing: BluetoothUUID = "c0b1f001-7a6b-4d5e-8f90-1a2b3c4d5e6f"
    static let notifying: BluetoothUUID = "c0b1f002-7a6b-4d5e-8f90-1a2b3c4d5e6f"

    let address: String
    private(set) var writes: [UInt64: Int] = [:]
    private let interval: Duration

    init(_ address: String, in bluez: SimulatedBlueZ, rate: Double) throws {
        self.address = address
        interval = .seconds(1 / rate)
        let characteristics = [
            CharacteristicSpecification(Self.writing, [.read, .write]),
            CharacteristicSpecification(Self.notifying, .notify),
        ]
        let specification = PeripheralSpecification(
            name: "Counter \(address)", address: address,
            advertisement: AdvertisementData(serviceUUIDs: [Self.service]), advertisingInterval: .milliseconds(500),
            services: [ServiceSpecification(Self.service, characteristics: characteristics)])
        try bluez.add(specification).delegate = self
    }

    func peripheral(
        _ peripheral: SimulatedPeripheral, write value: [UInt8], to characteristic: SimulatedCharacteristic,
        request: AttributeRequest
    ) {
        let number = value.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        writes[number, default: 0] += 1
        request.respond()
    }

    func peripheral(_ peripheral: SimulatedPeripheral, didSubscribeTo characteristic: SimulatedCharacteristic) {
        peripheral.notify(from: characteristic, every: interval) { _ in MonotonicTime.bytes(of: MonotonicTime.now()) }
    }
}
