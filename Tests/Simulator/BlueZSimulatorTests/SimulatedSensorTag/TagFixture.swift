import BlueZDBus
import BlueZSimulator
import TestSupport
import Testing

@testable import BlueZSimulatedSensorTag

/// A simulated tag, connected, and a client that reads and writes it over D-Bus.
@ClientActor struct TagFixture {
    /// The time at which the tag's environment stands still, unless a test says otherwise.
    nonisolated static let time = 100.0

    let bluez: SimulatedBlueZ
    let tag: SimulatedSensorTag
    let client: Client
    let device: String

    /// - Parameters:
    ///   - start: the environment's time at the start; nil lets it stand still.
    ///   - speed: how many of the environment's seconds pass in one.
    init(_ model: SensorTagModel = .cc2541, runsFrom start: Double? = nil, speed: Double = 1) async throws {
        let begin = MonotonicInstant.now
        (bluez, tag) = try await SimulatorActor.run {
            let bluez = try await SimulatorFixture.start()
            let tag = try SimulatedSensorTag(model, in: bluez) {
                start.map { $0 + speed * ((MonotonicInstant.now - begin) / .seconds(1)) } ?? Self.time
            }
            return (bluez, tag)
        }
        client = try await Client(bluez.address)
        device = "/org/bluez/hci0/dev_" + model.defaultAddress.split(separator: ":").joined(separator: "_")
    }

    static func connected(
        _ model: SensorTagModel = .cc2541,
        runsFrom start: Double? = nil,
        speed: Double = 1
    ) async throws -> TagFixture {
        let fixture = try await TagFixture(model, runsFrom: start, speed: speed)
        try await fixture.find()
        try await fixture.connect()
        return fixture
    }

    func find() async throws {
        try await client.call("/org/bluez/hci0", "Adapter1", "StartDiscovery")
        try await client.wait(for: "InterfacesAdded / \(short(device))")
        try await client.call("/org/bluez/hci0", "Adapter1", "StopDiscovery")
    }

    func connect() async throws {
        client.forget()
        try await client.call(device, "Device1", "Connect")
        try await client.wait(for: "ServicesResolved=true")
    }

    func disconnect() async throws {
        try await client.call(device, "Device1", "Disconnect")
        try await client.wait(for: "Connected=false")
    }

    @SimulatorActor private func handles(_ uuid: BluetoothUUID) throws -> (service: UInt16, characteristic: UInt16) {
        for service in tag.peripheral.services {
            if let characteristic = service[uuid] { return (service.handle, characteristic.handle) }
        }
        throw Late("a characteristic \(uuid)")
    }

    private func path(_ uuid: BluetoothUUID) async throws -> String {
        func digits(_ handle: UInt16) -> String { String(String(0x10000 + Int(handle), radix: 16).dropFirst()) }
        let (service, characteristic) = try await handles(uuid)
        return "\(device)/service\(digits(service))/char\(digits(characteristic))"
    }

    func read(_ uuid: BluetoothUUID) async throws -> [UInt8] {
        let values = try await client.call(try await path(uuid), "GattCharacteristic1", "ReadValue", [options()])
        guard case .bytes(let bytes)? = values.first else { throw Late("bytes instead of \(values)") }
        return bytes
    }

    func write(_ value: [UInt8], to uuid: BluetoothUUID) async throws {
        try await client.call(try await path(uuid), "GattCharacteristic1", "WriteValue", [.bytes(value), options()])
    }

    /// What a refused write says.
    func refusal(of value: [UInt8], to uuid: BluetoothUUID) async throws -> String {
        try await client.error(
            try await path(uuid), "GattCharacteristic1", "WriteValue", [.bytes(value), options()])
    }

    /// The time between two measurements of the sensor with this period characteristic.
    func interval(_ number: UInt16) async -> Duration? {
        await measuredInterval(number)
    }

    @SimulatorActor private func measuredInterval(_ number: UInt16) -> Duration? {
        tag.sensors.first { $0.design.period == number }?.interval
    }

    func subscribe(to uuid: BluetoothUUID) async throws {
        try await client.call(try await path(uuid), "GattCharacteristic1", "StartNotify")
    }

    /// What the tag has notified.
    func notified(_ uuid: BluetoothUUID) async -> [[UInt8]] {
        await logged(uuid)
    }

    @SimulatorActor private func logged(_ uuid: BluetoothUUID) -> [[UInt8]] {
        tag.peripheral.log.filter { $0.operation == .notify && $0.uuid == uuid }.map(\.value)
    }

    /// Waits until the client has this many values, and returns what the tag has notified.
    @discardableResult
    func wait(forNotifications count: Int, of uuid: BluetoothUUID) async throws -> [[UInt8]] {
        let path = short(try await path(uuid))
        try await client.wait("\(count) values of \(uuid)") { client in
            client.record.count { $0.hasPrefix("PropertiesChanged \(path) ") && $0.contains("Value=") } >= count
        }
        return await notified(uuid)
    }
}

/// `F000xxxx-0451-4000-B000-000000000000`
func ti(_ number: UInt16) -> BluetoothUUID {
    BluetoothUUID("f000" + String(0x10000 + Int(number), radix: 16).dropFirst() + "-0451-4000-b000-000000000000") ?? 0
}
