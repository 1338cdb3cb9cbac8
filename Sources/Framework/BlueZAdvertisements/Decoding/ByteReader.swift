/// Reads the fields of a payload, and says if it ends too early.
struct ByteReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: some Collection<UInt8>) { rest = Array(bytes)[...] }

    /// Reads bytes.
    mutating func bytes(_ count: Int) throws(AdvertisementProblem) -> ArraySlice<UInt8> {
        guard rest.count >= count else { throw .truncated }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Reads a number without a sign, the low byte first.
    mutating func unsigned(_ size: Int) throws(AdvertisementProblem) -> Int {
        var number = 0
        var shift = 0
        for byte in try bytes(size) {
            number |= Int(byte) << shift
            shift += 8
        }
        return number
    }

    /// Reads a number in two's complement, the low byte first.
    mutating func signed(_ size: Int) throws(AdvertisementProblem) -> Int {
        Self.signed(try unsigned(size), size)
    }

    /// Reads a number without a sign, the high byte first.
    mutating func bigUnsigned(_ size: Int) throws(AdvertisementProblem) -> Int {
        var number = 0
        for byte in try bytes(size) { number = number << 8 | Int(byte) }
        return number
    }

    /// Reads a number in two's complement, the high byte first.
    mutating func bigSigned(_ size: Int) throws(AdvertisementProblem) -> Int {
        Self.signed(try bigUnsigned(size), size)
    }

    private static func signed(_ number: Int, _ size: Int) -> Int {
        number >> (8 * size - 1) == 0 ? number : number - 1 << (8 * size)
    }
}
