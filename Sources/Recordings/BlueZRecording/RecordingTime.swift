import BlueZPrintableText

/// Times as recordings write them: UTC, with microseconds (RFC 3339).
package enum RecordingTime {
    private static let perDay: Int64 = 86_400_000_000

    /// Returns the text for a time in microseconds since 1970, such as "2026-11-26T10:00:00.000000Z". A time outside of
    /// the years 1 to 9999 is shown as the nearest inside.
    package static func text(_ microseconds: Int64) -> String {
        let time = min(max(microseconds, -62_135_596_800_000_000), 253_402_300_799_999_999)
        let days = time >= 0 ? time / perDay : (time - perDay + 1) / perDay
        let rest = time - days * perDay
        let (year, month, day) = date(days)
        let seconds = rest / 1_000_000
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(clock).\(padded(rest % 1_000_000, 6))Z"
    }

    /// Returns the time of such a text; nil if it is another text.
    package static func microseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        let pattern = Array("0000-00-00T00:00:00.000000Z".utf8)
        guard bytes.count == pattern.count else { return nil }
        for (byte, wanted) in zip(bytes, pattern) {
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            guard wanted == UInt8(ascii: "0") ? isDigit : byte == wanted else { return nil }
        }
        func number(_ range: Range<Int>) -> Int64 {
            bytes[range].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard year > 0, (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
        else { return nil }
        let seconds = (days(year, month, day) * 24 + hour) * 3600 + minute * 60 + second
        return seconds * 1_000_000 + number(20..<26)
    }

    /// Returns seconds with six digits after the point.
    static func seconds(_ microseconds: Int64) -> String {
        "\(microseconds / 1_000_000).\(padded(microseconds % 1_000_000, 6))"
    }

    private static func padded(_ number: Int64, _ digits: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    // MARK: The Gregorian calendar, in years that begin in March so that a leap day is the last

    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let (era, ofEra) = (year / 400, year % 400)
        let ofYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let days = days + 719_468
        let (era, ofEra) = (days / 146_097, days % 146_097)
        let year = (ofEra - ofEra / 1460 + ofEra / 36524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let month = (5 * ofYear + 2) / 153
        let january = month < 10 ? month + 3 : month - 9
        return (era * 400 + year + (january <= 2 ? 1 : 0), january, ofYear - (153 * month + 2) / 5 + 1)
    }
}
