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

    private struct Entry {
        let number: Int
        /// In seconds since 1970.
        let time: Double
        let json: String
    }
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

    /// The readings of the last seconds before a time, in the order of their arrival.
    func readings(seconds: Int, before time: Double) -> [String] {
        let entries = sensors.values.flatMap { sensor in
            (sensor.older + sensor.recent).filter {
                $0.time >= time - Double(seconds) || $0.number == sensor.recent.last?.number
            }
        }
        return entries.sorted { $0.number < $1.number }.map(\.json)
    }
}
