import BlueZDBus
import BlueZServer

/// A message bus that a simulator can lose.
@SimulatorActor package protocol SimulatorBus: AnyObject {
    /// Ends the bus like a crash. Every connection is lost.
    func kill()
}

extension PrivateBus: SimulatorBus {}

/// A simulated BlueZ on a private bus, with adapters, devices and GATT objects, and with the signals, errors and texts
/// of bluetoothd 5.66.
///
/// To use it with any BlueZ client, set `DBUS_SYSTEM_BUS_ADDRESS` to its `address`. A process can have any number of
/// simulators. A simulator ends when its last reference is released.
@SimulatorActor public final class SimulatedBlueZ {
    /// The properties with which a simulator is created.
    public struct Configuration: Sendable {
        /// The adapters, starting with hci0.
        public var adapters: [AdapterSpecification]
        /// The durations of operations.
        public var timing: Timing
        /// Whether the simulator has what bluetoothd offers only with `--experimental`: PowerState, AdvertisingFlags,
        /// Source, and advertisement monitors.
        public var isExperimental: Bool
        /// The version of bluetoothd that the simulator resembles.
        package var version = BlueZVersion.v5_66
        /// Whether the simulator exports the services that bluetoothd's plug-ins use; see `DaemonSettings`.
        package var exportsClaimedServices = true

        /// Creates a configuration; by default, with one adapter that is on, and bluetoothd's timing.
        public init(
            adapters: [AdapterSpecification] = [AdapterSpecification()],
            timing: Timing = Timing(),
            isExperimental: Bool = false
        ) {
            self.adapters = adapters
            self.timing = timing
            self.isExperimental = isExperimental
        }
    }

    /// The configuration with which the simulator was created.
    public let configuration: Configuration
    /// The address of the bus, for `BusAddress.address` and `DBUS_SYSTEM_BUS_ADDRESS`.
    public nonisolated let address: String
    /// The adapters, starting with hci0, whether plugged in or not.
    public private(set) var adapters: [SimulatedAdapter] = []
    /// Whether bluetoothd is running, as far as the bus knows.
    public var isRunning: Bool { daemon.isRunning }

    let daemon: Daemon
    let medium: RadioMedium
    let recorder = CallRecorder()
    /// The bus that the simulator can lose; nil if it is another program's.
    let bus: (any SimulatorBus)?

    /// Creates a simulator, which owns `org.bluez` on a private bus that it starts, or on the bus at an address.
    ///
    /// - Throws: `DBusError` if the bus cannot be started or reached, or `org.bluez` has another owner on it.
    public convenience init(
        _ configuration: Configuration = Configuration(), bus existing: String? = nil
    ) async throws {
        if let existing {
            try await self.init(configuration, at: existing, on: nil)
        } else {
            let bus = try PrivateBus()
            try await self.init(configuration, at: bus.address, on: bus)
        }
    }

    /// Creates a simulator on the bus at an address.
    ///
    /// - Parameter bus: the bus, if the simulator may end it.
    package init(_ configuration: Configuration, at address: String, on bus: (any SimulatorBus)?) async throws {
        self.configuration = configuration
        self.address = address
        self.bus = bus
        medium = RadioMedium(timing: configuration.timing, version: configuration.version)
        daemon = Daemon(
            timing: configuration.timing.daemon, isExperimental: configuration.isExperimental,
            version: configuration.version, exportsClaimedServices: configuration.exportsClaimedServices)
        recorder.device = { [weak daemon] path in
            daemon?.adapters.compactMap { $0.device(path) }.first
        }
        daemon.server.callFilter = { [weak recorder] call, interface in recorder?.takes(call, of: interface) ?? false }
        for specification in configuration.adapters {
            let radio = SimulatedRadio(medium)
            medium.add(radio)
            adapters.append(
                SimulatedAdapter(specification, try daemon.addAdapter(specification.description, radio: radio), radio))
        }
        try await restart()
    }

    isolated deinit { daemon.stop() }

    /// The durations of operations, from now on.
    public var timing: Timing {
        get { medium.timing }
        set {
            medium.timing = newValue
            daemon.settings.timing = newValue.daemon
        }
    }

    /// The peripherals in range of the adapters.
    public var peripherals: [SimulatedPeripheral] { medium.peripherals }

    /// Adds a peripheral in range of all adapters. It advertises.
    ///
    /// - Throws: `DBusError` if the address is invalid or in use, the attributes need handles above 65534, or an
    ///   advertisement is too long.
    @discardableResult
    public func add(_ specification: PeripheralSpecification) throws -> SimulatedPeripheral {
        let bytes = specification.address.split(separator: ":", omittingEmptySubsequences: false)
        guard bytes.count == 6, bytes.allSatisfy({ $0.utf8.count == 2 && UInt8($0, radix: 16) != nil }) else {
            throw DBusError.invalidArguments("\"\(specification.address)\" is not a Bluetooth address")
        }
        guard medium.peripheral(specification.address.uppercased()) == nil else {
            throw DBusError.invalidArguments("There already is a peripheral \(specification.address)")
        }
        guard specification.endHandle <= UInt16.max else {
            throw DBusError.invalidArguments("The attributes of \(specification.name) need handles above 65534")
        }
        let advertisements = [specification.advertisement] + (specification.advertisements?.values ?? [])
        if let problem = advertisements.lazy.compactMap({ $0.problem(for: specification) }).first {
            throw DBusError.invalidArguments("\(specification.address): \(problem)")
        }
        let peripheral = SimulatedPeripheral(specification)
        medium.add(peripheral)
        return peripheral
    }

    /// Adds a central in range of all adapters, with an address that no other device has.
    ///
    /// - Parameters:
    ///   - address: the address, six bytes in hexadecimal separated by colons.
    ///   - addressType: whether the address is public or random.
    ///   - name: the name, which bluetoothd reads after the central has connected.
    @discardableResult
    public func addCentral(
        _ address: String = "F0:CA:FE:00:00:01", addressType: BluetoothAddress.Kind = .public,
        name: String = "central"
    ) -> SimulatedCentral {
        let central = SimulatedCentral(address.uppercased(), addressType, name: name, in: medium)
        medium.add(central)
        return central
    }

    /// Removes a peripheral permanently. Its link is lost.
    public func remove(_ peripheral: SimulatedPeripheral) {
        medium.remove(peripheral)
    }

    /// Starts bluetoothd again after `simulateCrash`. It remembers the devices that were connected or paired, but not
    /// their services. Does nothing if it is running.
    public func restart() async throws {
        try await daemon.start(on: address)
    }
}
