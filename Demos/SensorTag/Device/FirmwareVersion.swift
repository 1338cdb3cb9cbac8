/// The version in the firmware revision string, 2A26, for example "1.5 (Oct 23 2013)".
///
/// Major and minor are whole numbers: 1.50 (CC2650) is later than 1.5 (CC2541). Compare only versions of one
/// generation.
public struct FirmwareVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number before the dot.
    public let major: Int
    /// The number behind the dot.
    public let minor: Int

    /// A version.
    public init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// Parses the part before the first space: "1.5", or with more dotted numbers, which are ignored.
    ///
    /// - Returns: nil if it does not begin with two numbers and a dot.
    public init?(_ text: some StringProtocol) {
        let word = text.prefix { $0 != " " && $0 != "\0" }
        let numbers = word.split(separator: ".", omittingEmptySubsequences: false).map { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        guard numbers.count >= 2, !numbers.contains(nil), let major = numbers[0], let minor = numbers[1] else {
            return nil
        }
        self.init(major: major, minor: minor)
    }

    /// Orders by major, then by minor.
    public static func < (left: FirmwareVersion, right: FirmwareVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }

    /// Major, dot, minor.
    public var description: String { "\(major).\(minor)" }
}
