import BlueZDBus

/// BlueZ's names on the bus (doc/org.bluez.*.rst).
package enum BlueZ {
    static let service = "org.bluez"
    static let root = ObjectPath.root

    /// The interfaces in the form in which messages are compared with them, in place.
    enum Interface {
        static let adapter: StaticString = "org.bluez.Adapter1"
        static let device: StaticString = "org.bluez.Device1"
        static let battery: StaticString = "org.bluez.Battery1"
        static let monitorManager: StaticString = "org.bluez.AdvertisementMonitorManager1"
        static let leBearer: StaticString = "org.bluez.Bearer.LE1"
        static let gattService: StaticString = "org.bluez.GattService1"
        static let gattCharacteristic: StaticString = "org.bluez.GattCharacteristic1"
        static let gattDescriptor: StaticString = "org.bluez.GattDescriptor1"
        static let objectManager: StaticString = "org.freedesktop.DBus.ObjectManager"
        static let properties: StaticString = "org.freedesktop.DBus.Properties"
        static let bus: StaticString = "org.freedesktop.DBus"
    }

    package static let adapter = Interface.adapter.description
    package static let device = Interface.device.description
    static let battery = Interface.battery.description
    static let monitorManager = Interface.monitorManager.description
    package static let leBearer = Interface.leBearer.description
    package static let gattService = Interface.gattService.description
    package static let gattCharacteristic = Interface.gattCharacteristic.description
    package static let gattDescriptor = Interface.gattDescriptor.description
    static let objectManager = Interface.objectManager.description
    package static let properties = Interface.properties.description
    static let bus = Interface.bus.description

    /// The rules for the signals that the mirror must receive. The rule for characteristic values is not among them.
    /// Every read emits such a signal, so that rule is in force only while something is subscribed.
    static let matchRules: [MatchRule] = [
        MatchRule(sender: bus, interface: bus, member: "NameOwnerChanged", argument0: service),
        MatchRule(sender: service, interface: objectManager),
        MatchRule(sender: service, interface: properties, member: "PropertiesChanged", argument0: adapter),
        MatchRule(sender: service, interface: properties, member: "PropertiesChanged", argument0: device),
        MatchRule(sender: service, interface: properties, member: "PropertiesChanged", argument0: battery),
        MatchRule(sender: service, interface: device, member: "Disconnected"),
    ]

    /// Returns a method call to bluetoothd. The call does not start bluetoothd if it is not running.
    package static func call(_ path: ObjectPath, _ interface: String, _ member: String) throws(DBusError) -> Message {
        let message = try Message.methodCall(to: service, path: path, interface: interface, member: member)
        message.forbidAutoStart()
        return message
    }

    static let valueRule = MatchRule(
        sender: service, interface: properties, member: "PropertiesChanged", argument0: gattCharacteristic
    )
}
