/// The writes without response that bluetoothd has not taken yet.
struct CommandWindow {
    private static let limit = 32
    private var count = 0
    /// Whether the program has been told to wait with further ones.
    private var isFull = false

    /// Whether the next one is sent soon.
    var hasRoom: Bool { count < Self.limit }

    /// Adds a write.
    mutating func begin() {
        count += 1
        if !hasRoom { isFull = true }
    }

    /// Removes a write.
    ///
    /// - Returns: whether the program can be told to go on.
    mutating func end() -> Bool {
        count = max(0, count - 1)
        guard isFull, hasRoom else { return false }
        isFull = false
        return true
    }
}
