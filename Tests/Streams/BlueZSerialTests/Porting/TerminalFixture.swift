import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import TestSupport
import Testing

/// A simulated terminal that responds to lines, and a manager for it.
@BluetoothActor final class TerminalFixture {
    let simulator: SerialSimulator
    let manager: BluetoothManager
    var bluez: SimulatedBlueZ { simulator.bluez }
    var device: SimulatedSerialDevice { simulator.device }
    var bus: BusAddress { simulator.bus }
    var terminal: ExchangeTerminal { manager.terminal }

    init(_ profile: SerialProfile = .nordic, timing: Timing = .instant) async throws {
        let responses: [(String, [String])] = [
            ("pay", ["MSG insert card\n", "paid\n"]), ("ping", ["pong\n"]), ("both", ["one\n", "two\n"]),
            ("MSG", ["MSG step\n"]), ("fault3", ["fault3\n"]), ("fault4", ["fault4\n"]), ("fault6", ["fault6\n"]),
            ("fault7", ["fault7\n"]),
        ]
        simulator = try await SerialSimulator(profile, timing: timing) {
            ResponseScript(responses.map { .init(Array("\($0)\n".utf8), $1.map { Array($0.utf8) }) })
        }
        var configuration = ExchangeTerminal.Configuration()
        configuration.framing = TerminatorFraming(Data("\n".utf8))
        configuration.classify = { message, _ in message.starts(with: Data("MSG".utf8)) ? .progress : .reply }
        configuration.powerOffMessage = Data("off".utf8)
        manager = BluetoothManager(ExchangeTerminal(CentralManager(bus: simulator.bus), configuration))
    }

    func open(_ callbacks: (any CommunicationCallBack)? = nil, _ mode: ExchangeMode) async throws {
        try #require(await manager.openDevice(SerialSimulator.address, cb: callbacks, mode: mode) == .opened)
    }

    /// What the device was sent.
    func written() async -> String {
        await SimulatorActor.run { [simulator] in
            let writes = simulator.peripheral.log.filter { $0.uuid == simulator.device.profile.write }
            return String(decoding: writes.flatMap(\.value), as: UTF8.self)
        }
    }

    /// Does something to the simulated device.
    func simulate(_ body: @escaping @Sendable @SimulatorActor (SimulatedSerialDevice) -> Void) async {
        await SimulatorActor.run { [simulator] in body(simulator.device) }
    }

    /// Exchanges data, which proves that the device is open and usable.
    func exchangePing() async throws {
        let callbacks = Callbacks()
        let timeout = Int(Duration.ample.components.seconds) * 1000
        try #require(manager.exchangeData(Data("ping".utf8), timeout: timeout, cb: callbacks) == .accepted)
        try await eventually("the pong; \(callbacks.told)", until: { callbacks.told.count == 2 })
        #expect(callbacks.told == ["sent", "received pong"])
    }
}
