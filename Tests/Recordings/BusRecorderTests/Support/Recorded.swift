import BlueZDBus
import BlueZRecording
import BlueZSimulator
import CoreBlueZ
import TestSupport
import Testing

@testable import BusRecorder

typealias PeripheralFixture = TestSupport.PeripheralFixture

/// A simulator, and a recorder in front of its bus.
@BluetoothActor final class Recorded {
    let simulator: SimulatorFixture
    let recorder: BusRecorder
    private let log: Log
    private var centrals: [CentralManager] = []

    private final class Log {
        var events: [RecordedEvent] = []
    }

    /// What has been recorded so far.
    var events: [RecordedEvent] {
        recorder.readAll()
        return log.events
    }

    /// The events as text, without their times.
    var text: String {
        events.map { String(decoding: RecordedEvent(time: 0, $0.content).line, as: UTF8.self) }.joined(separator: "\n")
    }

    private init(_ simulator: SimulatorFixture) throws {
        self.simulator = simulator
        let log = Log()
        self.log = log
        recorder = try BusRecorder(bus: .address(simulator.bluez.address)) { log.events.append($0) }
    }

    static func run(
        _ specification: PeripheralSpecification = SimulatorFixture.specification(),
        _ body: @BluetoothActor (Recorded) async throws -> Void
    ) async throws {
        let simulator = try await SimulatorFixture(peripheral: specification)
        try await BluetoothActor.run {
            let recorded = try Recorded(simulator)
            try await body(recorded)
            recorded.recorder.close()
        }
    }

    /// A client of the recorder.
    func client() async throws -> PeripheralFixture {
        let central = CentralManager(bus: .address(recorder.address))
        centrals.append(central)
        try await central.waitUntilPoweredOn(timeout: Patience.timeout)
        return PeripheralFixture(simulator, central)
    }

    /// The peripheral, connected by a new client.
    func connected() async throws -> (PeripheralFixture, Peripheral) {
        let client = try await client()
        let peripheral = try await client.find()
        try await peripheral.connect()
        for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
        return (client, peripheral)
    }

    // MARK: What was recorded

    var values: [RecordedValue] {
        events.compactMap { event in
            guard case .value(let value) = event.content else { return nil }
            return value
        }
    }

    var requests: [RecordedRequest] {
        events.compactMap { event in
            guard case .request(let request) = event.content else { return nil }
            return request
        }
    }

    func response(to request: RecordedRequest) -> RecordedResponse? {
        for event in events {
            if case .response(let response) = event.content, response.number == request.number { return response }
        }
        return nil
    }

    var notes: [RecordedNote] {
        events.compactMap { event in
            guard case .note(let note) = event.content else { return nil }
            return note
        }
    }
}

extension Peripheral {
    func value() throws -> Characteristic {
        try #require(self[SimulatorFixture.service]?[SimulatorFixture.value])
    }

    func updates() throws -> Characteristic {
        try #require(self[SimulatorFixture.service]?[SimulatorFixture.updates])
    }
}
