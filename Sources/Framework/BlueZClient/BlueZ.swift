import BlueZDBus

/// BlueZ's names on the bus (doc/org.bluez.*.rst).
package enum BlueZ {
    package static let service = "org.bluez"
    static let root = ObjectPath.root

    /// The bus's own interfaces; BlueZ's are in `BlueZInterface`.
    enum Interface {
        static let objectManager: StaticString = "org.freedesktop.DBus.ObjectManager"
        static let properties: StaticString = "org.freedesktop.DBus.Properties"
        static let bus: StaticString = "org.freedesktop.DBus"
    }

    package static let adapter = BlueZInterface.adapter.description
    package static let device = BlueZInterface.device.description
    static let battery = BlueZInterface.battery.description
    static let monitorManager = BlueZInterface.monitorManager.description
    package static let leBearer = BlueZInterface.leBearer.description
    package static let gattService = BlueZInterface.gattService.description
    package static let gattCharacteristic = BlueZInterface.gattCharacteristic.description
    package static let gattDescriptor = BlueZInterface.gattDescriptor.description
    package static let agentManager = BlueZInterface.agentManager.description
    package static let agent = BlueZInterface.agent.description
    package static let profileManager = BlueZInterface.profileManager.description
    package static let profile = BlueZInterface.profile.description
    package static let gattManager = BlueZInterface.gattManager.description
    package static let advertisingManager = BlueZInterface.advertisingManager.description
    package static let advertisement = BlueZInterface.advertisement.description
    package static let monitor = BlueZInterface.monitor.description
    package static let objectManager = Interface.objectManager.description
    package static let properties = Interface.properties.description
    package static let bus = Interface.bus.description

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
