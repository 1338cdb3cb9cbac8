import BlueZDBus
import BlueZServer

/// A simulated Bluetooth adapter: an `Adapter1` object of bluetoothd, modelled on src/adapter.c.
@SimulatorActor public final class SimulatedAdapter {
    /// The specification from which the adapter was created.
    public let specification: AdapterSpecification
    let adapter: Adapter
    private let radio: SimulatedRadio

    init(_ specification: AdapterSpecification, _ adapter: Adapter, _ radio: SimulatedRadio) {
        self.specification = specification
        self.adapter = adapter
        self.radio = radio
    }

    /// The object's path, such as `/org/bluez/hci0`.
    public var path: ObjectPath { adapter.path }
    /// Whether the adapter is on.
    public var isPowered: Bool { adapter.isPowered }
    /// Whether rfkill blocks the adapter.
    public var isBlocked: Bool { adapter.isBlocked }
    /// Whether bluetoothd has an object for the adapter: it is plugged in, and bluetoothd is running.
    public var isPresent: Bool { adapter.isPresent }
    /// Whether the adapter is unplugged.
    public var isUnplugged: Bool { adapter.isUnplugged }
    /// Whether bluetoothd reports that it is discovering.
    public var isDiscovering: Bool { adapter.isDiscovering }
    /// Whether the kernel refuses monitors although it supports them. bluetoothd then calls `Release` instead of
    /// `Activate`.
    public var refusesMonitors: Bool {
        get { adapter.refusesMonitors }
        set { adapter.refusesMonitors = newValue }
    }
    /// The number of active monitors of clients.
    public var activeMonitorCount: Int { adapter.activeMonitorCount }

    /// The adapter's current advertisements, in the order of the kernel's numbers.
    public var advertisements: [SimulatedAdvertisement] {
        adapter.outgoingAdvertisements.map(SimulatedAdvertisement.init)
    }

    /// Makes the kernel refuse advertisements: their registration fails, and a change has no effect.
    ///
    /// - Parameter times: the number of registrations or changes. Later ones are accepted.
    public func simulateAdvertisingRefusal(times: Int = 1) {
        adapter.refuseAdvertisements(times)
    }

    /// Releases all advertisements, as bluetoothd does before an orderly end.
    public func simulateAdvertisementRelease() {
        adapter.releaseAdvertisements()
    }

    /// Releases all monitors, as bluetoothd does if the kernel removes them.
    public func simulateMonitorRelease() {
        adapter.releaseMonitors()
    }

    /// Reports that a device is no longer heard, as a controller that monitors by itself does.
    public func simulateMonitorLoss(of peripheral: SimulatedPeripheral) {
        adapter.monitorsLost(peripheral.address)
    }

    /// Switches the controller on or off, as a program other than bluetoothd does.
    public func simulatePower(_ isOn: Bool) {
        adapter.powerChanged(isOn)
    }

    /// Blocks the adapter by rfkill, which switches it off, or unblocks it, which restores its previous power.
    public func simulateRFKill(_ isBlocked: Bool) {
        adapter.rfkillChanged(isBlocked)
    }

    /// Moves the adapter out of range of other adapters and of centrals, whose links with it are lost.
    public func simulateRangeLoss() {
        radio.isInRange = false
        for link in adapter.links {
            (link as? AdapterLink)?.drop(.timeout)
            (link as? CentralLink)?.drop(.timeout)
        }
    }

    /// Moves the adapter back into range.
    public func simulateReturn() {
        radio.isInRange = true
    }

    /// Unplugs the adapter. The objects of its devices are removed first, then its own. bluetoothd remembers the
    /// devices that are no longer temporary.
    public func simulateUnplug() {
        adapter.unplug()
    }

    /// Plugs the adapter in again, with the power of its specification.
    ///
    /// - Parameter number: the number that the kernel assigns this time, such as 1 for hci1; by default, the previous
    ///   one.
    public func simulateReplug(asNumber number: UInt8? = nil) {
        adapter.replug(asNumber: number)
    }
}

/// The properties with which a simulated adapter is created.
public struct AdapterSpecification: Hashable, Sendable {
    /// The address, with uppercase digits and colons.
    public var address: String
    /// The name of the host, which is also that of the adapter.
    public var name: String
    /// Whether the adapter is on at the start; true by default, as with bluetoothd 5.66 (AutoEnable).
    public var isPowered: Bool
    /// Whether the kernel supports advertisement monitors (Linux 5.10); true by default. bluetoothd offers them only
    /// with `--experimental`.
    public var supportsMonitors: Bool
    /// The number of advertisements that the adapter can send at a time; 5 by default, as the kernel keeps for a
    /// controller without extended advertising.
    public var advertisingInstances: UInt8 = 5
    /// The maximum number of bytes of advertising data, and of a scan response; 31 by default. bluetoothd 5.66 sends at
    /// most 31 bytes, even if more are supported.
    public var maximumAdvertisingLength: UInt8 = 31
    /// Whether the controller has the extended advertising of Bluetooth 5, with secondary channels; false by default.
    public var supportsExtendedAdvertising = false
    /// Whether the controller has BR/EDR beside LE; true by default. Otherwise, the Flags of each advertisement say that
    /// it has not.
    public var supportsBREDR = true

    /// Creates a specification; by default, of an adapter that is on.
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
            address: address, name: name, isPowered: isPowered, supportsMonitors: supportsMonitors,
            advertising: AdvertisingCapabilities(
                instances: advertisingInstances, maximumLength: maximumAdvertisingLength,
                isExtended: supportsExtendedAdvertising, hasBREDR: supportsBREDR))
    }
}

extension SimulatedAdapter {
    /// Makes bluetoothd know another adapter, without a discovery.
    package func find(_ other: SimulatedAdapter) {
        _ = adapter.findOrMake(other.adapter.identity)
    }
}
