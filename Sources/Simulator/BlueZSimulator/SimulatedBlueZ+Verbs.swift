import BlueZDBus
import BlueZServer
import BlueZValues

extension SimulatedBlueZ {
    /// Ends bluetoothd as SIGKILL does: its name loses its owner, and the bus replies to pending calls with NoReply.
    public func simulateCrash() {
        daemon.stop()
    }

    /// Ends the bus, so that all connections are lost. This cannot be undone.
    public func simulateBusLoss() {
        bus?.kill()
    }

    /// Sends any signal as bluetoothd, even one that it never would.
    ///
    /// - Throws: `DBusError` if a name or value cannot be sent.
    public func simulateSignal(
        _ member: String,
        of interface: String,
        from path: String,
        _ arguments: [Value]
    ) throws {
        try daemon.server.connection?.emit(member, of: interface, from: ObjectPath(path)) {
            (writer) throws(DBusError) in
            for argument in arguments { try writer.append(argument) }
        }
    }

    /// Replaces bluetoothd's replies to the next calls of a method, on any object.
    ///
    /// - Parameters:
    ///   - reply: the reply that the client gets.
    ///   - member: the name of the method.
    ///   - interface: the interface of the method.
    ///   - times: the number of calls. Later calls get the usual replies.
    public func simulateReply(
        _ reply: SimulatedReply,
        to member: String,
        of interface: String,
        times: Int = 1
    ) {
        recorder.reply(reply, to: member, of: interface, times: times)
    }

    /// Whether the calls of clients are recorded in `calls`; false by default.
    public var keepsCalls: Bool {
        get { recorder.isKept }
        set { recorder.isKept = newValue }
    }

    /// The recorded calls of clients, the oldest first.
    public var calls: [ReceivedCall] { recorder.received }

    /// Discards the recorded calls, and the replies that `simulateReply` set.
    public func forgetCalls() {
        recorder.clear()
    }

    /// Returns the characteristics of a peripheral for which clients have notifications, by StartNotify or
    /// AcquireNotify: each once per client. The peripheral may still be subscribed to without a client, if one left
    /// while the client configuration was being written.
    public func notificationSessions(of peripheral: SimulatedPeripheral) -> [BluetoothUUID] {
        let characteristics = daemon.adapters.compactMap { $0.device(at: peripheral.address) }.flatMap(\.services)
            .flatMap(\.characteristics)
        return characteristics.flatMap { characteristic in characteristic.sessions.map { _ in characteristic.uuid } }
    }

    /// The side that has made the link to a device or is making it; nil if there is neither.
    package func linkMaker(at path: ObjectPath) -> LinkMaker? { recorder.device?(path)?.linkMaker }

    /// Sends invalid signals, which every client should survive: with wrong types, missing arguments and unknown
    /// objects.
    ///
    /// - Parameter path: the path of the object that the signals claim to concern.
    public func simulateMalformedSignals(about path: String) throws {
        let manager = "org.freedesktop.DBus.ObjectManager"
        let properties = "org.freedesktop.DBus.Properties"
        let device = Value.string(Device.interface)
        try simulateSignal("InterfacesAdded", of: manager, from: "/", [])
        try simulateSignal("InterfacesAdded", of: manager, from: "/", [.string(path), .uint32(1)])
        try simulateSignal("InterfacesAdded", of: manager, from: "/", [.objectPath(ObjectPath(path)), .strings(["x"])])
        try simulateSignal("InterfacesRemoved", of: manager, from: "/", [.objectPath(ObjectPath(path))])
        try simulateSignal("InterfacesRemoved", of: manager, from: "/", [.uint32(7), .uint32(8)])
        try simulateSignal("PropertiesChanged", of: properties, from: path, [])
        try simulateSignal("PropertiesChanged", of: properties, from: path, [device, .strings(["Connected"])])
        let wrong: [String: Value] = [
            "Connected": .string("yes"), "RSSI": .string("loud"), "UUIDs": .uint32(1), "Name": .bytes([0xFF]),
            "ManufacturerData": .boolean(true), "ServicesResolved": .double(1), "Value": .strings(["x"]),
        ]
        for interface in [BlueZInterface.device, BlueZInterface.gattCharacteristic, BlueZInterface.adapter] {
            try simulateSignal(
                "PropertiesChanged", of: properties, from: path,
                [.string(interface.description), .properties(wrong), .strings([])]
            )
        }
    }

    /// Removes a device object, as RemoveDevice of another client does. Pending calls on or below it get no reply.
    public func simulateDeviceRemoval(of peripheral: SimulatedPeripheral) {
        simulateDeviceRemoval(ofAddress: peripheral.address)
    }

    /// Removes the object of a device, also of a central.
    package func simulateDeviceRemoval(ofAddress address: String) {
        for adapter in daemon.adapters {
            if let device = adapter.device(at: address) { adapter.remove(device) }
        }
    }
}
