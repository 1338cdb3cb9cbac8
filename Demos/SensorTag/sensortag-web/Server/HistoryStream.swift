/// The last readings of a tag as one JSON object, in pieces. The next piece is made when the last one has been sent, so
/// that a browser that does not read costs no memory.
struct HistoryStream: Sendable {
    /// How many readings a piece has at most: some 50 kB of them.
    static let piece = 256

    private let tag: String
    private let query: ReadingHistory.Query
    private let station: TagStation
    /// The number of the last reading that was sent; nil before the first piece.
    private var sent: Int?
    private var isComplete = false

    init(of tag: String, _ query: ReadingHistory.Query, in station: TagStation) {
        self.tag = tag
        self.query = query
        self.station = station
    }

    /// The next piece; nil at the end. Throws if the tag is no longer in the list.
    mutating func next() async throws -> String? {
        guard !isComplete else { return nil }
        guard let entries = await station.readings(of: tag, query, after: sent ?? 0, atMost: Self.piece) else {
            throw CancellationError()
        }
        isComplete = entries.count < Self.piece
        let separator = sent == nil ? "{\"readings\":[" : entries.isEmpty ? "" : ","
        sent = entries.last?.number ?? sent
        return separator + entries.map(\.json).joined(separator: ",") + (isComplete ? "]}" : "")
    }
}
