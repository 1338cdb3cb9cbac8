import BlueZDBus
import FoundationEssentials
import TestSupport

/// A stand-in for bluetoothd that has any number of devices and remembers none: a crowd costs it nothing.
@TestActor final class CrowdedBlueZ {
    private let bus: PrivateBus
    private var connection: Connection?
    private let count: Int
    private let services: Int

    nonisolated let address: String

    /// How many attributes a service has: itself, and characteristics with a descriptor each.
    nonisolated static let attributesOfService = 21

    /// - Parameters:
    ///   - count: how many devices its list of objects has.
    ///   - services: how many services each of them has; with any, it is connected.
    init(devices count: Int, services: Int = 0) async throws {
        let bus = try PrivateBus()
        self.bus = bus
        self.count = count
        self.services = services
        address = bus.address
        let connection = try Connection(to: .address(bus.address), loop: TestActor.loop)
        self.connection = connection
        for (path, interface) in try interfaces { connection.export(interface, at: path) }
        _ = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<String, any Error>) in
            connection.hello(timeout: .ample) { continuation.resume(with: $0) }
        }
        let error = await withCheckedContinuation { continuation in
            connection.requestName("org.bluez", timeout: .ample) { continuation.resume(returning: $0) }
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
                    .init("GetManagedObjects", output: "a{oa{sa{sv}}}") { [count, services] call in
                        call.reply { (writer) throws(DBusError) in try Self.write(count, services, to: &writer) }
                    }
                ])
            let adapter = ExportedInterface(
                "org.bluez.Adapter1",
                methods: [
                    .init("StartDiscovery", handler: nothing), .init("StopDiscovery", handler: nothing),
                    .init("SetDiscoveryFilter", input: "a{sv}", handler: nothing),
                ])
            let device = ExportedInterface(
                "org.bluez.Device1", methods: [.init("Connect", handler: nothing)],
                properties: [.init("ServicesResolved", "b") { .boolean(true) }])
            var interfaces = [(.root, manager), (try ObjectPath(Self.adapter), adapter)]
            for number in 0..<(services == 0 ? 0 : count) {
                interfaces.append((try ObjectPath(Self.path(number)), device))
            }
            return interfaces
        }
    }

    private static func write(_ count: Int, _ services: Int, to writer: inout MessageWriter) throws(DBusError) {
        try writer.appendArray(of: "{oa{sa{sv}}}") { (writer) throws(DBusError) in
            try write(adapter, "org.bluez.Adapter1", ["Powered": .boolean(true)], to: &writer)
            for number in 0..<count {
                var properties = device(number, rssi: nil)
                properties["Connected"] = .boolean(services > 0)
                properties["ServicesResolved"] = .boolean(services > 0)
                try write(path(number), "org.bluez.Device1", properties, to: &writer)
                for service in 0..<services { try write(service, of: path(number), to: &writer) }
            }
        }
    }

    /// A service with ten characteristics, and a descriptor each.
    private static func write(
        _ number: Int, of device: String, to writer: inout MessageWriter
    ) throws(DBusError) {
        let first = 1 + number * 40
        let name = { (kind: String, handle: Int) in kind + String(hexadecimal: UInt16(handle), digits: 4) }
        let service = "\(device)/\(name("service", first))"
        try write(
            service, "org.bluez.GattService1",
            [
                "UUID": .string("0000180f-0000-1000-8000-00805f9b34fb"), "Primary": .boolean(true),
                "Device": .objectPath(try ObjectPath(device)),
            ], to: &writer)
        for offset in 0..<10 {
            let characteristic = "\(service)/\(name("char", first + 1 + 3 * offset))"
            try write(
                characteristic, "org.bluez.GattCharacteristic1",
                [
                    "UUID": .string("00002a19-0000-1000-8000-00805f9b34fb"), "Flags": .strings(["read", "notify"]),
                    "Service": .objectPath(try ObjectPath(service)), "Notifying": .boolean(false),
                ], to: &writer)
            try write(
                "\(characteristic)/\(name("desc", first + 3 + 3 * offset))", "org.bluez.GattDescriptor1",
                [
                    "UUID": .string("00002902-0000-1000-8000-00805f9b34fb"),
                    "Characteristic": .objectPath(try ObjectPath(characteristic)),
                ], to: &writer)
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
