import BlueZSimulator
import CoreBlueZ
import Foundation
import Testing

/// What a test can be run with, given a simulator.
@BluetoothActor public protocol SimulatorClient: AnyObject {
    /// The simulator, with what is in it.
    associatedtype Simulator: SimulatorFixture
    /// Connects to the simulator's bus.
    init(_ simulator: Simulator) async throws
}

extension SimulatorClient {
    /// Runs a test on the framework's actor.
    public static func run(
        _ simulator: Simulator, _ body: @BluetoothActor (Self) async throws -> Void
    ) async throws {
        try await BluetoothActor.run { try await body(try await Self(simulator)) }
    }
}

/// A simulator and a central manager on it.
@BluetoothActor open class CentralFixture<Simulator: SimulatorFixture>: SimulatorClient {
    /// The simulator.
    public nonisolated let simulator: Simulator
    /// The manager.
    public nonisolated let central: CentralManager
    /// What arrived from a stream that the test collects.
    public var arrived = Data()

    /// Takes a manager on the simulator.
    public init(_ simulator: Simulator, _ central: CentralManager) {
        self.simulator = simulator
        self.central = central
    }

    /// Makes a manager, and waits until it is powered on.
    public required convenience init(_ simulator: Simulator) async throws {
        self.init(simulator, try await Self.poweredOn(simulator))
    }

    /// A manager that is powered on.
    public static func poweredOn(_ simulator: Simulator) async throws -> CentralManager {
        let central = CentralManager(bus: simulator.bus)
        try await central.waitUntilPoweredOn(timeout: .ample)
        return central
    }

    /// Scans for the first peripheral.
    public func find() async throws -> Peripheral {
        try await central.firstPeripheral(timeout: .ample)
    }

    /// Waits until this many bytes have arrived.
    public func waitForBytes(_ count: Int) async throws {
        try await eventually("\(count) bytes; there are \(arrived.count)") { arrived.count >= count }
    }

    /// The error that an operation must end with.
    public func failure<Value>(_ body: @BluetoothActor () async throws -> Value) async -> BluetoothError? {
        do {
            _ = try await body()
            Issue.record("There was no error")
            return nil
        } catch {
            return error as? BluetoothError
        }
    }

    /// The code of the error that an operation must end with.
    public func failureCode<Value>(
        _ body: @BluetoothActor () async throws -> Value
    ) async -> BluetoothError.Code? {
        await failure(body)?.code
    }
}

/// A simulator with one peripheral, and a central manager on it.
public typealias PeripheralFixture = CentralFixture<SimulatorFixture>

extension PeripheralFixture {
    /// Makes a manager of an adapter; it may not be powered on yet.
    public convenience init(_ simulator: SimulatorFixture, adapter: String? = nil) {
        self.init(simulator, CentralManager(bus: simulator.bus, adapter: adapter))
    }

    /// Makes a simulator, and a manager that is powered on.
    public convenience init(_ configuration: SimulatedBlueZ.Configuration = .init(timing: .instant)) async throws {
        try await self.init(SimulatorFixture(configuration))
    }

    /// Runs a test with a simulator of its own.
    public static func run(
        _ configuration: SimulatedBlueZ.Configuration = .init(timing: .instant),
        _ body: @BluetoothActor (PeripheralFixture) async throws -> Void
    ) async throws {
        try await run(try await SimulatorFixture(configuration), body)
    }
}

/// Bytes that differ by their position. They repeat after 64 KiB.
public func pattern(_ count: Int, from start: Int = 0) -> Data {
    var data = Data(capacity: count)
    while data.count < count {
        data += period.dropFirst((start + data.count) % period.count).prefix(count - data.count)
    }
    return data
}

private let period = Data((0..<1 << 16).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &* 7) })
