import CoreBlueZ

/// A link that was reported as connected. Its end is reported once, when bluetoothd has ended it, which takes about 2
/// s, or when it is left to another program that made it.
@BluetoothActor final class TxRxLink {
    private weak var device: TxRxDevice?
    private let peripheral: Peripheral
    private var reason: BluetoothError?
    private var observation: EventObservation?
    private var waiting: [@BluetoothActor (BluetoothError?) -> Void] = []
    private var isEnding = false
    private var isOver = false

    init(_ device: TxRxDevice) {
        self.device = device
        peripheral = device.peripheral
    }

    /// Ends the link, if there still is one.
    ///
    /// - Parameters:
    ///   - reason: the reason to report. The first reason counts.
    ///   - isRequested: whether the program has requested it. Otherwise a link that another program made stays.
    ///   - completion: gets nil after the end was reported, or the error if the link stays up.
    func end(
        _ reason: BluetoothError?, isRequested: Bool, completion: (@BluetoothActor (BluetoothError?) -> Void)? = nil
    ) {
        if let completion { waiting.append(completion) }
        if observation == nil, !isOver {
            self.reason = reason
            // A link that bluetoothd refuses to end may still end later.
            observation = peripheral.observe { [weak self] snapshot in
                if snapshot.state == .disconnected || snapshot.state == .connecting { self?.didEnd() }
            }
        }
        guard !isEnding else { return }
        guard peripheral.isConnected else { return didEnd() }
        isEnding = true
        let ended: @BluetoothActor (BluetoothError?) -> Void = { [self, device] error in
            isEnding = false
            guard let error else { return didEnd() }
            device?.linkStays(error)
            finish(error)
        }
        if isRequested {
            peripheral.disconnect(completion: ended)
        } else {
            peripheral.disconnectOwnLink(completion: ended)
        }
    }

    private func didEnd() {
        guard !isOver else { return }
        isOver = true
        observation = nil
        // The end of the stream is reported first, which may not have happened yet.
        BluetoothActor.perform { [self, device] in
            device?.linkDidEnd(reason)
            finish(nil)
        }
    }

    private func finish(_ error: BluetoothError?) {
        let completions = waiting
        waiting = []
        for completion in completions { completion(error) }
    }
}
