/// A shared limit that no key can use up.
///
/// Each key may use as much as is left: one alone gets half of the limit, two get a third each, and so on. There is
/// always space for another one. Switches share their buffers among ports in this way (Choudhury and Hahne, "Dynamic
/// queue length thresholds for shared-memory packet switches", 1998, with a factor of 1).
package struct FairShare<Key: Hashable & Sendable>: Sendable {
    private let limit: Int
    private var parts: [Key: Int] = [:]
    /// The sum of all parts.
    package private(set) var used = 0

    /// - Parameter limit: twice the amount that one key alone can use.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Returns whether the key may use this much more.
    package func hasRoom(_ amount: Int = 1, for key: Key) -> Bool {
        part(of: key) + amount <= limit - used
    }

    /// Adds to the key's part if there is space, and returns whether there was.
    package mutating func take(_ amount: Int = 1, for key: Key) -> Bool {
        guard hasRoom(amount, for: key) else { return false }
        add(amount, for: key)
        return true
    }

    /// Adds to the key's part, whether or not there is space.
    package mutating func add(_ amount: Int, for key: Key) {
        parts[key, default: 0] += amount
        used += amount
    }

    /// Subtracts from the key's part.
    package mutating func giveBack(_ amount: Int = 1, for key: Key) {
        let left = part(of: key) - amount
        parts[key] = left > 0 ? left : nil
        used -= amount
    }

    /// Returns the amount that the key uses.
    package func part(of key: Key) -> Int { parts[key] ?? 0 }
}
