import FoundationEssentials

/// The tracks of a magnetic stripe (ISO/IEC 7811, 7813), distinguished by their start sentinels.
///
/// They contain the card number and everything that is needed to copy the card, so never log or store them.
/// `description`, which `print` and string interpolation use, is masked.
public struct MagneticTracks: Hashable, Sendable {
    /// Track 1: from "%" to "?".
    public let track1: String?
    /// Track 2: from ";" to "?".
    public let track2: String?
    /// Track 3: from "+", or a second ";", to "?".
    public let track3: String?
    /// The bytes that the reader sent.
    public let data: Data

    /// Creates the tracks from what a reader sent. A track without an end sentinel is ignored.
    public init(_ data: Data) {
        self.data = data
        var tracks: [UInt8: String] = [:]
        var rest = data[...]
        while let start = rest.firstIndex(where: { "%;+".utf8.contains($0) }),
            let end = rest[start...].firstIndex(of: UInt8(ascii: "?"))
        {
            let isSecond = rest[start] == UInt8(ascii: ";") && tracks[rest[start]] != nil
            tracks[isSecond ? UInt8(ascii: "+") : rest[start]] = String(decoding: rest[start...end], as: UTF8.self)
            rest = rest[rest.index(after: end)...]
        }
        track1 = tracks[UInt8(ascii: "%")]
        track2 = tracks[UInt8(ascii: ";")]
        track3 = tracks[UInt8(ascii: "+")]
    }
}

extension MagneticTracks: CustomStringConvertible {
    /// The tracks for display. Only the first 6 and the last 4 digits of a card number remain. Every other byte is an
    /// asterisk, except the sentinels and the separators "^" and "=". `data` is masked too.
    ///
    /// A card number has 13 to 19 digits. It is at the beginning of a track, after the format code B of track 1.
    public var masked: MagneticTracks {
        MagneticTracks(Data([track1, track2, track3].compactMap { $0.map(Self.masked) }.joined()))
    }

    /// The tracks with masked card numbers; see `masked`.
    public var description: String {
        String(decoding: masked.data, as: UTF8.self)
    }

    private static func masked(_ track: String) -> [UInt8] {
        let bytes = Array(track.utf8)
        let start = bytes.starts(with: "%B".utf8) ? 2 : 1
        // Some cards have spaces in the number.
        let number = bytes[start...].prefix { $0 == UInt8(ascii: " ") || CardNumber.digits.contains($0) }
        let digits = number.indices.filter { bytes[$0] != UInt8(ascii: " ") }
        let isCardNumber = CardNumber.lengths.contains(digits.count) && "^=?".utf8.contains(bytes[number.endIndex])
        let shown = isCardNumber ? Set(digits.prefix(6) + digits.suffix(4)) : []
        return bytes.indices.map { index in
            let isShown = index < start || shown.contains(index) || "^=?".utf8.contains(bytes[index])
            return isShown ? bytes[index] : UInt8(ascii: "*")
        }
    }
}

/// Card numbers (ISO/IEC 7812), in ASCII.
enum CardNumber {
    static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    /// The lengths to look for. In a shorter number, the 10 digits that remain would be nearly all.
    static let lengths = 13...19
}
