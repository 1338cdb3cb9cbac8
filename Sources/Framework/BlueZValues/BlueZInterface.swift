/// BlueZ's interfaces (doc/org.bluez.*.rst), in the form in which messages are compared with them in place.
/// They are public because what is `package` isn't inlined in other modules.
public enum BlueZInterface {
    /// Adapters.
    @inlinable public static var adapter: StaticString { "org.bluez.Adapter1" }
    /// Devices.
    @inlinable public static var device: StaticString { "org.bluez.Device1" }
    /// The batteries of devices.
    @inlinable public static var battery: StaticString { "org.bluez.Battery1" }
    /// Registers advertisement monitors, on adapters.
    @inlinable public static var monitorManager: StaticString { "org.bluez.AdvertisementMonitorManager1" }
    /// Advertisement monitors, which clients have.
    @inlinable public static var monitor: StaticString { "org.bluez.AdvertisementMonitor1" }
    /// The LE links of devices.
    @inlinable public static var leBearer: StaticString { "org.bluez.Bearer.LE1" }
    /// Registers GATT applications, on adapters.
    @inlinable public static var gattManager: StaticString { "org.bluez.GattManager1" }
    /// The profiles of GATT applications, which clients have.
    @inlinable public static var gattProfile: StaticString { "org.bluez.GattProfile1" }
    /// GATT services.
    @inlinable public static var gattService: StaticString { "org.bluez.GattService1" }
    /// GATT characteristics.
    @inlinable public static var gattCharacteristic: StaticString { "org.bluez.GattCharacteristic1" }
    /// GATT descriptors.
    @inlinable public static var gattDescriptor: StaticString { "org.bluez.GattDescriptor1" }
    /// Registers pairing agents.
    @inlinable public static var agentManager: StaticString { "org.bluez.AgentManager1" }
    /// Pairing agents, which clients have.
    @inlinable public static var agent: StaticString { "org.bluez.Agent1" }
    /// Registers profiles of BR/EDR.
    @inlinable public static var profileManager: StaticString { "org.bluez.ProfileManager1" }
    /// Profiles of BR/EDR, which clients have.
    @inlinable public static var profile: StaticString { "org.bluez.Profile1" }
    /// Manages health devices.
    @inlinable public static var healthManager: StaticString { "org.bluez.HealthManager1" }
    /// Registers advertisements, on adapters.
    @inlinable public static var advertisingManager: StaticString { "org.bluez.LEAdvertisingManager1" }
    /// Advertisements, which clients have.
    @inlinable public static var advertisement: StaticString { "org.bluez.LEAdvertisement1" }
}

/// The reasons for the end of a link that bluetoothd reports from 5.83 on (doc/org.bluez.Device.rst).
package enum BlueZReason {
    package static let prefix = "org.bluez.Reason."
    package static let timeout = prefix + "Timeout"
    package static let local = prefix + "Local"
    package static let remote = prefix + "Remote"
    package static let suspend = prefix + "Suspend"
}
