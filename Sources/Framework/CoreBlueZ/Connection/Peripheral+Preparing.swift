import BlueZClient
import BlueZPrintableText

extension Peripheral {
    /// Connects, and discovers the services, their characteristics and their descriptors, within one timeout. Like
    /// `connect` of YmsCoreBluetooth.
    ///
    /// ```swift
    /// tag.connectAndDiscover(timeout: .seconds(5)) { services, error in … }
    /// ```
    ///
    /// If it fails, a link that it has made is ended before the completion runs, so that you can start over. It fails
    /// with `connectionTimedOut` if the timeout expires, and the message names the step in progress. Otherwise it fails
    /// with the codes of `connect(options:completion:)` and `discoverServices(_:completion:)`.
    ///
    /// - Parameters:
    ///   - services: the services to pass to the completion, with their descriptors; nil means all.
    ///   - timeout: how long everything may take; 60 s by default. The first connection to a peripheral takes some
    ///     seconds.
    ///   - options: how to connect. The shorter of both timeouts applies.
    ///   - completion: gets the services, ordered by handle, when everything is discovered, or the error.
    public func connectAndDiscover(
        _ services: [BluetoothUUID]? = nil,
        timeout: Duration = .seconds(60),
        options: ConnectOptions = ConnectOptions(),
        completion: @escaping @BluetoothActor ([Service]?, BluetoothError?) -> Void
    ) {
        startPreparing(services, timeout, options) { $0.split(completion) }
    }

    /// Connects, and discovers everything; the async form of `connectAndDiscover(_:timeout:options:completion:)`.
    @discardableResult
    public func connectAndDiscover(
        _ services: [BluetoothUUID]? = nil,
        timeout: Duration = .seconds(60),
        options: ConnectOptions = ConnectOptions()
    ) async throws(BluetoothError) -> [Service] {
        try await AsyncBridge.wait { startPreparing(services, timeout, options, $0) }
    }

    /// Runs two operations, one after the other. The first event to end it decides: a failed step, the watchdog, or an
    /// end from outside, which is passed on to the step in progress.
    @discardableResult
    private func startPreparing(
        _ services: [BluetoothUUID]?,
        _ timeout: Duration,
        _ options: ConnectOptions,
        _ completion: @escaping @BluetoothActor (Result<[Service], BluetoothError>) -> Void
    ) -> Operation<[Service]> {
        let operation: Operation<[Service]> = begin(
            "Connecting and discovering", needsConnection: false, limit: nil, completion)
        let hadLink = isConnected
        var step: (operation: AnyOperation, name: String)?
        let watchdog = BluetoothActor.after(timeout) {
            guard let step else { return }
            let text = "\(operation.title): not done within \(timeout.roundedText), but still \(step.name)"
            step.operation.fail(BluetoothError(.connectionTimedOut, text))
        }
        operation.whenEnded { [self] error in
            watchdog.cancel()
            guard let error, let ending = step else { return }
            step = nil
            ending.operation.fail(error)
            if !hadLink, isConnected, central != nil { startDisconnectingOwnLink { _ in } }
        }
        let finish: @BluetoothActor (Result<[Service], BluetoothError>) -> Void = { [self] result in
            step = nil
            guard operation.isPending, !hadLink, isConnected, result.failure != nil else {
                return operation.finish(result)
            }
            startDisconnectingOwnLink { _ in operation.finish(result) }
        }
        let connecting = startConnecting(options) { [self] result in
            if let error = result.failure { return finish(.failure(error)) }
            guard operation.isPending else { return }
            let discovering = startDiscoveringServices(services, withDescriptors: true, finish)
            step = (discovering, "discovering its services")
        }
        step = (connecting, "connecting")
        return operation
    }
}
