import BlueZClient
import BlueZDBus
import BlueZSimulator
import CoreBlueZ

/// What runs a test's code on the simulator's actor.
@SimulatorActor public protocol SimulatorPerforming: AnyObject, Sendable {}

extension SimulatorPerforming {
    /// Does something in the simulator.
    @discardableResult
    public func perform<R: Sendable>(_ body: @SimulatorActor (Self) throws -> R) rethrows -> R { try body(self) }
}

/// A simulated bluetoothd on a bus of its own, as fast as the bus, with one peripheral.
@SimulatorActor open class SimulatorFixture: SimulatorPerforming {
    /// The service that a peripheral has unless a test says otherwise.
    public nonisolated static let service: BluetoothUUID = "C0B10000-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    /// Its characteristic to read and write.
    public nonisolated static let value: BluetoothUUID = "C0B10001-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    /// Its characteristic that notifies.
    public nonisolated static let updates: BluetoothUUID = "C0B10003-7A6B-4D5E-8F90-1A2B3C4D5E6F"

    /// How often peripherals advertise: at once, as far as a test can see.
    public nonisolated static var interval: Duration { VirtualTime.isOn ? .milliseconds(100) : .milliseconds(2) }

    /// The simulator.
    public nonisolated let bluez: SimulatedBlueZ
    /// The peripheral.
    public nonisolated let peripheral: SimulatedPeripheral
    /// The simulator's bus.
    public nonisolated var bus: BusAddress { .address(bluez.address) }

    /// For programs that shall use the simulator.
    public nonisolated var environment: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": bluez.address] }

    /// Takes a simulator and what was put into it.
    public init(_ bluez: SimulatedBlueZ, _ peripheral: SimulatedPeripheral) {
        self.bluez = bluez
        self.peripheral = peripheral
    }

    /// Starts a simulator.
    ///
    /// - Parameters:
    ///   - configuration: the simulator's.
    ///   - matchRules: how many match rules its bus allows a connection.
    ///   - specification: the peripheral's.
    public convenience init(
        _ configuration: SimulatedBlueZ.Configuration = .init(timing: .instant), matchRules: Int = 512,
        peripheral specification: PeripheralSpecification = SimulatorFixture.specification()
    ) async throws {
        let bluez = try await Self.start(configuration, matchRules: matchRules)
        self.init(bluez, try bluez.add(specification))
    }

    /// Starts a simulator, whose clients wait for the bus and for bluetoothd as long as a slow machine needs.
    public static func start(
        _ configuration: SimulatedBlueZ.Configuration = .init(timing: .instant), matchRules: Int = 512
    ) async throws -> SimulatedBlueZ {
        await Timeouts.allowForSlowness()
        if VirtualTime.isOn {
            let bus = try TestBus(matchRules: matchRules)
            return try await SimulatedBlueZ(configuration, at: bus.address, on: bus)
        }
        var limits = PrivateBus.Configuration()
        limits.matchRules = matchRules
        let bus = try PrivateBus(configuration: limits)
        return try await SimulatedBlueZ(configuration, at: bus.address, on: bus)
    }

    /// A peripheral with `service` and its characteristics, and more of them.
    public nonisolated static func specification(
        _ name: String = "Watch", _ address: String = "BC:6A:29:00:00:01",
        interval: Duration = SimulatorFixture.interval,
        more: [CharacteristicSpecification] = []
    ) -> PeripheralSpecification {
        PeripheralSpecification(
            name: name, address: address,
            advertisingInterval: interval,
            services: [
                ServiceSpecification(
                    service,
                    characteristics: [
                        CharacteristicSpecification(
                            value, [.read, .write], value: [1, 2, 3],
                            descriptors: [DescriptorSpecification(0x2901, value: [0x41])]),
                        CharacteristicSpecification(updates, [.read, .notify], value: [0]),
                    ] + more)
            ])
    }

    /// Adds another peripheral in range, without services.
    @discardableResult
    public func add(
        _ name: String, _ address: String, services: [BluetoothUUID] = []
    ) throws -> SimulatedPeripheral {
        try bluez.add(
            PeripheralSpecification(
                name: name, address: address,
                advertisement: AdvertisementData(serviceUUIDs: services), advertisingInterval: Self.interval))
    }

    /// Notifies a value of `updates`.
    public func notify(_ value: [UInt8]) {
        if let updates = peripheral.characteristic(Self.updates) { peripheral.notify(value, from: updates) }
    }

    /// Delays every answer about `value`.
    public func delay(_ delay: Duration) { peripheral.characteristic(Self.value)?.faults.delay = delay }

    /// Ends the link from the peripheral's side.
    public func disconnect() { peripheral.simulateDisconnection() }

    /// The values that were written to the peripheral, in order.
    open var writes: [[UInt8]] {
        peripheral.log.filter { $0.operation == .write || $0.operation == .command }.map(\.value)
    }

    /// Ends the faults of a peripheral's attributes, and those of replies.
    open func heal(_ peripheral: SimulatedPeripheral) {
        for characteristic in peripheral.services.flatMap(\.characteristics) {
            characteristic.faults = AttributeFaults()
        }
        bluez.forgetCalls()
    }

    /// Keeps the calls of clients from now on.
    public func keepCalls() {
        bluez.forgetCalls()
        bluez.keepsCalls = true
    }

    /// The methods that were called, without the bus's own.
    public var members: [String] { bluez.calls.map(\.member) }

    /// The calls of a method.
    public func calls(_ member: String) -> [ReceivedCall] { bluez.calls.filter { $0.member == member } }
}

extension Timeouts {
    @BluetoothActor fileprivate static func allowForSlowness() {
        let timeout = Duration.ample
        initial.bus = timeout
        initial.snapshot = timeout
        initial.discovery = timeout
        initial.activation = timeout
        initial.services = timeout
    }
}
