import BlueZDBus
import Foundation
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// Many devices at a time, and many one after another.
@Suite(.serialized, .realTime) struct CrowdTests {
    private static func number(_ variable: String) -> Int? {
        ProcessInfo.processInfo.environment[variable].flatMap(Int.init)
    }

    /// How much memory the process has, in mebibytes.
    private static var memory: Double { Double(Machine.residentMemory) / 1_048_576 }

    /// COREBLUEZ_TEST_ADDRESSES says how many addresses; 100,000 of them are some ten minutes' worth in a crowded place.
    @Test(
        "A scan of rotating addresses needs no more memory the longer it goes on",
        .disabled(if: Machine.isSanitized, "a sanitizer takes memory, too"))
    func rotatingAddresses() async {
        await #expect(processExitsWith: .success) {
            let count = Self.number("COREBLUEZ_TEST_ADDRESSES") ?? 5000
            let bluez = try await CrowdedBlueZ(devices: 0)
            try await BluetoothActor.run {
                let central = CentralManager(bus: .address(bluez.address))
                let directory = "/tmp/corebluez-\(UUID().uuidString)"
                defer { try? FileManager.default.removeItem(atPath: directory) }
                central.storedPeripherals = try StoredPeripherals(directory: directory)
                try await central.waitUntilPoweredOn(timeout: .ample)
                var found = 0
                central.scanForPeripherals { _, _, _ in
                    found += 1
                } completion: { _ in
                }
                try await eventually("the scan") { central.scans.values.contains { $0.discovery != nil } }
                var first = 0.0
                for start in stride(from: 0, to: count, by: 500) {
                    try await bluez.pass(start..<start + 500)
                    try await eventually("\(start + 500) devices") { found == start + 500 }
                    if start == 500 { first = Self.memory }
                }
                let growth = Self.memory - first
                print("memory after 1,000 addresses: \(first) MiB; after \(count): \(growth) MiB more")
                precondition(growth < 5, "it grew by \(growth) MiB")
                precondition(central.peripherals.count < 2 && central.formerPeripherals.count < 2)
                precondition(central.storedPeripherals?.identifiers == [])
            }
        }
    }

    /// The limits are half as much again as was measured: 0.97 KiB, 14.7 KiB and 0.61 KiB.
    @Test(
        "Devices, connections, services, characteristics and descriptors each take a stated amount of memory",
        .disabled(if: Machine.isSanitized, "a sanitizer takes memory, too"))
    func memoryOfEach() async {
        await #expect(processExitsWith: .success) {
            let device = try await Self.cost(devices: 2000, services: 0) / 2000
            precondition(device < 1.5, "a device takes \(device) KiB")
        }
        await #expect(processExitsWith: .success) {
            let connection = try await Self.cost(devices: 100, services: 1) / 100
            precondition(connection < 22, "a connection with a service takes \(connection) KiB")
        }
        await #expect(processExitsWith: .success) {
            let count = Double(5 * 100 * CrowdedBlueZ.attributesOfService)
            let attribute = try await Self.cost(devices: 5, services: 100) / count
            precondition(attribute < 1, "an attribute takes \(attribute) KiB")
        }
    }

    /// How many kibibytes the process takes for a manager that knows these devices, with all attributes discovered.
    private static func cost(devices: Int, services: Int) async throws -> Double {
        // What is made once for the whole process comes first.
        if devices > 1 { _ = try await cost(devices: 1, services: 1) }
        let bluez = try await CrowdedBlueZ(devices: devices, services: services)
        return try await BluetoothActor.run {
            let before = memory
            let central = CentralManager(bus: .address(bluez.address))
            try await central.waitUntilPoweredOn(timeout: .ample)
            precondition(central.client.mirror.devices.count == devices)
            var found = 0
            let peripherals = central.retrieveConnectedPeripherals()
            for peripheral in peripherals {
                try await peripheral.connect()
                for service in try await peripheral.discoverServices() {
                    for characteristic in try await service.discoverCharacteristics() {
                        found += try await characteristic.discoverDescriptors().count
                    }
                }
            }
            precondition(found == devices * services * 10)
            defer { withExtendedLifetime(peripherals) {} }
            return (memory - before) * 1024
        }
    }

    /// A measurement for a person, by `Scripts/measure pass-times`.
    @Test("The longest pass with many devices", .enabled(if: number("COREBLUEZ_TEST_DEVICES") != nil))
    func passes() async throws {
        let count = try #require(Self.number("COREBLUEZ_TEST_DEVICES"))
        let bluez = try await CrowdedBlueZ(devices: count)
        try await BluetoothActor.run {
            let plain = try await Gaps.longest { try await Self.list(bluez.address) }
            let ours = try await Gaps.longest {
                let central = CentralManager(bus: .address(bluez.address))
                central.eventHandler = { _ in }
                try await central.waitUntilPoweredOn(timeout: .ample)
                #expect(central.client.mirror.devices.count == count)
            }
            print("\(count) devices: the longest pass takes \(ours); libdbus alone, reading the list, \(plain)")
        }
    }

    /// Asks for the list and does nothing with it: what libdbus itself needs.
    @BluetoothActor private static func list(_ address: String) async throws {
        let new = try Connection(to: .address(address), loop: BluetoothActor.loop)
        defer { new.close() }
        _ = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<String, any Error>) in
            new.hello(timeout: .ample) { continuation.resume(with: $0) }
        }
        let call = try Message.methodCall(
            to: BlueZ.service, path: .root, interface: BlueZ.objectManager, member: "GetManagedObjects")
        let error = await withCheckedContinuation { (continuation: CheckedContinuation<DBusError?, Never>) in
            new.call(call, timeout: .ample) { result in
                if case .failure(let error) = result {
                    continuation.resume(returning: error)
                } else {
                    continuation.resume(returning: nil)
                }
            }
        }
        if let error { throw error }
    }
}

/// How long the actor's thread worked before it got to a call that was due: by the processor's time, so that other
/// programs do not count.
@BluetoothActor private final class Gaps {
    private var last = Duration.zero
    private var longest = Duration.zero
    private var next: ScheduledCall?

    static func longest(_ body: @BluetoothActor () async throws -> Void) async rethrows -> Duration {
        let gaps = Gaps()
        gaps.last = gaps.now
        gaps.tick()
        try await body()
        gaps.next?.cancel()
        return max(gaps.longest, gaps.now - gaps.last)
    }

    private var now: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private func tick() {
        let now = now
        longest = max(longest, now - last)
        last = now
        next = BluetoothActor.after(.microseconds(500)) { [self] in tick() }
    }
}
