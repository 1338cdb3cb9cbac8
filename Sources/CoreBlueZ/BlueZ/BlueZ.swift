import DBus

/// BlueZ's names on the bus (doc/org.bluez.*.rst).
enum BlueZ {
    static let service = "org.bluez"
    static let root = ObjectPath.root
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"
    static let battery = "org.bluez.Battery1"
    static let monitorManager = "org.bluez.AdvertisementMonitorManager1"
    static let leBearer = "org.bluez.Bearer.LE1"
    static let gattService = "org.bluez.GattService1"
    static let gattCharacteristic = "org.bluez.GattCharacteristic1"
    static let gattDescriptor = "org.bluez.GattDescriptor1"

    static let objectManager = "org.freedesktop.DBus.ObjectManager"
    static let properties = "org.freedesktop.DBus.Properties"
    static let bus = "org.freedesktop.DBus"

    /// What the mirror must receive. The rule for characteristic values is not among them: every read emits one, so
    /// that rule is in force only while something is subscribed.
    static let matchRules: [MatchRule] = [
        MatchRule(sender: bus, interface: bus, member: "NameOwnerChanged", argument0: service),
        MatchRule(sender: service, interface: objectManager),
        MatchRule(sender: service, interface: properties, member: "PropertiesChanged", argument0: adapter),
        MatchRule(sender: service, interface: properties, member: "PropertiesChanged", argument0: device),
        MatchRule(sender: service, interface: properties, member: "PropertiesChanged", argument0: battery),
        MatchRule(sender: service, interface: device, member: "Disconnected"),
    ]

    /// A method call to bluetoothd. It does not start bluetoothd if that is not running.
    static func call(_ path: ObjectPath, _ interface: String, _ member: String) throws(DBusError) -> Message {
        let message = try Message.methodCall(to: service, path: path, interface: interface, member: member)
        message.forbidAutoStart()
        return message
    }

    static let valueRule = MatchRule(
        sender: service, interface: properties, member: "PropertiesChanged", argument0: gattCharacteristic
    )
}
