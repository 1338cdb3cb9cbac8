import DequeModule

/// The last readings of a tag, as the JSON objects that the page gets: those of the last three minutes, and of the rest
/// of the hour one per second and sensor. Each sensor keeps its last reading, however old it is.
struct ReadingHistory {
    /// The seconds that can be asked for.
    static let spans = 1...3600
    /// How long all readings are kept, in seconds.
    static let whole = 180.0
    /// How many readings each sensor keeps of either part: 10 a second, the highest rate, for three minutes, and one a
    /// second for an hour, with some room. A reading takes some 200 bytes, so that a tag with nine sensors takes 10 MB
    /// at most.
    static let limits = (recent: 2000, older: 3600)

    struct Entry {
        let number: Int
        /// In seconds since 1970.
        let time: Double
        let json: String
    }
    /// The readings of a request.
    struct Query {
        let seconds: Int
        /// The end of these seconds, in seconds since 1970.
        let time: Double
        /// The number of the last reading at that time.
        let last: Int
    }
    /// The readings of a sensor, both parts in the order of their numbers.
    private struct Sensor {
        var recent: Deque<Entry> = []
        var older: Deque<Entry> = []
    }
    private var sensors: [String: Sensor] = [:]

    /// Adds a reading.
    ///
    /// - Parameter time: in seconds since 1970.
    mutating func add(_ json: String, number: Int, of name: String, at time: Double) {
        var sensor = sensors.removeValue(forKey: name) ?? Sensor()
        sensor.recent.append(Entry(number: number, time: time, json: json))
        while let first = sensor.recent.first,
            first.time < time - Self.whole || sensor.recent.count > Self.limits.recent
        {
            sensor.recent.removeFirst()
            // Not `>= 1`: a sensor with a period of a second is not always late.
            if sensor.older.last.map({ first.time - $0.time > 0.95 }) ?? true { sensor.older.append(first) }
        }
        while let first = sensor.older.first,
            first.time < time - Double(Self.spans.upperBound) || sensor.older.count > Self.limits.older
        {
            sensor.older.removeFirst()
        }
        sensors[name] = sensor
    }

    /// The first readings after the one with a number, in the order of their arrival. They are merged, not sorted, so that
    /// requests for an hour do not keep the Bluetooth thread busy.
    func readings(_ query: Query, after number: Int, atMost count: Int) -> [Entry] {
        let start = query.time - Double(query.seconds)
        let last = Set(sensors.values.compactMap { $0.recent.last?.number })
        let isAskedFor = { (entry: Entry) in entry.time >= start || last.contains(entry.number) }
        var parts = sensors.values.flatMap { [$0.older, $0.recent] }
            .map { $0[Self.index(after: number, in: $0)...].drop { !isAskedFor($0) } }
        var found: [Entry] = []
        while found.count < count {
            let firsts = parts.indices.compactMap { part in parts[part].first.map { (part, $0) } }
            guard let (part, entry) = firsts.min(by: { $0.1.number < $1.1.number }), entry.number <= query.last else {
                break
            }
            parts[part].removeFirst()
            if isAskedFor(entry) { found.append(entry) }
        }
        return found
    }

    /// The index of the first reading after the one with a number.
    private static func index(after number: Int, in part: Deque<Entry>) -> Int {
        var range = part.startIndex..<part.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if part[middle].number <= number {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }
}
