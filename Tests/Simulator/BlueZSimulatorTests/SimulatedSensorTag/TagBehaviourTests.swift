import BlueZSimulatedSensorTag
import BlueZSimulator
import TestSupport
import Testing

@Suite("The simulated tag's firmware", .virtualTime) struct TagBehaviourTests {
    private static let zeros: [UInt8] = [0, 0, 0, 0]
    private static let invalidValue = "org.bluez.Error.Failed: Operation failed with ATT error: 0x80"

    @Test(
        "Periods under the minimum answer 0x80, and stay",
        arguments: [(0xAA03, 30), (0xAA13, 10), (0xAA23, 10), (0xAA33, 10), (0xAA44, 10), (0xAA53, 10)]
            as [(UInt16, UInt8)]
    )
    @ClientActor func periods(number: UInt16, minimum: UInt8) async throws {
        let fixture = try await TagFixture.connected()
        let first = try await fixture.read(ti(number))
        #expect(try await fixture.refusal(of: [minimum - 1], to: ti(number)) == Self.invalidValue)
        #expect(try await fixture.read(ti(number)) == first)
        try await fixture.write([minimum], to: ti(number))
        #expect(try await fixture.read(ti(number)) == [minimum])
    }

    @Test(
        "Other lengths than the attribute's answer 0x0d",
        arguments: [
            (.cc2541, 0xAA12, []), (.cc2541, 0xAA12, [1, 0]), (.cc2541, 0xAA13, [50, 0]), (.cc2541, 0xCCC2, [1]),
            (.cc2650, 0xAA82, [1]), (.cc2650, 0xAA65, [1, 1]),
        ] as [(SensorTagModel, UInt16, [UInt8])]
    )
    @ClientActor func lengths(model: SensorTagModel, number: UInt16, value: [UInt8]) async throws {
        let fixture = try await TagFixture.connected(model)
        let refusal = try await fixture.refusal(of: value, to: ti(number))
        #expect(refusal == "org.bluez.Error.InvalidArguments: Invalid Length")
    }

    @Test("The calibration is zero until 2 is written, and again after the sensor was turned off")
    @ClientActor func calibration() async throws {
        let fixture = try await TagFixture.connected()
        let none = [UInt8](repeating: 0, count: 16)
        #expect(try await fixture.read(ti(0xAA43)) == none)
        try await fixture.write([1], to: ti(0xAA42))
        #expect(try await fixture.read(ti(0xAA43)) == none)
        try await fixture.write([2], to: ti(0xAA42))
        #expect(try await fixture.read(ti(0xAA43)) != none)
        try await fixture.write([0], to: ti(0xAA42))
        #expect(try await fixture.read(ti(0xAA43)) == none)
    }

    @Test("Turning off leaves zeros, which are notified")
    @ClientActor func zeroNotification() async throws {
        let fixture = try await TagFixture.connected()
        try await fixture.subscribe(to: ti(0xAA21))
        try await fixture.write([10], to: ti(0xAA23))
        try await fixture.write([1], to: ti(0xAA22))
        try await fixture.wait(forNotifications: 1, of: ti(0xAA21))
        #expect(try await fixture.read(ti(0xAA21)) != Self.zeros)
        try await fixture.write([0], to: ti(0xAA22))
        try await fixture.client.wait(for: "Value=0x00000000")
        #expect(await fixture.notified(ti(0xAA21)).last == Self.zeros)
        #expect(try await fixture.read(ti(0xAA21)) == Self.zeros)
    }

    @Test("Turning off without a subscription notifies nobody")
    @ClientActor func silence() async throws {
        let fixture = try await TagFixture.connected()
        try await fixture.write([1], to: ti(0xAA22))
        try await fixture.write([0], to: ti(0xAA22))
        #expect(try await fixture.read(ti(0xAA21)) == Self.zeros)
        #expect(await fixture.notified(ti(0xAA21)).isEmpty)
    }

    @Test("Each period is the default from the start", arguments: SensorTagModel.allCases)
    @ClientActor func firstPeriods(model: SensorTagModel) async throws {
        let old: [UInt16: UInt8] = [0xAA13: 100, 0xAA33: 200]
        let expected: [SensorTagModel: [UInt16: UInt8]] = [
            .cc2541Firmware1_3: old,
            .cc2541: old.merging([0xAA03: 100, 0xAA23: 100, 0xAA44: 100, 0xAA53: 100]) { $1 },
            .cc2650: [0xAA03: 100, 0xAA23: 100, 0xAA44: 100, 0xAA73: 80, 0xAA83: 100],
        ]
        let fixture = try await TagFixture.connected(model)
        for (number, value) in try #require(expected[model]) {
            #expect(try await fixture.read(ti(number)) == [value])
            #expect(await fixture.interval(number) == .milliseconds(10 * Int(value)))
        }
    }

    @Test(
        "Firmware 1.3 forgets a period with the link, 1.5 shows the default and goes on at the old one, and a CC2650 keeps it",
        arguments: [
            (SensorTagModel.cc2541Firmware1_3, 0xAA13, 100, 1000), (.cc2541, 0xAA13, 100, 200),
            (.cc2650, 0xAA83, 20, 200),
        ] as [(SensorTagModel, UInt16, UInt8, Int)])
    @ClientActor func periodAfterLink(model: SensorTagModel, number: UInt16, shown: UInt8, milliseconds: Int)
        async throws
    {
        let fixture = try await TagFixture.connected(model)
        try await fixture.write([20], to: ti(number))
        try await fixture.disconnect()
        try await fixture.connect()
        #expect(try await fixture.read(ti(number)) == [shown])
        #expect(await fixture.interval(number) == .milliseconds(milliseconds))
    }

    @Test("The end of a connection turns everything off, and the periods show the default")
    @ClientActor func reset() async throws {
        let fixture = try await TagFixture.connected()
        try await fixture.write([2], to: ti(0xAA42))
        try await fixture.write([1], to: ti(0xAA42))
        try await fixture.write([1], to: ti(0xAA32))
        try await fixture.write([20], to: ti(0xAA33))
        try await fixture.disconnect()
        try await fixture.connect()
        #expect(try await fixture.read(ti(0xAA42)) == [0])
        #expect(try await fixture.read(ti(0xAA32)) == [0])
        #expect(try await fixture.read(ti(0xAA31)) == [0, 0, 0, 0, 0, 0])
        #expect(try await fixture.read(ti(0xAA33)) == [200])
        #expect(try await fixture.read(ti(0xAA44)) == [100])
        #expect(try await fixture.read(ti(0xAA43)) == [UInt8](repeating: 0, count: 16))
    }

    @Test(
        "Firmware 1.3 shows the default period when the accelerometer is turned off; 1.5 does not",
        arguments: [false, true])
    @ClientActor func forgottenPeriod(isOld: Bool) async throws {
        let fixture = try await TagFixture.connected(isOld ? .cc2541Firmware1_3 : .cc2541)
        try await fixture.write([20], to: ti(0xAA13))
        try await fixture.write([1], to: ti(0xAA12))
        try await fixture.write([0], to: ti(0xAA12))
        #expect(try await fixture.read(ti(0xAA13)) == [isOld ? 100 : 20])
        #expect(await fixture.interval(0xAA13) == .milliseconds(200))
    }

    @Test("Keys are notified at each change, and cannot be read")
    @ClientActor func keys() async throws {
        let fixture = try await TagFixture.connected(runsFrom: 0, speed: 10)
        try await fixture.subscribe(to: 0xFFE1)
        let values = try await fixture.wait(forNotifications: 9, of: 0xFFE1)
        let round: [[UInt8]] = [[1], [0], [2], [0], [1], [3], [2], [0]]
        let turns = (0..<8).map { start in values.indices.map { round[(start + $0) % 8] } }
        #expect(turns.contains(values), "\(values)")
        await #expect(throws: (any Error).self) { try await fixture.read(0xFFE1) }
    }

    @Test("Connection control shows and changes the parameters, and disconnects")
    @ClientActor func connectionControl() async throws {
        let fixture = try await TagFixture.connected()
        try await fixture.write([80, 0, 100, 0, 2, 0, 0xE8, 3], to: ti(0xCCC2))
        #expect(try await fixture.read(ti(0xCCC1)) == [100, 0, 2, 0, 0xE8, 3])
        try await fixture.write([5, 0, 100, 0, 2, 0, 0xE8, 3], to: ti(0xCCC2))
        #expect(try await fixture.read(ti(0xCCC1)) == [100, 0, 2, 0, 0xE8, 3])
        try await fixture.write([1], to: ti(0xCCC3))
        try await fixture.client.wait(for: "Connected=false")
    }

    @Test("The second generation drops unknown configurations, and IO modes from 3 on answer 0x80")
    @ClientActor func secondGeneration() async throws {
        let fixture = try await TagFixture.connected(.cc2650)
        try await fixture.write([7], to: ti(0xAA72))
        #expect(try await fixture.read(ti(0xAA72)) == [0])
        #expect(try await fixture.read(ti(0xAA65)) == [0x7F])
        #expect(try await fixture.refusal(of: [3], to: ti(0xAA66)) == Self.invalidValue)
        try await fixture.write([0], to: ti(0xAA65))
        try await fixture.write([1], to: ti(0xAA66))
        try await fixture.write([3], to: ti(0xAA65))
        #expect(try await fixture.read(ti(0xAA65)) == [3])
    }
}
