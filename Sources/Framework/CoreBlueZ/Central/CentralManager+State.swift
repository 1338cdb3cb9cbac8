import BlueZClient
import BlueZDBus

extension CentralManager {
    /// The path of the adapter that this manager uses, if there is one.
    var adapterPath: ObjectPath? {
        let paths = client.mirror.adapterPaths
        // The usual case, checked for each advertisement.
        if adapterName == nil, paths.count < 2 { return paths.first }
        let adapters = client.mirror.adapters
        guard let adapterName else { return paths.first { adapters[$0]?.isPowered == true } ?? paths.first }
        let address = BluetoothAddress(adapterName)
        return paths.first { path in
            String(path.lastComponent) == adapterName || address != nil && adapters[path]?.address == address
        }
    }

    package func updateState() {
        guard isReady else { return }
        let (state, error) = currentState()
        let isChange = state != self.state
        self.state = state
        stateError = error
        if isChange { reportState(state) }
        // Calling a waiter may add another one, or change the state.
        let waiters = stateWaiters
        stateWaiters = []
        let unserved = waiters.filter { !$0() }
        stateWaiters.insert(contentsOf: unserved, at: 0)
    }

    private func reportState(_ state: CentralManagerState) {
        stateConsumers.append(state)
        if state != .poweredOn { for handler in keptConnections.values { handler(.unavailable(stateError)) } }
        centralManagerDidUpdateState()
        switch state {
        case .unknown: didBecomeUnknown()
        case .resetting: didReset()
        case .unsupported: didBecomeUnsupported()
        case .unauthorized: didBecomeUnauthorized()
        case .poweredOff: didPowerOff()
        case .poweredOn: didPowerOn()
        }
    }

    private func currentState() -> (CentralManagerState, BluetoothError?) {
        switch client.availability {
        case .unknown: return (.unknown, nil)
        case .lost(let error): return (.resetting, error)
        case .unavailable(let error): return (error.code == .accessDenied ? .unauthorized : .unsupported, error)
        case .ready: break
        }
        guard let path = adapterPath, let adapter = client.mirror.adapters[path] else {
            let missing = adapterName.map { "There is no adapter \($0): \(BluetoothError.adapterSuggestion)" }
            return (
                .unsupported,
                BluetoothError(.adapterGone, missing ?? BluetoothError.unavailable(BluetoothError.adapterSuggestion))
            )
        }
        guard adapter.isPowered else {
            let suggestion =
                adapter.powerState == "off-blocked"
                ? "is blocked by rfkill; run: rfkill unblock bluetooth" : "is off; switch it on: bluetoothctl power on"
            return (.poweredOff, BluetoothError(.adapterOff, "The adapter \(path.lastComponent) \(suggestion)"))
        }
        return (.poweredOn, nil)
    }

    /// Waits until Bluetooth can be used.
    ///
    /// When the timeout expires, the operation fails with the reason why Bluetooth cannot be used (see `stateError`):
    /// `adapterOff`, `adapterGone`, `daemonUnavailable`, `busUnavailable` or `accessDenied`, or `timedOut` if
    /// bluetoothd has not replied. It fails with `cancelled` if the manager is released.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait for bluetoothd, for an adapter, and for its power. With zero, the default, the
    ///     operation ends as soon as the state is known.
    ///   - completion: gets nil when `state` is `poweredOn`, or the error.
    public func waitUntilPoweredOn(
        timeout: Duration = .zero,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        startWaiting(timeout) { completion($0.failure) }
    }

    /// Waits until Bluetooth can be used; the async form of `waitUntilPoweredOn(timeout:completion:)`.
    public func waitUntilPoweredOn(timeout: Duration = .zero) async throws(BluetoothError) {
        try await AsyncBridge.wait { startWaiting(timeout, $0) }
    }

    /// - Parameter timeout: the same as for `waitUntilPoweredOn`; nil means no limit.
    @discardableResult
    func startWaiting(
        _ timeout: Duration?,
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        let operation = Operation<Void>(
            "Waiting for Bluetooth", on: nil, needsConnection: false, limit: nil, in: operations,
            completion: completion
        )
        var isPatient = timeout != .zero
        var isOverdue = false
        let check: @BluetoothActor () -> Bool = { [weak self, weak operation] in
            guard let self, let operation, operation.isPending else { return true }
            switch self.state {
            case .poweredOn: operation.succeed(())
            case .unknown where !isOverdue: return false
            default:
                if isPatient { return false }
                operation.fail(
                    self.stateError
                        ?? BluetoothError(
                            .timedOut,
                            BluetoothError.unavailable(
                                "bluetoothd has not replied in time; restart it (systemctl restart bluetooth)")
                        ))
            }
            return true
        }
        stateWaiters.append(check)
        if let timeout, isPatient {
            let token = BluetoothActor.after(timeout) { [weak self] in
                isPatient = false
                isOverdue = true
                self?.updateState()
            }
            operation.whenEnded { _ in token.cancel() }
        }
        BluetoothActor.perform { [weak self] in self?.updateState() }
        return operation
    }
}
