import BlueZDBus
import TestSupport
import Testing

@testable import CoreBlueZ

/// A second client: connections of managers in one process are one.
@BluetoothActor final class Subscriber {
    /// How many values have come.
    private(set) var count = 0
    private let connection: Connection
    private var isSubscribed = false

    /// Connects, and subscribes to a characteristic.
    init(_ address: String, _ characteristic: Characteristic) async throws {
        connection = try Connection(to: .address(address), loop: BluetoothActor.loop)
        let path = try #require(characteristic.path)
        connection.signalHandler = { [weak self] message in
            guard message.isSignal("org.freedesktop.DBus.Properties", "PropertiesChanged"),
                message.path?.string == path.string
            else {
                return
            }
            var reader = message.reader
            reader.skip()
            try? reader.readProperties { (name, _) throws(DBusError) in if name == "Value" { self?.count += 1 } }
        }
        connection.hello(timeout: Patience.timeout) { _ in }
        try connection.callBus("AddMatch", timeout: Patience.timeout) { (writer) throws(DBusError) in
            try writer.append("type='signal',sender='org.bluez'")
        } reply: { _ in
        }
        let call = try Message.methodCall(
            to: "org.bluez", path: path, interface: "org.bluez.GattCharacteristic1", member: "StartNotify")
        connection.call(call, timeout: Patience.timeout) { [weak self] _ in self?.isSubscribed = true }
        try await Patience.wait(for: "the subscription") { isSubscribed }
    }

    func close() {
        connection.close()
    }
}
