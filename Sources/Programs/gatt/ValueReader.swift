import FoundationEssentials

/// Reads the fields of a value from its front, little-endian as in GATT.
struct ValueReader {
    private var bytes: ArraySlice<UInt8>

    init(_ data: Data) { bytes = [UInt8](data)[...] }

    var isAtEnd: Bool { bytes.isEmpty }

    /// The next number; nil if there are too few bytes.
    mutating func unsigned(_ size: Int) -> UInt64? {
        guard bytes.count >= size else { return nil }
        defer { bytes.removeFirst(size) }
        return bytes.prefix(size).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }

    /// The next number in two's complement.
    mutating func signed(_ size: Int) -> Int64? {
        let unused = Int64(64 - size * 8)
        return unsigned(size).map { Int64(bitPattern: $0 << UInt64(unused)) >> unused }
    }
}
