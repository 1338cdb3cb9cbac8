import BlueZSensorTag
import BlueZSimulator
import CoreBlueZ
import TestSupport
import Testing

/// A simulator with a tag, and the library's tag connected to it.
@BluetoothActor struct TagFixture<Simulated: Sendable> {
    let bluez: SimulatedBlueZ
    let simulated: Simulated
    let central: SensorTagManager
    let tag: SensorTag

    /// Puts a tag into a simulator and connects to it; prepares it, unless the test does that itself.
    init(
        isPrepared: Bool = true, _ make: @SimulatorActor (SimulatedBlueZ) throws -> Simulated
    ) async throws {
        (bluez, simulated) = try await SimulatorActor.run {
            let bluez = try await SimulatorFixture.start()
            return (bluez, try make(bluez))
        }
        central = SensorTagManager(bus: .address(bluez.address))
        tag = try #require(try await central.firstPeripheral(timeout: Patience.timeout) as? SensorTag)
        try await tag.connect()
        if isPrepared { try await tag.prepare() }
    }
}

typealias FakeTagFixture = TagFixture<FakeTag>

extension FakeTagFixture {
    /// Runs a test on the actor with a connected tag; prepared, unless the test does that itself.
    static func run(
        _ model: FakeTag.Model = .cc2541(firmware: "1.5 (Oct 23 2013)"),
        isPrepared: Bool = true,
        _ body: @BluetoothActor (FakeTagFixture) async throws -> Void
    ) async throws {
        try await BluetoothActor.run {
            try await body(try await FakeTagFixture(isPrepared: isPrepared) { try FakeTag(model, in: $0) })
        }
    }

    /// What was written, read and subscribed since `mark` entries.
    func log(after mark: Int = 0) async -> [String] {
        await Array(simulated.log.dropFirst(mark))
    }

    /// The count of entries so far.
    func mark() async -> Int { await simulated.log.count }

    /// Sends a notification; false where nobody has subscribed.
    @discardableResult
    func notify(_ short: String, _ value: [UInt8]) async -> Bool {
        await simulated.notify(short, value)
    }

    /// Waits until the condition holds.
    func wait(
        until condition: @BluetoothActor () async -> Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await Patience.wait(for: "the condition at \(sourceLocation)", until: condition)
    }
}

/// What a handler got, in order.
@BluetoothActor final class Received<Value: Sendable> {
    private(set) var values: [Value] = []
    private(set) var errors: [BluetoothError] = []

    var count: Int { values.count + errors.count }

    func take(_ value: Value?, _ error: BluetoothError?) {
        if let value { values.append(value) }
        if let error { errors.append(error) }
    }
}

/// The error of a call, for tables and comparisons.
@BluetoothActor func errorCode(
    _ body: @BluetoothActor () async throws(BluetoothError) -> Void
) async -> BluetoothError.Code? {
    do throws(BluetoothError) {
        try await body()
        return nil
    } catch {
        return error.code
    }
}
