import BlueZSensorTag
import CoreBlueZ
import Testing

/// What is over at once still ends after the call that asked for it has returned.
@Suite(.timeLimit(.minutes(10))) struct CompletionTests {
    enum Request: CaseIterable, Sendable {
        case turnOff, turnOnAgain, refusedPeriod, missingPeriod, information, calibration, selfTest

        @BluetoothActor func begin(_ tag: SensorTag, _ ended: @escaping @BluetoothActor (BluetoothError?) -> Void) {
            switch self {
            case .turnOff: tag.humidity.turnOff(completion: ended)
            case .turnOnAgain: tag.temperature.turnOn(completion: ended)
            case .refusedPeriod: tag.temperature.setPeriod(milliseconds: -1, completion: ended)
            case .missingPeriod: tag.keys.readPeriod { ended($1) }
            case .information: tag.information.readInformation { ended($1) }
            case .calibration: tag.barometer.calibrate(completion: ended)
            case .selfTest: tag.io.readSelfTest { ended($1) }
            }
        }
    }

    @Test("A completion runs once, and after the call that takes it has returned", arguments: Request.allCases)
    func order(request: Request) async throws {
        try await FakeTagFixture.run { fixture in
            try await fixture.tag.temperature.turnOn()
            let log = Received<String>()
            request.begin(fixture.tag) { _ in log.take("ended", nil) }
            log.take("returned", nil)
            try await fixture.wait { log.count == 2 }
            for _ in 0..<3 { await Task.yield() }
            #expect(log.values == ["returned", "ended"])
        }
    }
}
