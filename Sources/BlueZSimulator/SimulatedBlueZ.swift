import BlueZServer
import DBus

/// A simulated BlueZ on a private bus: adapters, devices and GATT objects, with bluetoothd 5.66's signals, errors and
/// texts.
///
/// To use it with any BlueZ client, set `DBUS_SYSTEM_BUS_ADDRESS` to its `address`. One process can have many. It ends
/// when its last reference is released.
@SimulatorActor public final class SimulatedBlueZ {
    /// The properties of a simulator.
    public struct Configuration: Sendable {
        /// The adapters, hci0 first.
        public var adapters: [AdapterSpecification]
        /// The durations of operations.
        public var timing: Timing
        /// Whether it has the properties that bluetoothd offers only with `--experimental`: PowerState,
        /// AdvertisingFlags, Source, and advertisement monitors.
        public var isExperimental: Bool
        /// Whether it ignores the offset of a read and has no MTU property, like bluetoothd before 5.60.
        package var isBefore560 = false

        /// Makes a configuration; by default one adapter, powered, and bluetoothd's timing.
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

    /// The configuration it was made from.
    public let configuration: Configuration
    /// The bus's address, for `BusAddress.address` and `DBUS_SYSTEM_BUS_ADDRESS`.
    public nonisolated let address: String
    /// The adapters, hci0 first, whether plugged in or not.
    public private(set) var adapters: [SimulatedAdapter] = []
    /// Whether bluetoothd is running, as far as the bus knows.
    public var isRunning: Bool { daemon.isRunning }

    let daemon: Daemon
    let medium: RadioMedium
    let recorder = CallRecorder()
    var bus: PrivateBus?
    private var radios: [SimulatedRadio] = []

    /// Starts a private bus, or uses the one at an address, and owns `org.bluez` on it.
    ///
    /// - Throws: `DBusError` if there is no bus or `org.bluez` has another owner there.
    public init(_ configuration: Configuration = Configuration(), bus existing: String? = nil) async throws {
        self.configuration = configuration
        medium = RadioMedium(timing: configuration.timing)
        daemon = Daemon(
            timing: configuration.timing.daemon, isExperimental: configuration.isExperimental,
            isBefore560: configuration.isBefore560)
        if let existing {
            address = existing
        } else {
            let bus = try PrivateBus()
            address = bus.address
            self.bus = bus
        }
        for specification in configuration.adapters {
            let radio = SimulatedRadio(medium)
            radios.append(radio)
            adapters.append(
                SimulatedAdapter(specification, try daemon.addAdapter(specification.description, radio: radio)))
        }
        medium.listener = { [weak self] peripheral in
            for radio in self?.radios ?? [] { radio.advertisingChanged(peripheral) }
        }
        daemon.server.callFilter = { [weak recorder] call, interface in recorder?.takes(call, of: interface) ?? false }
        try await restart()
    }

    isolated deinit { daemon.server.connection?.close() }

    /// The durations of operations from now on.
    public var timing: Timing {
        get { medium.timing }
        set {
            medium.timing = newValue
            daemon.settings.timing = newValue.daemon
        }
    }

    /// The peripherals in range.
    public var peripherals: [SimulatedPeripheral] { medium.peripherals }

    /// Adds a peripheral in range of all adapters; it advertises.
    ///
    /// - Throws: `DBusError` if the address is invalid or taken, or the attributes need handles above 65534.
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
        let peripheral = SimulatedPeripheral(specification)
        medium.add(peripheral)
        return peripheral
    }

    /// Removes a peripheral permanently; its link is lost.
    public func remove(_ peripheral: SimulatedPeripheral) {
        medium.remove(peripheral)
    }

    /// Starts bluetoothd again after `simulateCrash`. It knows the devices that were connected or paired before, but
    /// not their services. Does nothing while it runs.
    public func restart() async throws {
        try await daemon.start(on: address)
    }
}
