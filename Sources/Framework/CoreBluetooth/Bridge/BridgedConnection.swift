import CoreBlueZ

/// What connecting one peripheral is about.
struct ConnectionRequest: Sendable {
    let identifier: UUID
    /// The number of the request, which tells events of earlier ones apart.
    let number: Int
    var delay = Duration.zero
    var reconnects = false
}

/// A connection, from the request on: pending without a limit, then a link, until either ends.
///
/// A pending one tries at once, because some devices answer without being heard. Then it waits until the manager's
/// shared search hears the device, and tries again then, and from time to time. An attempt stops scans, so one that is
/// not sure to succeed is short.
@BluetoothActor final class BridgedConnection {
    private enum Phase {
        case waiting, attempting, up, ended
    }

    let request: ConnectionRequest
    private(set) var peripheral: BridgedPeripheral?
    private let bridge: CentralBridge
    private var phase = Phase.waiting
    private var failures = 0
    private var earliest = ContinuousClock.now
    private var timer: ScheduledCall?

    init(_ request: ConnectionRequest, _ bridge: CentralBridge) {
        self.request = request
        self.bridge = bridge
    }

    /// Whether it waits for the device.
    var isWaiting: Bool { phase == .waiting }
    /// Whether there is a link.
    var isUp: Bool { phase == .up }

    func begin() {
        timer = BluetoothActor.after(request.delay) { [weak self] in self?.attempt(isHeard: false) }
    }

    /// Takes the device's object, which the search has heard.
    func heard(_ peripheral: BridgedPeripheral) {
        guard phase == .waiting, ContinuousClock.now >= earliest else { return }
        attempt(isHeard: true, peripheral)
    }

    private func attempt(isHeard: Bool, _ found: BridgedPeripheral? = nil) {
        timer?.cancel()
        timer = nil
        guard phase == .waiting else { return }
        // bluetoothd may have forgotten the device.
        guard let peripheral = found ?? bridge.peripheral(request.identifier) else { return wait(.seconds(30)) }
        self.peripheral = peripheral
        phase = .attempting
        let options = ConnectOptions(timeout: .seconds(isHeard ? 45 : 10))
        peripheral.connect(options: options) { [self] error in
            guard phase == .attempting else { return }
            guard let error else { return succeed(peripheral) }
            guard !Self.finalCodes.contains(error.code), !error.isConnectionLimit else { return fail(error) }
            failures += 1
            phase = .waiting
            let delay = Duration.seconds(min(30, 1 << min(failures - 1, 5)))
            earliest = ContinuousClock.now + delay
            wait(.seconds(30))
        }
        bridge.updateSearch()
    }

    private func wait(_ time: Duration) {
        timer = BluetoothActor.after(time) { [weak self] in self?.attempt(isHeard: false) }
        bridge.updateSearch()
    }

    /// The errors that further attempts cannot change.
    private static let finalCodes: Set<BluetoothError.Code> = [
        .bondLost, .insufficientSecurity, .notSupported, .wrongBearer, .accessDenied,
    ]

    private func succeed(_ peripheral: BridgedPeripheral) {
        phase = .up
        failures = 0
        LinkUses.begin(peripheral, on: bridge.bus)
        peripheral.post(.connected(request.number))
        bridge.updateSearch()
    }

    private func fail(_ error: BluetoothError) {
        finish()
        bridge.post(.failedToConnect(request.number, error.bridged(.link)), for: request.identifier)
    }

    /// Handles the end of the link.
    func linkDidEnd(_ error: BluetoothError?) {
        guard phase == .up, let peripheral else { return }
        LinkUses.forget(peripheral, on: bridge.bus)
        peripheral.invalidateAttributes()
        let reason = error ?? BluetoothError(.disconnected, "The link to \(peripheral.displayName) was ended")
        let isReconnecting = request.reconnects && bridge.isPoweredOn
        let event = DisconnectionEvent(error: reason.bridged(.link), isReconnecting: isReconnecting)
        if isReconnecting { phase = .waiting } else { finish() }
        peripheral.post(.disconnected(request.number, event))
        if isReconnecting { attempt(isHeard: false) }
    }

    /// Ends the attempt, or the use of the link. The link ends too if nothing else of this program uses it, unless
    /// another program made it.
    func cancel() {
        let report: @BluetoothActor () -> Void = { [bridge, request] in
            let event = DisconnectionEvent(error: nil, isReconnecting: false)
            bridge.post(.disconnected(request.number, event), for: request.identifier)
        }
        let earlier = phase
        finish()
        guard let peripheral else { return report() }
        switch earlier {
        case .attempting: peripheral.disconnectOwnLink { _ in }
        case .up:
            peripheral.invalidate(endingLink: LinkUses.end(peripheral, on: bridge.bus), report)
            return
        case .waiting, .ended: break
        }
        report()
    }

    /// Ends a pending attempt without a report, because Bluetooth cannot be used.
    func drop() {
        guard phase != .up else { return }
        finish()
    }

    private func finish() {
        timer?.cancel()
        timer = nil
        phase = .ended
        bridge.remove(self)
    }
}

extension BridgedPeripheral {
    /// Ends this manager's use of the link, and maybe the link.
    fileprivate func invalidate(endingLink: Bool, _ completion: @escaping @BluetoothActor () -> Void) {
        if !endingLink { endNotifications() }
        invalidateAttributes()
        guard endingLink else { return completion() }
        disconnect { error in
            if let error, error.code != .cancelled { Misuse.warn("The link could not be ended: \(error)") }
            completion()
        }
    }
}
