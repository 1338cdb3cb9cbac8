import Testing

@testable import sensortag_web

@Suite("The page's memory of readings") struct ReadingHistoryTests {
    /// Adds a reading each `period` seconds, up to and without a time.
    private func history(until end: Double, period: Double, sensors: [String] = ["humidity"]) -> ReadingHistory {
        var history = ReadingHistory()
        var number = 0
        for tick in 0..<Int((end / period).rounded()) {
            for sensor in sensors {
                number += 1
                history.add("\(number)", number: number, of: sensor, at: Double(tick) * period)
            }
        }
        return history
    }

    @Test("Three minutes are whole, in the order in which readings came") func recent() {
        let readings = history(until: 400, period: 0.25, sensors: ["humidity", "barometer"])
            .readings(seconds: 180, before: 400)
        // From 220 s on, four times two readings a second.
        #expect(readings == (1761...3200).map(String.init))
    }

    @Test("Of the time before there is one reading a second and sensor") func older() {
        let readings = history(until: 1000, period: 0.1).readings(seconds: 3600, before: 1000)
        // 820 s of one reading a second, and three minutes of ten.
        #expect((2600...2650).contains(readings.count), "\(readings.count)")
        let first = readings.prefix(100).compactMap { Int($0) }
        #expect(zip(first, first.dropFirst()).allSatisfy { $1 - $0 == 10 })
    }

    @Test("In pieces of any size, each reading comes once", arguments: [1, 7, 256, 5000]) func pieces(_ size: Int) {
        let history = history(until: 400, period: 0.25, sensors: ["humidity", "barometer"])
        #expect(
            history.readings(seconds: 300, before: 400, pieces: size) == history.readings(seconds: 300, before: 400))
    }

    @Test("What comes after the request is not in its response") func later() {
        let history = history(until: 100, period: 1)
        let query = ReadingHistory.Query(seconds: 3600, time: 50, last: 50)
        #expect(history.readings(query, after: 45, atMost: 100).map(\.number) == Array(46...50))
        #expect(history.readings(query, after: 50, atMost: 100).isEmpty)
    }

    @Test("A sensor whose period is a second loses none") func second() {
        let readings = history(until: 1000, period: 1).readings(seconds: 3600, before: 1000)
        #expect(readings == (1...1000).map(String.init))
    }

    @Test("The last reading of a sensor stays, however old it is") func last() {
        var history = ReadingHistory()
        history.add("battery", number: 1, of: "battery", at: 0)
        history.add("keys", number: 2, of: "keys", at: 9000)
        #expect(history.readings(seconds: 1, before: 10_000) == ["battery", "keys"])
    }

    @Test("It is bounded at any rate, and if the clock is set back", arguments: [0.001, 0, -1])
    func bounds(_ step: Double) {
        var history = ReadingHistory()
        for number in 0..<20_000 {
            history.add("\(number)", number: number, of: "keys", at: 1e9 + Double(number) * step)
        }
        let readings = history.readings(seconds: 3600, before: 1e9)
        #expect(readings.count <= ReadingHistory.limits.recent + ReadingHistory.limits.older)
        #expect(readings.last == "19999")
    }
}

extension ReadingHistory {
    /// The readings of the last seconds before a time, as they are sent.
    fileprivate func readings(seconds: Int, before time: Double, pieces size: Int = 256) -> [String] {
        let query = Query(seconds: seconds, time: time, last: .max)
        var found: [Entry] = []
        while true {
            let piece = readings(query, after: found.last?.number ?? -1, atMost: size)
            found += piece
            guard piece.count == size else { return found.map(\.json) }
        }
    }
}
