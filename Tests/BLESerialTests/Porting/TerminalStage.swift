import BLESerial
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import SimulatedSerial
import Testing

/// A simulated terminal that responds to lines, and a manager for it.
@BluetoothActor final class TerminalStage {
    nonisolated static let address = "00:AA:02:00:00:77"
    nonisolated static let name = "UART"

    let bluez: SimulatedBlueZ
    let device: SimulatedSerialDevice
    let manager: BluetoothManager
    let bus: BusAddress
    var terminal: ExchangeTerminal { manager.terminal }

    init(_ profile: SerialProfile = .nordic, timing: Timing = .instant) async throws {
        let responses: [(String, [String])] = [
            ("pay", ["MSG insert card\n", "paid\n"]), ("ping", ["pong\n"]), ("both", ["one\n", "two\n"]),
            ("MSG", ["MSG step\n"]), ("fault3", ["fault3\n"]), ("fault4", ["fault4\n"]), ("fault6", ["fault6\n"]),
            ("fault7", ["fault7\n"]),
        ]
        (bluez, device, bus) = try await SimulatorActor.run {
            let bluez = try await SimulatedBlueZ(.init(timing: timing))
            let script = ResponseScript(responses.map { .init(Array("\($0)\n".utf8), $1.map { Array($0.utf8) }) })
            let device = try SimulatedSerialDevice(
                in: bluez, profile, name: Self.name, address: Self.address, script: script)
            return (bluez, device, .address(bluez.address))
        }
        var configuration = ExchangeTerminal.Configuration()
        configuration.framing = TerminatorFraming(Data("\n".utf8))
        configuration.classify = { message, _ in message.starts(with: Data("MSG".utf8)) ? .progress : .reply }
        configuration.powerOffMessage = Data("off".utf8)
        let central = CentralManager(bus: bus)
        manager = BluetoothManager(ExchangeTerminal(central, configuration))
    }

    func open(_ callbacks: (any CommunicationCallBack)? = nil, _ mode: ExchangeMode) async throws {
        try #require(await manager.openDevice(Self.address, cb: callbacks, mode: mode) == .opened)
    }

    /// What the device was sent.
    func written() async -> String {
        await SimulatorActor.run { [device] in
            let writes = device.peripheral.log.filter { $0.uuid == device.profile.write }
            return String(decoding: writes.flatMap(\.value), as: UTF8.self)
        }
    }

    /// Does something to the simulated device.
    func simulate(_ body: @escaping @Sendable @SimulatorActor (SimulatedSerialDevice) -> Void) async {
        await SimulatorActor.run { [device] in body(device) }
    }

    /// Exchanges data, which proves that the device is open and usable.
    func exchangePing() async throws {
        let callbacks = Callbacks()
        let timeout = Int(Patience.timeout.components.seconds) * 1000
        try #require(manager.exchangeData(Data("ping".utf8), timeout: timeout, cb: callbacks) == .accepted)
        try await Patience.wait(for: "the pong; \(callbacks.told)", until: { callbacks.told.count == 2 })
        #expect(callbacks.told == ["sent", "received pong"])
    }
}
