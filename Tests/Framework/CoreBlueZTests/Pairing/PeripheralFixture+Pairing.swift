import BlueZSimulator
import TestSupport
import Testing

@testable import CoreBlueZ

/// The tests of pairing. One at a time: each starts a bus of its own.
@Suite(.serialized, .virtualTime) struct PairingTests {}

extension PeripheralFixture {
    /// Sets how the peripheral pairs.
    func setPairing(_ behaviour: PairingBehaviour) async {
        await simulator.perform { $0.peripheral.pairing = behaviour }
    }

    var pairingRecord: PairingRecord {
        get async { await simulator.perform { $0.peripheral.pairingRecord } }
    }

    /// Begins to pair, and gives where its ends are gathered.
    func startPairing(_ peripheral: Peripheral, timeout: Duration = .seconds(90)) -> Ends<BluetoothError?> {
        let ends = Ends<BluetoothError?>()
        peripheral.pair(timeout: timeout) { ends.values.append($0) }
        return ends
    }
}

/// What came, in order.
@BluetoothActor final class Ends<Value> {
    var values: [Value] = []

    var count: Int { values.count }

    func wait(for what: String) async throws {
        try await eventually(what) { !self.values.isEmpty }
    }
}
