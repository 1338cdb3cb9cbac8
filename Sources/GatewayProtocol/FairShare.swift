/// A limit that several share, of which nobody can take so much that the others get nothing.
///
/// Each may have as much as is left: one alone half of the limit, two a third each, and so on. Something always stays free
/// for whoever has little. Switches share their buffers among ports in this way (Choudhury and Hahne, "Dynamic queue
/// length thresholds for shared-memory packet switches", 1998, with a factor of 1).
package struct FairShare<Key: Hashable & Sendable>: Sendable {
    private let limit: Int
    private var parts: [Key: Int] = [:]
    /// How much all have.
    package private(set) var used = 0

    /// - Parameter limit: twice of what one alone may have.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Whether there is room for so much more.
    package func hasRoom(_ amount: Int = 1, for key: Key) -> Bool {
        part(of: key) + amount <= limit - used
    }

    /// Takes so much if there is room.
    package mutating func take(_ amount: Int = 1, for key: Key) -> Bool {
        guard hasRoom(amount, for: key) else { return false }
        add(amount, for: key)
        return true
    }

    /// Takes so much, whether or not there is room.
    package mutating func add(_ amount: Int, for key: Key) {
        parts[key, default: 0] += amount
        used += amount
    }

    /// Gives back what was taken.
    package mutating func giveBack(_ amount: Int = 1, for key: Key) {
        let left = part(of: key) - amount
        parts[key] = left > 0 ? left : nil
        used -= amount
    }

    /// How much one has.
    package func part(of key: Key) -> Int { parts[key] ?? 0 }
}
