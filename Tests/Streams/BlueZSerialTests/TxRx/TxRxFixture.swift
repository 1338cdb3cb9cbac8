import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

/// A Tx/Rx central on a simulator, and all that it tells.
@BluetoothActor final class TxRxFixture: CentralFixture<SerialSimulator> {
    let txRx: TxRxCentral
    var events: [TxRxEvent] = []

    required init(_ simulator: SerialSimulator) async throws {
        let central = try await Self.poweredOn(simulator)
        txRx = TxRxCentral(central)
        super.init(simulator, central)
        txRx.timeouts = .quick
        txRx.eventHandler = { [weak self] in self?.events.append($0) }
    }

    convenience init(_ simulator: SerialSimulator, _ timeouts: TxRxTimeouts) async throws {
        try await self.init(simulator)
        txRx.timeouts = timeouts
    }

    /// Scans until there are this many devices.
    @discardableResult
    func scan(for count: Int = 1) async throws -> [TxRxDevice] {
        txRx.startScan { _ in }
        try await eventually("\(count) devices") { txRx.devices.count >= count }
        txRx.stopScan()
        try await eventually("the scan's end") { !txRx.isScanning }
        return txRx.devices
    }

    func ready() async throws -> TxRxDevice {
        let device = try #require(try await scan().first)
        try await device.connect()
        return device
    }

    /// Waits for an event that fits.
    func event(_ what: String, where fits: @escaping (TxRxEvent) -> Bool) async throws {
        try await eventually(what) { events.contains(where: fits) }
    }

    /// The events by their names, without those of scanning.
    var names: [String] { events.map(\.name).filter { !["scanBegan", "found", "scanEnded"].contains($0) } }
}

extension TxRxTimeouts {
    /// For tests that do not look at them.
    static var quick: TxRxTimeouts {
        var timeouts = TxRxTimeouts()
        timeouts.firstFragment = .seconds(10)
        timeouts.nextFragment = Duration.milliseconds(150).stretched
        timeouts.nextEventFragment = timeouts.nextFragment
        timeouts.write = .seconds(10)
        return timeouts
    }

    static func with(_ change: (inout TxRxTimeouts) -> Void) -> TxRxTimeouts {
        var timeouts = quick
        change(&timeouts)
        return timeouts
    }
}

extension TxRxEvent {
    /// The case's name.
    var name: String {
        let text = String(describing: self)
        return String(text.prefix { $0 != "(" })
    }

    var data: Data? {
        switch self {
        case .sent(_, let data), .received(_, let data), .event(_, let data): data
        default: nil
        }
    }

    var error: BluetoothError? {
        switch self {
        case .scanFailed(let error), .deviceFailed(let error), .failed(let error): error
        case .connectFailed(_, let error), .sendFailed(_, let error), .sendTimedOut(_, let error): error
        case .receiveFailed(_, let error), .modeFailed(_, let error), .eventFailed(_, let error): error
        case .disconnected(_, let error): error
        default: nil
        }
    }
}

extension ResponseScript {
    /// Responds to each command in pieces.
    static func responding(_ pairs: [String: [String]]) -> ResponseScript {
        ResponseScript(pairs.map { Response(Array($0.key.utf8), $0.value.map { Array($0.utf8) }) })
    }
}
