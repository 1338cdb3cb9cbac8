/// Puts rows in the order of their times: the row of a request, which begins with it, is known with its response.
struct OrderedRows {
    private enum Slot {
        case row(RecordingTimeline.Row)
        /// The number of a request whose row is not known yet.
        case request(Int64)
    }

    /// More rows don't wait for a response.
    private static let mostRows = 10_000
    private static let mostBytes = 4 << 20

    private var slots: [Slot] = []
    /// The positions of requests, counted from the first row of all.
    private var positions: [Int64: Int] = [:]
    /// How many slots have been removed, in all and from the beginning of `slots`.
    private var removed = 0
    private var taken = 0
    private var bytes = 0

    mutating func append(_ row: RecordingTimeline.Row) {
        bytes += row.text.utf8.count
        slots.append(.row(row))
    }

    /// Reserves the place for the row of a request.
    mutating func reserve(_ request: Int64) {
        positions[request] = removed + slots.count - taken
        slots.append(.request(request))
    }

    /// Adds the row of a request to its place; if that has gone, to the end.
    mutating func fill(_ request: Int64, with row: RecordingTimeline.Row, orAtEnd late: RecordingTimeline.Row) {
        guard let position = positions.removeValue(forKey: request) else { return append(late) }
        bytes += row.text.utf8.count
        slots[position - removed + taken] = .row(row)
    }

    /// The first request, if too many rows wait for it.
    var overdue: Int64? {
        guard slots.count - taken > Self.mostRows || bytes > Self.mostBytes else { return nil }
        guard taken < slots.count, case .request(let request) = slots[taken] else { return nil }
        return request
    }

    /// Takes the rows that wait for nothing.
    mutating func take() -> [RecordingTimeline.Row] {
        var rows: [RecordingTimeline.Row] = []
        while taken < slots.count, case .row(let row) = slots[taken] {
            rows.append(row)
            bytes -= row.text.utf8.count
            taken += 1
            removed += 1
        }
        if taken > slots.count / 2 {
            slots.removeFirst(taken)
            taken = 0
        }
        return rows
    }
}
