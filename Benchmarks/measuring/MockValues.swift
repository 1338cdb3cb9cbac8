import FoundationEssentials

/// The values that the mock sends.
public enum MockValues {
    /// How long each is.
    public static let length = 20

    /// The command to send them.
    ///
    /// - Parameter numbers: how many, how many per second (0: as fast as possible), and how many at a time.
    public static func order(_ numbers: [UInt32]) -> Data {
        Data(numbers.prefix(3).flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } })
    }
}
