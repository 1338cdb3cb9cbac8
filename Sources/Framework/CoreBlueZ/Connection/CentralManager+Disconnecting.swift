import BlueZClient

extension CentralManager {
    /// Ends the links to all peripherals for which this manager has objects, in parallel, and all attempts to connect.
    /// It fails with the codes of `Peripheral.disconnect(completion:)`.
    ///
    /// - Parameter completion: gets nil when all links have ended, or the first error.
    public func disconnectAll(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        startDisconnectingAll { completion($0.failure) }
    }

    /// Ends the links to all peripherals; the async form of `disconnectAll(completion:)`. Also works in a cancelled
    /// task.
    public func disconnectAll() async throws(BluetoothError) {
        try await AsyncBridge.waitRegardless { startDisconnectingAll($0) }
    }

    @discardableResult
    private func startDisconnectingAll(
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        let operation = Operation<Void>(
            "Disconnecting all", on: nil, needsConnection: false, limit: nil, in: operations, completion: completion)
        let concerned = peripherals.filter { $0.isConnected || $0.state != .disconnected || $0.isReconnecting }
        var left = concerned.count
        var firstError: BluetoothError?
        for peripheral in concerned {
            peripheral.startDisconnecting { result in
                firstError = firstError ?? result.failure
                left -= 1
                if left == 0 { operation.finish(Result(failure: firstError)) }
            }
        }
        if concerned.isEmpty { BluetoothActor.perform { operation.succeed(()) } }
        return operation
    }

    /// The managers that have connected, published or advertised since `keepManagersThatConnect`; nil before.
    private static var kept: [any ClientObserver]?

    /// Keeps each manager that connects a peripheral, so that `disconnectAllMade` ends its links even if the program no
    /// longer refers to it, and each peripheral manager that publishes or advertises.
    package static func keepManagersThatConnect() {
        kept = kept ?? []
    }

    /// Keeps a manager, if managers are kept.
    static func keep(_ manager: any ClientObserver) {
        guard let managers = kept, !managers.contains(where: { $0 === manager }) else { return }
        kept = managers + [manager]
    }

    func willConnect() { Self.keep(self) }

    /// Ends the links that the program's managers have made, and pending attempts. For scripts, which clean up at their
    /// end: see `keepManagersThatConnect`.
    package static func disconnectAllMade() async {
        let managers = BlueZClient.present.flatMap(\.presentObservers).compactMap { $0 as? CentralManager }
        await withTaskGroup(of: Void.self) { group in
            for peripheral in managers.flatMap(\.peripherals) where peripheral.link.isProgramsOwn {
                group.addTask { try? await peripheral.disconnectOwnLink() }
            }
        }
    }
}
