import CoreBlueZ

/// A property that any thread can read, because programs use Apple's objects on any thread, whatever the manager's queue.
@propertyWrapper struct Locked<Value> {
    /// The lock, for changes that depend on the earlier value.
    let projectedValue: Lock<Value>

    init(wrappedValue: Value) { projectedValue = Lock(wrappedValue) }

    var wrappedValue: Value {
        get { projectedValue.withLock { $0 } }
        nonmutating set {
            // The earlier value is released after the lock, because that can run code of the program.
            var value = newValue
            projectedValue.withLock { swap(&$0, &value) }
        }
    }
}
