import BlueZDBus
import BlueZPrintableText
import BlueZSimulator
import TestSupport

/// A simulator with two adapters, and a client that advertises on the first.
@ClientActor struct AdvertiserFixture {
    nonisolated static let manager = "LEAdvertisingManager1"
    nonisolated static let interface = "org.bluez.LEAdvertisement1"
    nonisolated static let other = "/org/bluez/hci1"

    let bluez: SimulatedBlueZ
    let client: Client

    init(
        _ adapter: AdapterSpecification = AdapterSpecification(), isExperimental: Bool = false,
        change: (inout SimulatedBlueZ.Configuration) -> Void = { _ in }
    ) async throws {
        var configuration = SimulatedBlueZ.Configuration(
            adapters: [adapter, AdapterSpecification(address: "00:AA:01:00:00:43", name: "other")],
            timing: .instant, isExperimental: isExperimental)
        change(&configuration)
        bluez = try await SimulatorFixture.start(configuration)
        client = try await Client(bluez.address)
    }

    /// Offers an advertisement, which records calls of Release and of Set.
    func offer(_ properties: [String: Value], at path: String = "/ad", by client: Client? = nil) throws {
        let client = client ?? self.client
        let release = ExportedInterface.Method("Release") { [weak client] call in
            client?.note("? Release \(path)")
            call.reply()
        }
        try client.export(
            ExportedInterface(
                Self.interface, methods: [release],
                properties: properties.map { name, value in
                    ExportedInterface.Property(name, value.signature, get: { value }) { [weak client] value, call in
                        client?.note("? Set \(name) \(text(value))")
                        call.reply()
                    }
                }),
            at: path)
    }

    func register(_ path: String = "/ad", by client: Client? = nil) async throws {
        try await (client ?? self.client).call(
            ProbeFixture.adapter, Self.manager, "RegisterAdvertisement",
            [.objectPath(try ObjectPath(path)), options()])
    }

    func unregister(_ path: String = "/ad") async throws {
        try await client.call(
            ProbeFixture.adapter, Self.manager, "UnregisterAdvertisement", [.objectPath(try ObjectPath(path))])
    }

    /// Offers and registers an advertisement.
    func advertise(_ properties: [String: Value], at path: String = "/ad", by client: Client? = nil) async throws {
        try offer(properties, at: path, by: client)
        try await register(path, by: client)
    }

    /// Returns the error of a registration, without "org.bluez.Error.".
    func error(_ properties: [String: Value], at path: String = "/ad") async throws -> String {
        do {
            try await advertise(properties, at: path)
            return "no error"
        } catch let error as DBusError {
            return error.description.replacing("org.bluez.Error.", with: "")
        }
    }

    func change(_ changed: [String: Value], invalidated: [String] = []) throws {
        try client.emitChanges(of: Self.interface, at: "/ad", changed, invalidated: invalidated)
    }

    /// What the first adapter sends.
    var sent: [SimulatedAdvertisement] {
        get async { await SimulatorActor.run { bluez.adapters[0].advertisements } }
    }

    /// What the first adapter sends: the data, and behind a slash the scan response.
    var bytes: [String] {
        get async {
            await sent.map { String(hexadecimal: $0.data) + "/" + String(hexadecimal: $0.scanResponse) }
        }
    }

    func waitForBytes(_ expected: [String]) async throws {
        try await eventually("\(expected)") { await bytes == expected }
    }

    /// The properties of the interface.
    func properties() async throws -> Value {
        let values = try await client.call(
            ProbeFixture.adapter, "org.freedesktop.DBus.Properties", "GetAll", [.string("org.bluez." + Self.manager)])
        return values[0]
    }
}
