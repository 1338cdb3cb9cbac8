import BlueZSimulator

/// A simulator for demos, on its own message bus, with a device that accepts commands and one that does not.
///
/// The modem has Tertium's profile. It replies to AT, ATI and ATZ, and to nothing else.
@SimulatorActor public final class SimulatedModem {
    /// The address of the message bus.
    public nonisolated let address: String
    private var bluez: SimulatedBlueZ?
    private var modem: SimulatedSerialDevice?

    /// Starts the simulator.
    ///
    /// - Throws: `DBusError` if no message bus can be started.
    public static func start() async throws -> SimulatedModem {
        try await SimulatorActor.run { try await SimulatedModem() }
    }

    private init() async throws {
        let bluez = try await SimulatedBlueZ()
        address = bluez.address
        self.bluez = bluez
        try bluez.add(PeripheralSpecification(name: "LAMP", address: "00:AA:02:00:00:10"))
        let replies = ["AT": ["OK\r\n"], "ATI": ["Simulated ", "modem\r\nOK\r\n"], "ATZ": ["ERROR\r\n"]]
        let script = ResponseScript(replies.map { .init(Array("\($0)\r\n".utf8), $1.map { Array($0.utf8) }) })
        modem = try SimulatedSerialDevice(
            in: bluez, .tertium, name: "MODEM", address: "00:AA:02:00:00:77", script: script)
    }

    /// Ends the simulator and its bus, and removes the bus's directory.
    public func stop() {
        modem = nil
        bluez = nil
    }
}
