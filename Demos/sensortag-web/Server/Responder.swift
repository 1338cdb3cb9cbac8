import CoreBlueZ
import DBus
import FlyingFox
import FlyingSocks
import Foundation

/// Responds to requests.
final class Responder: HTTPHandler {
    private let station: TagStation
    private let hub: EventHub
    private let access = Lock<Access?>(nil)

    init(station: TagStation, hub: EventHub) {
        self.station = station
        self.hub = hub
    }

    /// Responds from now on, with these rights.
    func open(_ access: Access) { self.access.withLock { $0 = access } }

    /// Stops responding, and ends the streams.
    func close() {
        access.withLock { $0 = nil }
        hub.close()
    }

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let access = access.withLock({ $0 }) else { return Self.text(.serviceUnavailable, "Not ready") }
        let changes = request.method != .GET
        let refusal = access.refusal(
            host: request.headers[.host], origin: request.headers[HTTPHeader("Origin")],
            token: request.headers[HTTPHeader("X-Token")], changes: changes)
        if let refusal { return Self.text(.forbidden, refusal.text, closes: true) }
        switch (request.method, request.path) {
        case (.GET, "/events"): return events()
        case (.GET, let path) where path.hasPrefix("/recordings/"):
            return await recording(of: String(path.dropFirst("/recordings/".count)))
        case (.GET, let path): return Self.file(path)
        case (.POST, "/command"): return try await command(request)
        case (.POST, _): return Self.text(.notFound, "There is no such command", closes: true)
        default: return Self.text(.methodNotAllowed, "Only GET and POST are known", closes: true)
        }
    }

    private func events() -> HTTPResponse {
        guard let mailbox = hub.subscribe() else {
            return Self.text(.serviceUnavailable, "Too many browsers look at this page")
        }
        return HTTPResponse(
            statusCode: .ok, headers: Self.headers("text/event-stream"),
            body: HTTPBodySequence(from: EventBody(mailbox, of: hub), suggestedBufferSize: 65536))
    }

    private func command(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let length = request.headers[.contentLength].flatMap({ Int($0) }), length <= PageCommand.longest else {
            return Self.text(.payloadTooLarge, "A command has at most \(PageCommand.longest) bytes", closes: true)
        }
        guard request.headers[.contentType] == "application/json",
            let command = try? JSONDecoder().decode(PageCommand.self, from: try await request.bodyData)
        else { return Self.text(.badRequest, "This is not a command") }
        if let problem = await station.perform(command) { return Self.text(.conflict, problem) }
        return HTTPResponse(statusCode: .accepted, headers: Self.headers("text/plain"))
    }

    private func recording(of name: String) async -> HTTPResponse {
        guard let recording = await station.recording(named: name),
            let body = try? HTTPBodySequence(file: recording.file)
        else { return Self.text(.notFound, "There is no such recording") }
        var headers = Self.headers("text/csv; charset=utf-8")
        headers[.contentDisposition] = "attachment; filename=\"\(recording.downloadName)\""
        return HTTPResponse(statusCode: .ok, headers: headers, body: body)
    }

    private static func file(_ path: String) -> HTTPResponse {
        guard let file = PageFile(path: path) else { return text(.notFound, "There is no such page") }
        return HTTPResponse(statusCode: .ok, headers: headers(file.type), body: Data(file.bytes))
    }

    private static func text(_ status: HTTPStatusCode, _ text: String, closes: Bool = false) -> HTTPResponse {
        var headers = headers("text/plain; charset=utf-8")
        // The rest of a refused request's body is not read.
        if closes { headers[.connection] = "close" }
        return HTTPResponse(statusCode: status, headers: headers, body: Data((text + "\n").utf8))
    }

    /// The page loads nothing from elsewhere, runs no inline scripts, and cannot be framed.
    private static func headers(_ type: String) -> HTTPHeaders {
        [
            .contentType: type,
            .cacheControl: "no-store",
            HTTPHeader("Content-Security-Policy"):
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            HTTPHeader("X-Content-Type-Options"): "nosniff",
            HTTPHeader("Referrer-Policy"): "no-referrer",
            HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
        ]
    }
}
