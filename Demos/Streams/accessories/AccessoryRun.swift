import BlueZAccessories
import BlueZScript
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials

/// One run: finds an accessory, exchanges lines with it, and disconnects it if this run has connected it.
@BluetoothActor final class AccessoryRun {
    private let options: AccessoriesTool
    private let simulated = SimulatedAccessory()
    private var manager: AccessoryManager?
    private var linked: Peripheral?

    init(_ options: AccessoriesTool) { self.options = options }

    func run() async throws(CommandFailure) {
        let work = Task { @BluetoothActor in try await self.work(options.timeout) }
        SignalWatch.shared.start { work.cancel() }
        let result = await work.result
        var failure: CommandFailure?
        do throws(BluetoothError) { try await linked?.disconnectOwnLink() } catch { failure = CommandFailure(error) }
        await simulated.stop()
        if SignalWatch.shared.number == nil, case .failure(let error) = result { failure = CommandFailure(any: error) }
        if let failure { throw failure }
    }

    private func work(_ timeout: Duration) async throws {
        let central = CentralManager(bus: options.simulate ? .address(try await simulated.start()) : .system)
        try await central.waitUntilPoweredOn()
        let tty = AccessoryProtocol("com.example.tty", over: .serial(.nordic), .rfcomm(uuid: .serialPort))
        let manager = AccessoryManager(central, protocols: [tty])
        self.manager = manager
        manager.registerForNotifications()
        manager.notificationHandler = { [self] in
            if case .connected(let accessory) = $0 { try? show(accessory, "connected") }
            if case .disconnected(let old) = $0 { try? StandardOutput.writeLine("disconnected: \(old.name)") }
        }
        try await manager.ready(timeout: timeout)
        for accessory in manager.connectedAccessories { try show(accessory, "connected before") }
        let device = options.device ?? (options.simulate ? "ECHO" : nil)
        let isMeant: @BluetoothActor (Peripheral) -> Bool = {
            device == nil || $0.name == device || $0.address == device.flatMap { BluetoothAddress(typed: $0) }
        }
        if device != nil, !manager.connectedAccessories.contains(where: { isMeant($0.peripheral) }) {
            try await manager.pickAccessory(timeout: timeout, choose: isMeant)
            linked = central.peripherals.first { isMeant($0) && $0.isConnected }
        }
        let session = try await manager.openFirstSession(for: tty.name, timeout: timeout) { isMeant($0.peripheral) }
        try StandardOutput.writeLine("sent: \(options.line)")
        try await session.output.write(Data("\(options.line)\r\n".utf8))
        try StandardOutput.writeLine("received: \(try await reply(session, timeout))")
    }

    /// The first line of the reply.
    private func reply(_ session: AccessorySession, _ timeout: Duration) async throws -> String {
        let timer = Task { @BluetoothActor in
            try await BluetoothActor.sleep(for: timeout)
            session.close()
        }
        defer { timer.cancel() }
        var bytes = Data()
        while bytes.count < 4096, let more = try await session.input.read() {
            bytes += more
            if bytes.contains(10) { return String(decoding: bytes.prefix { $0 != 10 && $0 != 13 }, as: UTF8.self) }
        }
        throw CommandFailure(.timedOut, "\(session.accessory.name) did not reply with a line in time")
    }

    private func show(_ accessory: Accessory, _ event: String) throws {
        try StandardOutput.writeLine("\(event): \(accessory.name), connection \(accessory.connectionID)")
        try StandardOutput.writeLine("  protocols: \(accessory.protocolStrings.joined(separator: ", "))")
        for case (let label, let value?) in [
            ("manufacturer", accessory.manufacturer), ("model", accessory.modelNumber),
            ("serial number", accessory.serialNumber), ("firmware", accessory.firmwareRevision),
            ("hardware", accessory.hardwareRevision),
        ] { try StandardOutput.writeLine("  \(label): \(value)") }
    }
}

/// A simulator with one accessory in range, "ECHO", which sends back what it receives.
@SimulatorActor final class SimulatedAccessory {
    private var simulation: (bluez: SimulatedBlueZ, device: SimulatedSerialDevice)?

    /// Starts the simulator, and returns the address of its message bus.
    func start() async throws -> String {
        let bluez = try await SimulatedBlueZ()
        let information = ServiceSpecification.deviceInformation(manufacturer: "Example Inc.", modelNumber: "E-1")
        simulation = (bluez, try SimulatedSerialDevice(in: bluez, name: "ECHO", services: [information]))
        return bluez.address
    }

    /// Ends the simulator and its bus.
    func stop() { simulation = nil }
}
