import DBus
import FoundationEssentials
import TestSupport

/// A stand-in for bluetoothd that has any number of devices and remembers none: a crowd costs it nothing.
@TestActor final class CrowdedBlueZ {
    private let bus: PrivateBus
    private var connection: Connection?
    private let count: Int

    nonisolated let address: String

    /// - Parameter count: how many devices its list of objects has.
    init(devices count: Int) async throws {
        let bus = try PrivateBus()
        self.bus = bus
        self.count = count
        address = bus.address
        let connection = try Connection(to: .address(bus.address), loop: TestActor.loop)
        self.connection = connection
        for (path, interface) in try interfaces { connection.export(interface, at: path) }
        _ = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<String, any Error>) in
            connection.hello(timeout: Patience.timeout) { continuation.resume(with: $0) }
        }
        let error = await withCheckedContinuation { continuation in
            connection.requestName("org.bluez", timeout: Patience.timeout) { continuation.resume(returning: $0) }
        }
        if let error { throw error }
    }

    isolated deinit { connection?.close() }

    private static let adapter = "/org/bluez/hci0"

    private var interfaces: [(ObjectPath, ExportedInterface)] {
        get throws(DBusError) {
            let nothing = { (call: IncomingCall) in call.reply() }
            let manager = ExportedInterface(
                "org.freedesktop.DBus.ObjectManager",
                methods: [
                    .init("GetManagedObjects", output: "a{oa{sa{sv}}}") { [count] call in
                        call.reply { (writer) throws(DBusError) in try Self.write(count, to: &writer) }
                    }
                ])
            let adapter = ExportedInterface(
                "org.bluez.Adapter1",
                methods: [
                    .init("StartDiscovery", handler: nothing), .init("StopDiscovery", handler: nothing),
                    .init("SetDiscoveryFilter", input: "a{sv}", handler: nothing),
                ])
            return [(.root, manager), (try ObjectPath(Self.adapter), adapter)]
        }
    }

    private static func write(_ count: Int, to writer: inout MessageWriter) throws(DBusError) {
        try writer.appendArray(of: "{oa{sa{sv}}}") { (writer) throws(DBusError) in
            try write(adapter, "org.bluez.Adapter1", ["Powered": .boolean(true)], to: &writer)
            for number in 0..<count {
                try write(path(number), "org.bluez.Device1", device(number, rssi: nil), to: &writer)
            }
        }
    }

    private static func write(
        _ path: String, _ interface: String, _ properties: [String: Value], to writer: inout MessageWriter
    ) throws(DBusError) {
        let path = try ObjectPath(path)
        try writer.appendEntry { (entry) throws(DBusError) in
            try entry.append(path)
            try entry.append(
                .dictionary(key: "s", value: "a{sv}", [.string(interface): .properties(properties)]))
        }
    }

    private static func path(_ number: Int) -> String {
        "\(adapter)/dev_\(address(number).replacingOccurrences(of: ":", with: "_"))"
    }

    private static func address(_ number: Int) -> String {
        let digits = String(0x10_00_00 + number, radix: 16, uppercase: true)
        let pairs = [digits.prefix(2), digits.dropFirst(2).prefix(2), digits.suffix(2)]
        return "40:00:00:\(pairs.joined(separator: ":"))"
    }

    /// What bluetoothd says of a device that it hears.
    private static func device(_ number: Int, rssi: Int16?) -> [String: Value] {
        let address = address(number)
        var properties: [String: Value] = [
            "Address": .string(address), "AddressType": .string("random"), "Name": .string("Device \(number)"),
            "Alias": .string("Device \(number)"), "Paired": .boolean(false), "Trusted": .boolean(false),
            "Blocked": .boolean(false), "Connected": .boolean(false), "ServicesResolved": .boolean(false),
            "UUIDs": .strings(["0000180f-0000-1000-8000-00805f9b34fb"]),
        ]
        if let rssi { properties["RSSI"] = .int16(rssi) }
        return properties
    }

    /// Devices of these numbers come, are heard once, and are forgotten.
    func pass(_ numbers: Range<Int>) throws {
        for number in numbers {
            let path = try ObjectPath(Self.path(number))
            let interfaces = [Value.string("org.bluez.Device1"): Value.properties(Self.device(number, rssi: -60))]
            try connection?.emit("InterfacesAdded", of: "org.freedesktop.DBus.ObjectManager", from: .root) {
                (writer) throws(DBusError) in
                try writer.append(path)
                try writer.append(.dictionary(key: "s", value: "a{sv}", interfaces))
            }
            try connection?.emit("InterfacesRemoved", of: "org.freedesktop.DBus.ObjectManager", from: .root) {
                (writer) throws(DBusError) in
                try writer.append(path)
                try writer.append(.strings(["org.freedesktop.DBus.Properties", "org.bluez.Device1"]))
            }
        }
    }
}
