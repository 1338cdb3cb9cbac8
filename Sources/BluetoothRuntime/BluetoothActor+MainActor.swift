import DBus

extension BluetoothActor {
    /// Makes a handler of the main actor's into one that the framework can call: for closures that belong to a user
    /// interface.
    ///
    /// ```swift
    /// tag.disconnectHandler = BluetoothActor.onMainActor { tag, error in model.wasLost(error) }
    /// value.readValue(completion: BluetoothActor.onMainActor { data, error in model.show(data) })
    /// ```
    ///
    /// Each call is delivered by one hop to the main actor, and all that is delivered so arrives in the order in which it
    /// happened, whichever handlers it goes to. What comes while the main actor is busy is delivered in one go. The main
    /// actor must run: in a program without `await` at its top level, that is `RunLoop` or `dispatchMain`.
    ///
    /// What the closure gets are values and containers; ask containers with `await` only, for they may have changed
    /// meanwhile. `PeripheralSnapshot` is a peripheral as a value.
    public nonisolated static func onMainActor<each Value: Sendable>(
        _ handler: @escaping @MainActor (repeat each Value) -> Void
    ) -> @BluetoothActor (repeat each Value) -> Void {
        { (value: repeat each Value) in
            MainActorMailbox.shared.post { handler(repeat each value) }
        }
    }
}

/// What is on its way to the main actor, in order.
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
