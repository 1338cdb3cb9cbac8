import BlueZClassic
import TestSupport
import Testing

@testable import CoreBlueZ

/// Requests to a manager end once, after the call that made them, even without a bus and without the manager.
@Suite(.virtualTime) struct ManagerRequestTests {
    enum ManagerRequest: CaseIterable, Sendable {
        case wait, scan, first, registerAgent, unregisterAgent, registerProfile, unregisterProfile, disconnectAll

        @BluetoothActor func begin(
            _ central: CentralManager, _ ended: @escaping @BluetoothActor (BluetoothError?) -> Void
        ) {
            switch self {
            case .wait: central.waitUntilPoweredOn(completion: ended)
            case .scan: central.scanForPeripherals(found: { _, _, _ in }, completion: ended)
            case .first: central.firstPeripheral { ended($1) }
            case .registerAgent: central.registerPairingAgent(PairingAgent(), completion: ended)
            case .unregisterAgent: central.unregisterPairingAgent(completion: ended)
            case .registerProfile:
                central.registerProfile(RFCOMMProfile(0x1101), channelHandler: { _ in }, completion: ended)
            case .unregisterProfile: central.unregisterProfile(0x1101, completion: ended)
            case .disconnectAll: central.disconnectAll(completion: ended)
            }
        }
    }

    @Test("A request to a manager without a bus ends after it was made, and once", arguments: ManagerRequest.allCases)
    @BluetoothActor func manager(request: ManagerRequest) async throws {
        let central = CentralManager(bus: .address("unix:path=/nonexistent"))
        let log = Box<String>()
        request.begin(central) { _ in log.values.append("ended") }
        log.values.append("returned")
        try await eventually("the end") { log.values.count == 2 }
        for _ in 0..<3 { await Task.yield() }
        #expect(log.values == ["returned", "ended"])
    }

    @Test("A request to a manager that is released in the same turn ends once", arguments: ManagerRequest.allCases)
    @BluetoothActor func releasedManager(request: ManagerRequest) async throws {
        var central: CentralManager? = CentralManager(bus: .address("unix:path=/nonexistent"))
        var ends = 0
        if let central { request.begin(central) { _ in ends += 1 } }
        central = nil
        try await eventually("the end", within: .seconds(5)) { ends > 0 }
        for _ in 0..<3 { await Task.yield() }
        #expect(ends == 1)
    }
}
