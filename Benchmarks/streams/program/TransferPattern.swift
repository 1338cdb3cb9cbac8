/// Bytes of a stream, each known by its place.
public struct TransferPattern: Sendable {
    private let seed: UInt64

    /// Another seed gives another stream.
    public init(seed: UInt64) {
        self.seed = seed
    }

    /// The bytes of some places.
    public func bytes(_ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var place = range.lowerBound
        while place < range.upperBound {
            let word = word(UInt64(place / 8))
            for index in place % 8..<min(8, place % 8 + range.upperBound - place) {
                bytes.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(index))))
            }
            place += 8 - place % 8
        }
        return bytes
    }

    /// Steele, Lea and Flood's SplitMix.
    private func word(_ index: UInt64) -> UInt64 {
        var value = (seed &+ index) &* 0x9E37_79B9_7F4A_7C15
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}

/// A hash of bytes that arrive in pieces: FNV-1a with 64 bits.
public struct TransferHash: Hashable, Sendable {
    /// The hash so far.
    public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The hash of nothing.
    public init() {}

    /// Adds bytes.
    public mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }

    /// The hash of the first bytes of a pattern.
    public init(_ pattern: TransferPattern, count: Int) {
        self.init()
        for start in stride(from: 0, to: count, by: 4096) { add(pattern.bytes(start..<min(count, start + 4096))) }
    }
}

/// Numbers in eight bytes, the most significant first.
enum TransferNumber {
    static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    }

    static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
