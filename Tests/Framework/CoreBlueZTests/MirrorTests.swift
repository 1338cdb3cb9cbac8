import BlueZDBus
import BlueZSimulator
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// The mirror believes bluetoothd in everything, and comes to no harm by objects that make no sense.
@Suite(.virtualTime) struct MirrorTests {
    private static let interfaces = [
        BlueZ.adapter, BlueZ.device, BlueZ.gattService, BlueZ.gattCharacteristic, BlueZ.gattDescriptor,
    ]

    /// The sets of interfaces that one object may have.
    private static let combinations = (1..<1 << interfaces.count).map { bits in
        interfaces.indices.filter { bits >> $0 & 1 == 1 }.map { interfaces[$0] }
    }

    /// From the root to a descriptor, each below the one before.
    private static let paths = [
        "/", "/org/bluez/hci0", "/org/bluez/hci0/dev_00_AA_01_00_00_42",
        "/org/bluez/hci0/dev_00_AA_01_00_00_42/service0001",
        "/org/bluez/hci0/dev_00_AA_01_00_00_42/service0001/char0002",
        "/org/bluez/hci0/dev_00_AA_01_00_00_42/service0001/char0002/desc0003",
    ]

    /// Everything that refers to an object refers to the object itself.
    @BluetoothActor private static func add(
        _ path: ObjectPath, _ interfaces: [String], to mirror: Mirror
    ) throws(DBusError) {
        let properties: [String: Value] = [
            "UUID": .string("180f"), "Adapter": .objectPath(path), "Device": .objectPath(path),
            "Service": .objectPath(path), "Characteristic": .objectPath(path),
            "Includes": .array(elements: "o", [.objectPath(path)]), "ServicesResolved": .boolean(true),
            "Connected": .boolean(true),
        ]
        let entries = interfaces.map { (Value.string($0), Value.properties(properties)) }
        let message = try Message.signal(path: .root, interface: BlueZ.objectManager, member: "InterfacesAdded")
        try message.write { (writer) throws(DBusError) in
            try writer.append(
                .dictionary(key: "s", value: "a{sv}", Dictionary(entries) { first, _ in first }))
        }
        var reader = message.reader
        var changes: [Mirror.Change] = []
        try mirror.add(path, &reader, &changes)
    }

    @BluetoothActor private static func use(_ mirror: Mirror, at path: ObjectPath) {
        _ = mirror.device(above: path)
        for level in [mirror.services, mirror.characteristics, mirror.descriptors] {
            let below = path.parent.map { mirror.attributes(below: $0, in: level) } ?? []
            #expect(Set(below).count == below.count)
        }
        mirror.completeServices(of: path)
        mirror.setMTU(100, below: path)
        _ = mirror.characteristicWithoutMTU(below: path)
        _ = mirror.takeModifiedDevices()
    }

    @Test("An object with any set of interfaces, wherever it is, can be added, looked at and removed")
    @BluetoothActor func combinations() throws {
        for interfaces in Self.combinations {
            for path in try Self.paths.map({ try ObjectPath($0) }) {
                let mirror = Mirror()
                for _ in 0..<3 {
                    try Self.add(path, interfaces, to: mirror)
                    try Self.add(path, interfaces.reversed(), to: mirror)
                    Self.use(mirror, at: path)
                    #expect(mirror.paths == [path])
                    let changes = mirror.remove(path)
                    #expect(changes.allSatisfy { $0.path == path })
                    #expect(!changes.isEmpty)
                    #expect(mirror.paths.isEmpty && mirror.adapterPaths.isEmpty, "\(path): \(interfaces)")
                    #expect(mirror.children.isEmpty, "\(path): \(interfaces)")
                }
            }
        }
    }

    @Test("A removed object takes all below it with it, whatever each of them is")
    @BluetoothActor func below() throws {
        let paths = try Self.paths.dropFirst().map { try ObjectPath($0) }
        for (index, top) in paths.enumerated() {
            for interfaces in Self.combinations {
                let mirror = Mirror()
                for path in paths[index...] { try Self.add(path, interfaces, to: mirror) }
                for path in paths[index...] { Self.use(mirror, at: path) }
                let isWhole = interfaces.contains { $0 != BlueZ.adapter && $0 != BlueZ.device }
                let changes = mirror.remove(top)
                #expect(changes.count >= 1)
                if isWhole || interfaces == [BlueZ.adapter, BlueZ.device] {
                    #expect(mirror.paths.isEmpty, "\(top): \(interfaces)")
                    #expect(mirror.children.isEmpty, "\(top): \(interfaces)")
                }
            }
        }
    }

    @Test("The client of a bluetoothd whose adapter is a device as well outlives the removal of the object")
    @BluetoothActor func removal() async throws {
        let fixture = try await PeripheralFixture()
        let path = "/org/bluez/hci7"
        try await fixture.simulator.added(path, [BlueZ.adapter: [:], BlueZ.device: [:], BlueZ.gattService: [:]])
        try await eventually("the object") { fixture.central.client.mirror.adapters.count == 2 }
        try await fixture.simulator.removed(path, [BlueZ.adapter, BlueZ.device, BlueZ.gattService])
        try await eventually("the removal") { fixture.central.client.mirror.adapters.count == 1 }
        _ = try await fixture.connect()
    }

    @Test("A service that includes itself is one of its own included services")
    @BluetoothActor func includes() async throws {
        let fixture = try await PeripheralFixture()
        await fixture.simulator.perform {
            _ = $0.peripheral.addService(ServiceSpecification(0xFFA1, includes: [0xFFA1]))
        }
        let service = try await fixture.connect().service(0xFFA1)
        #expect(try await service.discoverIncludedServices() == [service])
    }
}
