// The values are Apple's, because programs store some of them, and print others.

/// The key of an initializer's option: whether to alert the user that Bluetooth is off. There is no alert on Linux.
public let CBCentralManagerOptionShowPowerAlertKey = "kCBInitOptionShowPowerAlert"
/// The key of an initializer's option: the name under which the system keeps the manager's state. Linux keeps none, and
/// a line in the log says so.
public let CBCentralManagerOptionRestoreIdentifierKey = "kCBInitOptionRestoreIdentifier"
/// The key of an initializer's option: whether to ask for access to media devices. It has no effect on Linux.
public let CBCentralManagerOptionDeviceAccessForMedia = "kCBInitOptionDeviceAccessForMedia"
/// The key of an initializer's option that Apple does not have: the address of the message bus, a `String`. Without it,
/// the manager uses the system bus, or that of `DBUS_SYSTEM_BUS_ADDRESS`. For tests on simulators.
public let CBCentralManagerOptionBlueZBusAddressKey = "BlueZInitOptionBusAddress"
/// The key of an initializer's option that Apple does not have: the adapter's name ("hci0") or address, a `String`.
public let CBCentralManagerOptionBlueZAdapterKey = "BlueZInitOptionAdapter"
/// The key of an initializer's option that Apple does not have: where to store the addresses of the peripherals that
/// scans find, a `String`. It is the program's name, for a directory in `$XDG_STATE_HOME` or `~/.local/state`, or the path
/// of a directory. `retrievePeripherals(withIdentifiers:)` then finds these peripherals in later runs of the program,
/// even if bluetoothd has forgotten them. The last 1,000 are stored, in a file that only the user can read (mode 0600, in
/// a directory of mode 0700), but no private addresses, because they change. Without the option nothing is stored.
public let CBCentralManagerOptionBlueZStoreKey = "BlueZInitOptionStore"

/// The key of a scan's option: whether to report each advertisement, not only those with new content.
public let CBCentralManagerScanOptionAllowDuplicatesKey = "kCBScanOptionAllowDuplicates"
/// The key of a scan's option: services that devices solicit. It has no effect on Linux, and a line in the log says so.
public let CBCentralManagerScanOptionSolicitedServiceUUIDsKey = "kCBScanOptionSolicitedServiceUUIDs"

/// The key of a connection's option: whether to alert the user to the connection of a suspended application. Linux
/// suspends none.
public let CBConnectPeripheralOptionNotifyOnConnectionKey = "kCBConnectOptionNotifyOnConnection"
/// The key of a connection's option: whether to alert the user to the end of a suspended application's link. Linux
/// suspends none.
public let CBConnectPeripheralOptionNotifyOnDisconnectionKey = "kCBConnectOptionNotifyOnDisconnection"
/// The key of a connection's option: whether to alert the user to a suspended application's values. Linux suspends none.
public let CBConnectPeripheralOptionNotifyOnNotificationKey = "kCBConnectOptionNotifyOnNotification"
/// The key of a connection's option: the delay before the first attempt, in seconds, an `NSNumber`.
public let CBConnectPeripheralOptionStartDelayKey = "kCBConnectOptionStartDelay"
/// The key of a connection's option: whether to connect classic Bluetooth too. It has no effect on Linux, and a line in
/// the log says so.
public let CBConnectPeripheralOptionEnableTransportBridgingKey = "kCBConnectOptionEnableTransportBridging"
/// The key of a connection's option: whether the device needs notifications of Apple's systems. It has no effect on
/// Linux, and a line in the log says so.
public let CBConnectPeripheralOptionRequiresANCS = "kCBConnectOptionRequiresANCS"
/// The key of a connection's option: whether to connect again when the link is lost.
public let CBConnectPeripheralOptionEnableAutoReconnect = "kCBConnectOptionEnableAutoReconnect"

/// The key of restored peripherals. Nothing is restored on Linux.
public let CBCentralManagerRestoredStatePeripheralsKey = "kCBRestoredPeripherals"
/// The key of a restored scan's services. Nothing is restored on Linux.
public let CBCentralManagerRestoredStateScanServicesKey = "kCBRestoredScanServices"
/// The key of a restored scan's options. Nothing is restored on Linux.
public let CBCentralManagerRestoredStateScanOptionsKey = "kCBRestoredScanOptions"

/// The time of an event: seconds since January 1, 2001, as `Date.timeIntervalSinceReferenceDate`.
public typealias CFAbsoluteTime = Double

/// The kinds of connection events. There are none on Linux.
public enum CBConnectionEvent: Int, Sendable {
    /// A device was disconnected.
    case peerDisconnected = 0
    /// A device was connected.
    case peerConnected = 1
}

/// A kind of filter of connection events.
public struct CBConnectionEventMatchingOption: RawRepresentable, Hashable, Sendable {
    /// The key.
    public let rawValue: String

    /// Creates a kind from its key.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Devices with these services, an array of `CBUUID`.
    public static let serviceUUIDs = Self(rawValue: "kCBConnectionEventMatchingOptionServiceUUIDs")
    /// Devices with these identifiers, an array of `UUID`.
    public static let peripheralUUIDs = Self(rawValue: "kCBConnectionEventMatchingOptionPeripheralUUIDs")
}

extension CBCentralManager {
    /// Features that not every system has.
    public struct Feature: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Creates a set from its bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Scanning for extended advertisements, and connecting their senders.
        public static let extendedScanAndConnect = Feature(rawValue: 1 << 0)
    }
}
