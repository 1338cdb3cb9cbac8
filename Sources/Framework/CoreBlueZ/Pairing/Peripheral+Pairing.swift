import BlueZClient
import BlueZDBus

extension Peripheral {
    /// Whether the device is paired, by this program or another.
    public var isPaired: Bool { properties?.isPaired ?? false }

    /// Whether the pairing is kept for later links. If bluetoothd does not report this (before 5.65), the same as
    /// `isPaired`.
    public var isBonded: Bool { properties?.isBonded ?? isPaired }

    /// Whether the user trusts the device, which may then use services without a question; see
    /// `setTrusted(_:completion:)`.
    public var isTrusted: Bool { properties?.isTrusted ?? false }

    /// Whether the user has blocked the device, so that bluetoothd refuses links to it; see
    /// `setBlocked(_:completion:)`.
    public var isBlocked: Bool { properties?.isBlocked ?? false }

    /// The kind of device as an icon name of freedesktop.org, such as "input-mouse". bluetoothd derives it from the
    /// appearance; nil if there is none.
    public var iconName: String? { properties?.icon }

    /// Pairs with the device. Connects first if there is no link. Succeeds if the device is already paired.
    ///
    /// Without a ``PairingAgent``, the user is not asked anything. Pairing then works like that of devices without keys
    /// and displays ("Just Works"), and fails with devices that require more. With an agent, its closures ask and show.
    ///
    /// The operation fails with these codes, in addition to those of every operation (see ``Peripheral``):
    /// - `insufficientSecurity` if either side refuses, or a number was wrong.
    /// - `cancelled` if the link was lost, or a question was not answered in time. bluetoothd does not distinguish
    ///   these.
    /// - `timedOut` if the timeout expires.
    /// - `connectionFailed`, `connectionTimedOut` or `wrongBearer` if the link does not come up.
    /// - `busy` if the device is already being paired.
    ///
    /// - Parameters:
    ///   - timeout: how long to try; 90 s by default. bluetoothd itself needs up to 60 s for each step.
    ///   - completion: gets nil when the device is paired, or the error.
    public func pair(
        timeout: Duration = .seconds(90),
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        startPairing(timeout) { completion($0.failure) }
    }

    /// Pairs with the device; the async form of `pair(timeout:completion:)`. Cancelling the task also ends the attempt
    /// in bluetoothd (`CancelPairing`).
    public func pair(timeout: Duration = .seconds(90)) async throws(BluetoothError) {
        try await AsyncBridge.wait { startPairing(timeout, $0) }
    }

    @discardableResult
    private func startPairing(
        _ timeout: Duration,
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        let operation: Operation<Void> = begin("Pairing with", needsConnection: false, limit: timeout, completion)
        guard let client = client(for: operation) else { return operation }
        BluetoothActor.perform { [self] in
            guard !isPaired else { return operation.succeed(()) }
            client.agent.begin(path) { [self] error in pair(operation, client, timeout, error) }
            operation.whenEnded { [path] error in
                // This must come before the questions are withdrawn: a refused question ends pairing differently, and
                // keeps the link.
                if let error, [.timedOut, .cancelled].contains(error.code), client.isPending(.pair, at: path) {
                    Self.cancelPairing(path, client)
                }
                client.agent.end(path)
            }
        }
        return operation
    }

    private func pair(
        _ operation: Operation<Void>,
        _ client: BlueZClient,
        _ timeout: Duration,
        _ error: BluetoothError?
    ) {
        guard operation.isPending else { return }
        if let error { return operation.fail(error) }
        waitUntilPaired(operation)
        client.call(.pair, at: path, limit: timeout + .seconds(60), for: operation) { [weak self] error in
            switch error {
            case nil: operation.succeed(())
            case let error?:
                // Up to 5.86, bluetoothd reports a failure after pairing, such as that of service discovery, as the
                // failure of Pair.
                if error.bluezName == .alreadyExists || self?.isPaired == true {
                    operation.succeed(())
                } else {
                    operation.fail(BluetoothError(error, in: .connect, operation.title))
                }
            }
        }
    }

    /// Ends the pairing in bluetoothd, unless it is another program's: if that was pairing the device, bluetoothd has
    /// refused `Pair`.
    private static func cancelPairing(_ path: ObjectPath, _ client: BlueZClient) {
        client.whenLinkCallsAreReceived(at: path) {
            guard client.isPending(.pair, at: path) else { return }
            client.call(path, BlueZ.device, "CancelPairing", limit: Timeouts.disconnect) { _ in }
        }
    }

    /// If `Pair` runs during the discovery that follows `Connect`, bluetoothd pairs but does not reply (src/device.c:
    /// device_browse_gatt). If the device is paired and its services are resolved, pairing has succeeded.
    private func waitUntilPaired(_ operation: Operation<Void>) {
        link.observe(during: operation) { [weak self] news in
            if news == .resolved, self?.isPaired == true { operation.succeed(()) }
        }
    }
}
