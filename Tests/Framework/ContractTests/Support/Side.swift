import BlueZDBus
import CoreBlueZ
import Foundation

/// Where the suite runs: on the simulator in this process, or on a real bluetoothd that the environment names.
struct Side: Sendable {
    var bus: BusAddress
    var control: any Control
    var harness: (any Harness)?
    /// Multiplies every timeout: the lab's virtual machine is slow.
    let timeScale: Double
    /// Whether nothing else runs in this process meanwhile, so that what the process has open can be counted.
    var isAlone = false
    /// Whether this is bluetoothd.
    var isBluetoothd = false

    /// The version of bluetoothd, such as "5.66"; nil on the simulator.
    static let bluezVersion = ProcessInfo.processInfo.environment["COREBLUEZ_TEST_BLUEZ"]

    /// Whether the side is as bluetoothd was before a version. The simulator is as 5.66.
    static func isBefore(_ version: String) -> Bool {
        (bluezVersion ?? "5.66").compare(version, options: .numeric) == .orderedAscending
    }

    static let current = Task { try await make() }

    private static func make() async throws -> Side {
        let environment = ProcessInfo.processInfo.environment
        let scale = environment["COREBLUEZ_TEST_TIME_SCALE"].flatMap(Double.init) ?? 1
        guard let bus = environment["COREBLUEZ_TEST_BUS"], let control = environment["COREBLUEZ_TEST_CONTROL"] else {
            return try await SimulatedSide.make(timeScale: scale)
        }
        var harness: SocketHarness?
        if let path = environment["COREBLUEZ_TEST_HARNESS"] {
            harness = SocketHarness(client: try await ControlClient(path: path))
        }
        return Side(
            bus: .address(bus),
            control: try await ControlClient(path: control),
            harness: harness,
            timeScale: scale,
            isAlone: true,
            isBluetoothd: true
        )
    }

    /// What the side can do, by the verbs of its control channel; "kill-daemon" if there is a harness.
    static func can(_ verbs: String...) async throws -> Bool {
        let side = try await current.value
        let answer = try await side.control.ask("capabilities")
        var known = Set(answer["capabilities"] as? [String] ?? [])
        if side.harness != nil { known.insert("kill-daemon") }
        return known.isSuperset(of: verbs)
    }
}

/// Kills and restarts bluetoothd, which no peripheral can.
protocol Harness: Sendable {
    func killDaemon() async throws
    func startDaemon() async throws

    /// Ends the adapter's links past bluetoothd, which would first wait for 2 seconds (src/device.c: DISCONNECT_TIMER).
    func endLinks() async throws
}

extension Harness {
    /// What is not bluetoothd does not wait.
    func endLinks() async throws {}
}

struct SocketHarness: Harness {
    let client: ControlClient

    func killDaemon() async throws { _ = try await client.ask("kill-daemon") }
    func startDaemon() async throws { _ = try await client.ask("start-daemon") }
    func endLinks() async throws { _ = try await client.ask("end-links") }
}
