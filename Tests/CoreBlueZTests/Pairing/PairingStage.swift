import BlueZSimulator
import Testing

@testable import CoreBlueZ

/// The tests of pairing. One at a time: each starts a bus of its own.
@Suite(.serialized) struct PairingTests {}

extension TrapStage {
    /// Sets how the peripheral pairs.
    func setPairing(_ behaviour: PairingBehaviour) async {
        await world.perform { $0.peripheral.pairing = behaviour }
    }

    var pairingRecord: PairingRecord {
        get async { await world.perform { $0.peripheral.pairingRecord } }
    }

    /// Begins to pair, and gives where its ends are gathered.
    func startPairing(_ peripheral: Peripheral, timeout: Duration = .seconds(90)) -> Ends<BluetoothError?> {
        let ends = Ends<BluetoothError?>()
        peripheral.pair(timeout: timeout) { ends.values.append($0) }
        return ends
    }
}

extension World {
    func perform<Value: Sendable>(_ body: @SimulatorActor (World) throws -> Value) rethrows -> Value {
        try body(self)
    }
}

/// What came, in order.
@BluetoothActor final class Ends<Value> {
    var values: [Value] = []

    var count: Int { values.count }

    func wait(for what: String) async throws {
        try await Patience.wait(for: what) { !self.values.isEmpty }
    }
}
