import NIOHTTP1

/// A request as the responder needs it.
struct PageRequest: Sendable {
    let method: HTTPMethod
    /// The path, without the query.
    let path: String
    /// The first value of each name of the query. The page requests nothing that needs percent encoding, except colons.
    let query: [String: String]
    let headers: HTTPHeaders
    let version: HTTPVersion
    /// Whether the connection serves further requests after this one.
    let isKeptAlive: Bool
    /// At most `PageCommand.longest` bytes.
    var body: [UInt8] = []

    init(_ head: HTTPRequestHead) {
        method = head.method
        headers = head.headers
        version = head.version
        // Without chunks, only the connection's end shows where a response of unknown length ends.
        isKeptAlive = head.isKeepAlive && head.version != .http1_0
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts[0])
        let items = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { item in
            let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(sides[0]), sides.count > 1 ? String(sides[1]).replacing("%3A", with: ":") : "")
        }
        query = Dictionary(items) { first, _ in first }
    }

    /// The secret of the request: in a header, or in the query, because a browser's event source sends no headers.
    var token: String? { headers.first(name: "X-Token") ?? query["token"] }
}
