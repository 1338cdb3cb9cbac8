import BlueZSimulator
import DBus
import FoundationEssentials
import TestSupport
import Testing

@testable import CoreBlueZ

/// Calls in flight stay below the limit of the bus.
@Suite struct CallGateTests {
    @Test("More requests at a time than the bus allows all succeed")
    func many() async throws {
        try await TrapStage.run { stage in
            let peripheral = try await stage.connectWithMany(200)
            await stage.world.delayMany(.milliseconds(20))
            let values = try #require(peripheral[BluetoothUUID(World.many)]).characteristics
            #expect(values.count == 200)
            var results: [UInt8: Int] = [:]
            var errors: [BluetoothError] = []
            for value in values {
                value.readValue { data, error in
                    if let byte = data?.first { results[byte, default: 0] += 1 }
                    if let error { errors.append(error) }
                }
            }
            try await Patience.wait(for: "all answers") { results.values.reduce(0, +) + errors.count == 200 }
            #expect(errors.isEmpty)
            #expect(results.count == 200)
        }
    }

    @Test("Connections that take long keep no read of another peripheral waiting, and no disconnection")
    func lanes() async throws {
        try await TrapStage.run { stage in
            let peripheral = try await stage.connect()
            let value = try stage.value(of: peripheral)
            let client = stage.central.client
            await stage.world.keepCalls()
            await stage.world.keepSilent("Connect", of: BlueZ.device, times: 120)
            var ends = 0
            for _ in 0..<120 {
                client.call(peripheral.path, BlueZ.device, "Connect", in: .link, limit: .seconds(60)) { _ in ends += 1 }
            }
            #expect(try await value.readValue() == Data([1, 2, 3]))
            #expect(ends == 0)
            #expect(await stage.world.calls("Connect").count == CallGate.Lane.link.capacity)
            try await peripheral.disconnect()
        }
    }

    @Test("What waits for a place and is not wanted any longer is left out, and its place goes to the next")
    @BluetoothActor func unwanted() {
        let gate = CallGate()
        var log: [Int] = []
        let start = { (number: Int) -> CallGate.Start in
            {
                log.append(number)
                return true
            }
        }
        let count = CallGate.Lane.attribute.capacity
        for _ in 0..<count { #expect(gate.enter(.attribute)) }
        #expect(!gate.enter(.attribute))
        gate.wait(.attribute) { false }
        gate.wait(.attribute, start(count))
        #expect(gate.enter(.control))
        #expect(log.isEmpty)
        gate.leave(.attribute)
        #expect(log == [count])
    }

    @Test("The lanes together fit the system bus's limit")
    func capacity() {
        let limit = 128
        #expect(CallGate.Lane.allCases.map(\.capacity).reduce(0, +) < limit)
    }
}

extension World {
    nonisolated static let many: AttributeUUID = "C0B20000-7A6B-4D5E-8F90-1A2B3C4D5E6F"

    func addMany(_ count: Int) {
        let characteristics = (0..<count).map { number in
            CharacteristicSpecification(
                AttributeUUID("C0B2\(String(0x1000 + number, radix: 16))-7A6B-4D5E-8F90-1A2B3C4D5E6F") ?? Self.value,
                [.read], value: [UInt8(number % 256)])
        }
        _ = peripheral.addService(ServiceSpecification(Self.many, characteristics: characteristics))
    }

    func delayMany(_ delay: Duration) {
        for characteristic in peripheral[Self.many]?.characteristics ?? [] { characteristic.faults.delay = delay }
    }
}

extension TrapStage {
    func connectWithMany(_ count: Int) async throws -> Peripheral {
        await world.addMany(count)
        return try await connect()
    }
}
