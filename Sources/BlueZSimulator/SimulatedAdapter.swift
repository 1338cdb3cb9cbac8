import BlueZServer
import DBus

/// A Bluetooth adapter: an `Adapter1` object of bluetoothd, after src/adapter.c.
@SimulatorActor public final class SimulatedAdapter {
    /// The specification it was made from.
    public let specification: AdapterSpecification
    let adapter: Adapter

    init(_ specification: AdapterSpecification, _ adapter: Adapter) {
        self.specification = specification
        self.adapter = adapter
    }

    /// The object's path, such as `/org/bluez/hci0`.
    public var path: ObjectPath { adapter.path }
    /// Whether it is on.
    public var isPowered: Bool { adapter.isPowered }
    /// Whether rfkill blocks it.
    public var isBlocked: Bool { adapter.isBlocked }
    /// Whether bluetoothd has it: it is plugged in and bluetoothd runs.
    public var isPresent: Bool { adapter.isPresent }
    /// Whether it is unplugged.
    public var isUnplugged: Bool { adapter.isUnplugged }
    /// Whether bluetoothd reports that it is discovering.
    public var isDiscovering: Bool { adapter.isDiscovering }
    /// Whether the kernel refuses monitors although it supports them: bluetoothd calls `Release` instead of `Activate`.
    public var refusesMonitors: Bool {
        get { adapter.refusesMonitors }
        set { adapter.refusesMonitors = newValue }
    }
    /// How many monitors of clients are active.
    public var activeMonitorCount: Int { adapter.activeMonitorCount }

    /// bluetoothd releases all monitors, as it does if the kernel removes them.
    public func simulateMonitorRelease() {
        adapter.releaseMonitors()
    }

    /// A controller with its own monitoring reports that a device is no longer heard.
    public func simulateMonitorLoss(of peripheral: SimulatedPeripheral) {
        adapter.monitorsLost(peripheral.address)
    }

    /// The controller is turned on or off by a program other than bluetoothd.
    public func simulatePower(_ isOn: Bool) {
        adapter.powerChanged(isOn)
    }

    /// rfkill blocks the adapter, which turns it off, or unblocks it, which restores its previous power.
    public func simulateRFKill(_ isBlocked: Bool) {
        adapter.rfkillChanged(isBlocked)
    }

    /// The adapter is unplugged: its devices' objects go first, then its own. bluetoothd remembers the devices that are
    /// no longer temporary.
    public func simulateUnplug() {
        adapter.unplug()
    }

    /// The adapter is plugged in again, with the power given by its specification.
    ///
    /// - Parameter number: the number that the kernel gives it this time, such as 1 for hci1; by default the previous
    ///   one.
    public func simulateReplug(asNumber number: UInt8? = nil) {
        adapter.replug(asNumber: number)
    }
}

/// The properties of an adapter.
public struct AdapterSpecification: Hashable, Sendable {
    /// The address in uppercase.
    public var address: String
    /// The host's name, which is also the adapter's.
    public var name: String
    /// Whether it is on at the start. bluetoothd 5.66 powers adapters by default (AutoEnable).
    public var isPowered: Bool
    /// Whether the kernel supports advertisement monitors (Linux 5.10). bluetoothd offers them only with
    /// `--experimental`.
    public var supportsMonitors: Bool

    /// Makes a specification.
    public init(
        address: String = "00:AA:01:00:00:42",
        name: String = "simulator",
        isPowered: Bool = true,
        supportsMonitors: Bool = true
    ) {
        self.address = address
        self.name = name
        self.isPowered = isPowered
        self.supportsMonitors = supportsMonitors
    }

    var description: AdapterDescription {
        AdapterDescription(
            address: address, name: name, isPowered: isPowered, supportsMonitors: supportsMonitors)
    }
}
