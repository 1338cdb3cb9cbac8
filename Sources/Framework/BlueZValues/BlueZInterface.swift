/// BlueZ's interfaces (doc/org.bluez.*.rst), in the form in which messages are compared with them in place.
package enum BlueZInterface {
    @inlinable package static var adapter: StaticString { "org.bluez.Adapter1" }
    @inlinable package static var device: StaticString { "org.bluez.Device1" }
    @inlinable package static var battery: StaticString { "org.bluez.Battery1" }
    @inlinable package static var monitorManager: StaticString { "org.bluez.AdvertisementMonitorManager1" }
    @inlinable package static var monitor: StaticString { "org.bluez.AdvertisementMonitor1" }
    @inlinable package static var leBearer: StaticString { "org.bluez.Bearer.LE1" }
    @inlinable package static var gattManager: StaticString { "org.bluez.GattManager1" }
    @inlinable package static var gattProfile: StaticString { "org.bluez.GattProfile1" }
    @inlinable package static var gattService: StaticString { "org.bluez.GattService1" }
    @inlinable package static var gattCharacteristic: StaticString { "org.bluez.GattCharacteristic1" }
    @inlinable package static var gattDescriptor: StaticString { "org.bluez.GattDescriptor1" }
    @inlinable package static var agentManager: StaticString { "org.bluez.AgentManager1" }
    @inlinable package static var agent: StaticString { "org.bluez.Agent1" }
    @inlinable package static var profileManager: StaticString { "org.bluez.ProfileManager1" }
    @inlinable package static var profile: StaticString { "org.bluez.Profile1" }
    @inlinable package static var healthManager: StaticString { "org.bluez.HealthManager1" }
    @inlinable package static var advertisingManager: StaticString { "org.bluez.LEAdvertisingManager1" }
    @inlinable package static var advertisement: StaticString { "org.bluez.LEAdvertisement1" }
}

/// The reasons for the end of a link that bluetoothd reports from 5.83 on (doc/org.bluez.Device.rst).
package enum BlueZReason {
    package static let prefix = "org.bluez.Reason."
    package static let timeout = prefix + "Timeout"
    package static let local = prefix + "Local"
    package static let remote = prefix + "Remote"
    package static let suspend = prefix + "Suspend"
}
