import FoundationEssentials

/// Date Time and Exact Time 256 of the GATT Specification Supplement.
extension GATTValue.Content {
    /// A date with a time in 7 bytes; with the day of the week and 1/256 s in 9.
    init(time bytes: [UInt8]) {
        let year = Int(bytes[0]) | Int(bytes[1]) << 8
        let (month, day) = (Int(bytes[2]), Int(bytes[3]))
        let (hour, minute, second) = (Int(bytes[4]), Int(bytes[5]), Int(bytes[6]))
        guard year == 0 || (1582...9999).contains(year), month <= 12, day <= Self.days(month, year) else {
            let date = DateComponents(year: year, month: month, day: day).gattDate
            self = .invalid(bytes, reason: "\(date) is not a date")
            return
        }
        guard hour < 24, minute < 60, second < 60 else {
            let time = DateComponents(hour: hour, minute: minute, second: second).gattTime
            self = .invalid(bytes, reason: "\(time) is not a time")
            return
        }
        guard year != 0 || month != 0 || day != 0 else {
            self = .special("not known")
            return
        }
        var time = DateComponents(hour: hour, minute: minute, second: second)
        (time.year, time.month, time.day) = (year == 0 ? nil : year, month == 0 ? nil : month, day == 0 ? nil : day)
        if bytes.count == 9 {
            // The first day is Monday here, and Sunday there.
            if (1...7).contains(bytes[7]) { time.weekday = Int(bytes[7]) % 7 + 1 }
            time.nanosecond = Int(bytes[8]) * 1_000_000_000 / 256
        }
        self = .time(time)
    }

    /// The days of a month, either of which may be unknown, and then zero.
    private static func days(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// As in ISO 8601. What isn't known is a question mark for each digit.
extension DateComponents {
    package var gattDate: String { "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))" }

    package var gattTime: String { "\(Self.digits(hour, 2)):\(Self.digits(minute, 2)):\(Self.digits(second, 2))" }

    /// The fraction of a second in three digits, after a point; empty if there is none.
    package var gattMilliseconds: String {
        nanosecond.map { "." + Self.digits(($0 + 500_000) / 1_000_000, 3) } ?? ""
    }

    private static func digits(_ number: Int?, _ count: Int) -> String {
        guard let number else { return String(repeating: "?", count: count) }
        return String(repeating: "0", count: max(0, count - "\(number)".count)) + "\(number)"
    }
}
