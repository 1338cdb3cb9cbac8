/// Finds the copies of a message that a sender has sent once and the bus has passed to several clients: they have the
/// same serial, which the sender gives each of its messages in order.
struct SerialWindow {
    private static let size: UInt32 = 65536

    private var newest: UInt32 = 0
    /// A bit for each of the last serials, at the serial's remainder.
    private var bits = [UInt64](repeating: 0, count: Int(size) / 64)

    /// Returns whether this is the first copy. A message that is older than the window counts as seen: some client gets
    /// its messages that much later than another.
    mutating func insert(_ serial: UInt32) -> Bool {
        if serial > newest {
            let count = min(serial - newest, Self.size)
            for offset in 0..<count { clear(serial - offset) }
            newest = serial
        } else if newest - serial >= Self.size {
            return false
        }
        let (index, bit) = Self.place(serial)
        guard bits[index] & bit == 0 else { return false }
        bits[index] |= bit
        return true
    }

    private mutating func clear(_ serial: UInt32) {
        let (index, bit) = Self.place(serial)
        bits[index] &= ~bit
    }

    private static func place(_ serial: UInt32) -> (index: Int, bit: UInt64) {
        let position = serial % size
        return (Int(position / 64), 1 << UInt64(position % 64))
    }
}
