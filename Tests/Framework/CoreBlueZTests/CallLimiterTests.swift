import BlueZDBus
import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// Calls in flight stay below the limit of the bus.
@Suite(.virtualTime) struct CallLimiterTests {
    @Test("More requests at a time than the bus allows all succeed")
    @BluetoothActor func many() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connectWithMany(200)
        await fixture.simulator.delayMany(.milliseconds(4))
        let values = try #require(peripheral[SimulatorFixture.many]).characteristics
        #expect(values.count == 200)
        var results: [UInt8: Int] = [:]
        var errors: [BluetoothError] = []
        for value in values {
            value.readValue { data, error in
                if let byte = data?.first { results[byte, default: 0] += 1 }
                if let error { errors.append(error) }
            }
        }
        try await eventually("all answers") { results.values.reduce(0, +) + errors.count == 200 }
        #expect(errors.isEmpty)
        #expect(results.count == 200)
    }

    @Test("Connections that take long keep no read of another peripheral waiting, and no disconnection")
    @BluetoothActor func kinds() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connect()
        let value = try fixture.value(of: peripheral)
        let client = fixture.central.client
        await fixture.simulator.keepCalls()
        await fixture.simulator.keepSilent("Connect", of: BlueZ.device, times: 120)
        var ends = 0
        for _ in 0..<120 {
            client.call(peripheral.path, BlueZ.device, "Connect", in: .link, limit: .seconds(60)) { _ in ends += 1 }
        }
        #expect(try await value.readValue() == Data([1, 2, 3]))
        #expect(ends == 0)
        #expect(await fixture.simulator.calls("Connect").count == CallLimiter.Kind.link.capacity)
        try await peripheral.disconnect()
    }

    @Test("What waits for a slot and is not wanted any longer is left out, and its slot goes to the next")
    @BluetoothActor func unwanted() async throws {
        let limiters = CallLimiters(ValueChannels())
        var (built, replies): ([Int], [Int]) = ([], [])
        let call = { @BluetoothActor (number: Int, operation: Operation<Void>?, limiter: CallLimiter) in
            CountedCall(operation, limiter) {
                built.append(number)
            } reply: {
                replies.append(number)
            }
        }
        let operation = Operation<Void>(
            "A call", on: nil, needsConnection: false, limit: nil, in: OperationRegistry()
        ) { _ in }
        let count = CallLimiter.Kind.attribute.capacity
        // Without a client they end with an error, in turns of their own.
        for number in 0..<count { #expect(call(number, nil, limiters.attribute).perform()) }
        #expect(!call(-1, operation, limiters.attribute).perform())
        #expect(!call(count, nil, limiters.attribute).perform())
        #expect(call(-2, nil, limiters.control).perform())
        operation.succeed(())
        #expect(built == Array(0..<count) + [-2])
        try await eventually("the last reply") { replies.count == count + 2 }
        #expect(built == Array(0..<count) + [-2, count])
        #expect(!replies.contains(-1))
    }

    @Test("The limiters together fit the system bus's limit")
    func capacity() {
        let limit = 128
        #expect(CallLimiter.Kind.allCases.map(\.capacity).reduce(0, +) < limit)
    }
}

/// A call that says when it is made and when its reply is there.
@BluetoothActor private final class CountedCall: Call {
    let request = Request.other
    let subject: ObjectPath? = BlueZ.root
    let limiter: CallLimiter?
    let callLimit = TimeLimit(.seconds(60))
    let operation: AnyOperation?
    var attempt = 0
    private let built: @BluetoothActor () -> Void
    private let reply: @BluetoothActor () -> Void

    init(
        _ operation: AnyOperation?, _ limiter: CallLimiter, built: @escaping @BluetoothActor () -> Void,
        reply: @escaping @BluetoothActor () -> Void
    ) {
        self.operation = operation
        self.limiter = limiter
        self.reply = reply
        self.built = built
    }

    func makeMessage(_ path: ObjectPath) throws(DBusError) -> Message {
        built()
        return try BlueZ.call(path, BlueZ.objectManager, "GetManagedObjects")
    }

    func receive(_ reply: Result<Message, DBusError>) { self.reply() }
}

extension SimulatorFixture {
    nonisolated static let many: BluetoothUUID = "C0B20000-7A6B-4D5E-8F90-1A2B3C4D5E6F"

    func addMany(_ count: Int) {
        let characteristics = (0..<count).map { number in
            CharacteristicSpecification(
                BluetoothUUID("C0B2\(String(0x1000 + number, radix: 16))-7A6B-4D5E-8F90-1A2B3C4D5E6F") ?? Self.value,
                [.read], value: [UInt8(number % 256)])
        }
        _ = peripheral.addService(ServiceSpecification(Self.many, characteristics: characteristics))
    }

    func delayMany(_ delay: Duration) {
        for characteristic in peripheral[Self.many]?.characteristics ?? [] { characteristic.faults.delay = delay }
    }
}

extension PeripheralFixture {
    func connectWithMany(_ count: Int) async throws -> Peripheral {
        await simulator.addMany(count)
        return try await connect()
    }
}
