import BlueZDBus
import CoreBlueZ
import FoundationEssentials
import NIOHTTP1

/// Responds to requests.
final class Responder: Sendable {
    private let station: TagStation
    private let hub: EventHub
    private let access = Lock<Access?>(nil)
    /// The responses that have begun and not ended.
    private let responses = Lock<Set<Task<Void, Never>>>([])

    init(station: TagStation, hub: EventHub) {
        self.station = station
        self.hub = hub
    }

    /// Starts responding, with these access rules.
    func open(_ access: Access) { self.access.withLock { $0 = access } }

    /// Stops responding, and ends the streams.
    func close() {
        access.withLock { $0 = nil }
        hub.close()
    }

    /// Notes that a response has begun.
    func began(_ response: Task<Void, Never>) { responses.withLock { _ = $0.insert(response) } }

    /// Notes that a response has ended.
    func ended(_ response: Task<Void, Never>) { responses.withLock { _ = $0.remove(response) } }

    /// Waits for the end of the responses that have begun. Their connections must have ended, or their browsers decide.
    func waitForResponses() async {
        for response in responses.withLock(\.self) { await response.value }
    }

    /// Whether a request has the secret.
    func isOwner(_ request: PageRequest) -> Bool {
        access.withLock { $0 }?.isSecret(request.token) == true
    }

    /// The reason for which a request is refused, regardless of its body; nil if it is not.
    func refusal(of request: PageRequest) -> PageResponse? {
        guard let access = access.withLock({ $0 }) else { return .text(.serviceUnavailable, "Not ready", closes: true) }
        let refusal = access.refusal(
            host: request.headers.first(name: "Host"), origin: request.headers.first(name: "Origin"),
            token: request.token, changes: request.method != .GET)
        if let refusal { return .text(.forbidden, refusal.text, closes: true) }
        switch (request.method, request.path) {
        case (.GET, _), (.POST, "/command"): return nil
        case (.POST, _): return .text(.notFound, "There is no such command", closes: true)
        default: return .text(.methodNotAllowed, "Only GET and POST are known", closes: true)
        }
    }

    /// The response to a request that is not refused.
    func response(to request: PageRequest) async -> PageResponse {
        switch (request.method, request.path) {
        case (.GET, "/events"): events(isOwner: isOwner(request))
        case (.GET, "/history"): await history(request)
        case (.GET, let path) where path.hasPrefix("/recordings/"):
            await recording(of: String(path.dropFirst("/recordings/".count)))
        case (.GET, let path): Self.file(path)
        default: await command(request)
        }
    }

    private func events(isOwner: Bool) -> PageResponse {
        guard let mailbox = hub.subscribe(isOwner: isOwner) else {
            return .text(.serviceUnavailable, "Too many browsers look at this page")
        }
        return PageResponse(.ok, "text/event-stream", .events(EventStream(mailbox, of: hub)))
    }

    private func history(_ request: PageRequest) async -> PageResponse {
        guard let tag = request.query["tag"], let seconds = request.query["seconds"].flatMap({ Int($0) }),
            ReadingHistory.spans.contains(seconds)
        else { return .text(.badRequest, "Give a tag and 1 to \(ReadingHistory.spans.upperBound) seconds") }
        guard let history = await station.history(of: tag, seconds: seconds) else {
            return .text(.notFound, "There is no tag \(tag)")
        }
        return PageResponse(.ok, "application/json", .history(history))
    }

    private func command(_ request: PageRequest) async -> PageResponse {
        guard request.headers.first(name: "Content-Type") == "application/json",
            let command = try? JSONDecoder().decode(PageCommand.self, from: Data(request.body))
        else { return .text(.badRequest, "This is not a command") }
        if let problem = await station.perform(command) { return .text(.conflict, problem) }
        return PageResponse(.accepted, "text/plain", .bytes([]))
    }

    private func recording(of name: String) async -> PageResponse {
        guard let recording = await station.recording(named: name) else {
            return .text(.notFound, "There is no such recording")
        }
        var response = PageResponse(.ok, "text/csv; charset=utf-8", .recording(recording))
        response.headers.add(
            name: "Content-Disposition", value: "attachment; filename=\"\(recording.downloadName)\"")
        return response
    }

    private static func file(_ path: String) -> PageResponse {
        guard let file = PageFile(path: path) else { return .text(.notFound, "There is no such page") }
        return PageResponse(.ok, file.type, .bytes(file.bytes))
    }

    /// The response to a body that is longer than any command.
    static let tooLong = PageResponse.text(
        .payloadTooLarge, "A command has at most \(PageCommand.longest) bytes", closes: true)
}
