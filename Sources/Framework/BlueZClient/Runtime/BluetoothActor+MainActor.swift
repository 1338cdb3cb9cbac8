import BlueZDBus

extension BluetoothActor {
    /// Wraps a main-actor handler so that the framework can call it. For closures that belong to a user interface.
    ///
    /// ```swift
    /// tag.disconnectHandler = BluetoothActor.onMainActor { tag, error in model.wasLost(error) }
    /// value.readValue(completion: BluetoothActor.onMainActor { data, error in model.show(data) })
    /// ```
    ///
    /// Each call takes one hop to the main actor. Calls arrive in the order in which they were made, even those of
    /// different handlers. Calls made while the main actor is busy are delivered together. The main actor must run: in
    /// a program without `await` at its top level, use `RunLoop` or `dispatchMain`.
    ///
    /// The closure gets values and objects. Use the objects only with `await`, because they may have changed in the
    /// meantime. A `PeripheralSnapshot` describes a peripheral as a value.
    public nonisolated static func onMainActor<each Value: Sendable>(
        _ handler: @escaping @MainActor (repeat each Value) -> Void
    ) -> @BluetoothActor (repeat each Value) -> Void {
        { (value: repeat each Value) in
            MainActorMailbox.shared.post { handler(repeat each value) }
        }
    }
}

/// The calls that wait for the main actor, in order.
final class MainActorMailbox: Sendable {
    private struct Content {
        var calls: [@MainActor () -> Void] = []
        var isDeliveryDue = false
    }

    static let shared = MainActorMailbox()
    private let content = Lock(Content())

    func post(_ call: @escaping @MainActor () -> Void) {
        let isFirst = content.withLock { content in
            content.calls.append(call)
            defer { content.isDeliveryDue = true }
            return !content.isDeliveryDue
        }
        if isFirst { Task { @MainActor in deliver() } }
    }

    @MainActor private func deliver() {
        let calls = content.withLock { content in
            defer { content = Content() }
            return content.calls
        }
        for call in calls { call() }
    }
}
