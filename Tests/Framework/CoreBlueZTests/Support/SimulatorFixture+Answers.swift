import BlueZDBus
import BlueZSimulator
import TestSupport
import Testing

@testable import CoreBlueZ

extension SimulatorFixture {
    nonisolated static let device = "/org/bluez/hci0/dev_BC_6A_29_00_00_01"
    static let bluezError = "org.bluez.Error."
    static let busError = "org.freedesktop.DBus.Error."

    var hasBeenRead: Bool { peripheral.log.contains { $0.operation == .read } }

    func vanish() { peripheral.simulateRangeLoss() }
    func remove() { bluez.simulateDeviceRemoval(of: peripheral) }

    /// Removes the device when nothing scans: a scan would add it again.
    func removeAfterScan() async throws {
        try await eventually("the end of the scan") { !isDiscovering }
        remove()
    }

    func restart() async {
        bluez.simulateCrash()
        do { try await bluez.restart() } catch { Issue.record("\(error)") }
    }

    func refuse(_ member: String, of interface: String, _ name: String, _ message: String, times: Int = 1) {
        bluez.simulateReply(.error(name: name, message: message), to: member, of: interface, times: times)
    }

    func keepSilent(_ member: String, of interface: String, times: Int = 1) {
        bluez.simulateReply(.silence, to: member, of: interface, times: times)
    }

    func succeedWithoutEffect(_ member: String, of interface: String, times: Int = 1) {
        bluez.simulateReply(.success, to: member, of: interface, times: times)
    }

    func propertiesChanged(
        _ path: String, _ interface: String, _ properties: [String: Value], invalidated: [String] = []
    ) throws {
        try bluez.simulateSignal(
            "PropertiesChanged", of: "org.freedesktop.DBus.Properties", from: path,
            [.string(interface), .properties(properties), .strings(invalidated)]
        )
    }

    func deviceChanged(_ properties: [String: Value], invalidated: [String] = []) throws {
        try propertiesChanged(Self.device, "org.bluez.Device1", properties, invalidated: invalidated)
    }

    func added(_ path: String, _ interfaces: [String: [String: Value]]) throws {
        let entries = interfaces.map { (Value.string($0.key), Value.properties($0.value)) }
        try bluez.simulateSignal(
            "InterfacesAdded", of: "org.freedesktop.DBus.ObjectManager", from: "/",
            [
                .objectPath(ObjectPath(path)),
                .dictionary(key: "s", value: "a{sv}", Dictionary(uniqueKeysWithValues: entries)),
            ]
        )
    }

    func removed(_ path: String, _ interfaces: [String]) throws {
        try bluez.simulateSignal(
            "InterfacesRemoved", of: "org.freedesktop.DBus.ObjectManager", from: "/",
            [.objectPath(ObjectPath(path)), .strings(interfaces)]
        )
    }

    var services: [BluetoothUUID] { peripheral.services.map(\.uuid) }
}
