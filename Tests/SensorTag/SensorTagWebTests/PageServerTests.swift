import Foundation
import TestSupport
import Testing

@testable import sensortag_web

@Suite("The server of the page holds up") struct PageServerTests {
    @Test("Silent connections make room for new ones, the oldest first; the owner's stream stays")
    func silentConnections() async throws {
        try await WebStand.run(mostConnections: 4) { stand in
            let owner = try await stand.connect(stand.request("GET /events?token=\(stand.token)"))
            try await owner.receives("event: state")
            var silent: [WebClient] = []
            for _ in 0..<3 { silent.append(try await stand.connect("GET /")) }
            // The first visitors may come while the silent ones still have a moment for their requests.
            var tries = 0
            while silent.contains(where: { !$0.isEnded }), tries < 8 {
                tries += 1
                try await stand.connect(stand.request("GET /events")).receives("event: state")
                let ended = silent.map(\.isEnded)
                #expect(!zip(ended, ended.dropFirst()).contains { !$0 && $1 }, "the oldest first: \(ended)")
            }
            #expect(tries < 8)
            stand.hub.send(reading: "{\"number\":1}")
            try await owner.receives("\"number\":1")
        }
    }

    @Test("Visitors' streams make room for the owner; the owner's make room for nobody") func owners() async throws {
        try await WebStand.run(mostConnections: 2) { stand in
            var visitors: [WebClient] = []
            var owners: [WebClient] = []
            for _ in 0..<2 {
                visitors.append(try await stand.connect(stand.request("GET /events")))
                try await visitors.last?.receives("event: state")
            }
            for _ in 0..<2 {
                owners.append(try await stand.connect(stand.request("GET /events?token=\(stand.token)")))
                try await owners.last?.receives("event: state")
            }
            let refused = try await stand.connect(stand.request("GET /"))
            try await refused.ends()
            #expect(refused.text.isEmpty)
            for visitor in visitors { try await visitor.ends() }
            stand.hub.send(reading: "{\"number\":1}")
            for owner in owners { try await owner.receives("\"number\":1") }
        }
    }

    @Test("A connection without a request makes room, and its last response arrives whole")
    func idleConnections() async throws {
        try await WebStand.run(mostConnections: 2) { stand in
            var clients: [WebClient] = []
            for _ in 0..<4 {
                clients.append(try await stand.connect(stand.request("GET /icon.svg")))
                try await clients.last?.receives("</svg>")
            }
            for client in clients.dropLast(2) {
                try await client.ends()
                #expect(!client.wasReset)
            }
        }
    }

    @Test("Streams of visitors are limited, and the owner still gets one") func streams() async throws {
        try await WebStand.run { stand in
            var visitors: [WebClient] = []
            for _ in 0..<EventHub.limit - EventHub.reserve {
                visitors.append(try await stand.connect(stand.request("GET /events")))
                try await visitors.last?.receives("event: state")
            }
            let refused = try await stand.connect(stand.request("GET /events"))
            try await refused.receives("Too many browsers")
            #expect(refused.text.hasPrefix("HTTP/1.1 503 "))
            let owner = try await stand.connect(stand.request("GET /events?token=\(stand.token)"))
            try await owner.receives("event: state")
            try await visitors[0].close()
            try await Patience.wait(for: "a place") { stand.hub.count == EventHub.limit - EventHub.reserve }
            try await stand.connect(stand.request("GET /events")).receives("event: state")
        }
    }

    @Test("A head that is too long ends the connection", arguments: ["X: ", "X-1: a\r\n", "GET /"])
    func longHeads(_ part: String) async throws {
        try await WebStand.run { stand in
            let start = part.hasPrefix("GET") ? "" : stand.request("GET /").dropLast(2)
            let client = try await stand.connect(start + String(repeating: part, count: 20_000 / part.count))
            try await client.ends()
            #expect(client.text.isEmpty || client.text.hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test(
        "What is no HTTP is refused",
        arguments: [
            "\u{0}\u{1}\u{2}\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "HELLO\r\n\r\n", "GET / HTTP/1.1\r\n: a\r\n\r\n",
        ])
    func garbage(_ text: String) async throws {
        try await WebStand.run { stand in
            let client = try await stand.connect(text)
            try await client.ends()
            #expect(client.text.hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test("A body that is too long is refused before all of it has come, and the reason can be read")
    func longBodies() async throws {
        try await WebStand.run { stand in
            let head = stand.request("POST /command", "X-Token: \(stand.token)", "Content-Length: 1000000")
            let client = try await stand.connect(head + String(repeating: "x", count: 2000))
            try await client.receives("A command has at most")
            #expect(client.text.hasPrefix("HTTP/1.1 413 "))
            try await client.send(String(repeating: "x", count: 100_000))
            try await client.ends()
        }
    }

    @Test("A connection serves one request after the other, and keeps one meanwhile") func order() async throws {
        try await WebStand.run { stand in
            let client = try await stand.connect(stand.request("GET /icon.svg"))
            try await client.receives("</svg>")
            try await client.send(stand.request("GET /page.css"))
            try await client.receives("text/css")
            let eager = try await stand.connect(stand.request("GET /events"))
            try await eager.receives("event: state")
            for _ in 0..<2 { try await eager.send(stand.request("GET /")) }
            try await eager.ends()
            try await Patience.wait(for: "its place") { stand.hub.count == 0 }
        }
    }

    @Test("HTTP/1.0 is answered without chunks, and closed") func oldVersion() async throws {
        try await WebStand.run { stand in
            let old = stand.request("GET /events").replacing("HTTP/1.1", with: "HTTP/1.0")
            let client = try await stand.connect(old)
            try await client.receives("\r\n\r\nevent: state")
            #expect(client.text.contains("Connection: close") && !client.text.lowercased().contains("chunked"))
        }
    }

    @Test("The end of the server leaves no response in memory") func release() async throws {
        weak var hub: EventHub?
        try await WebStand.run { stand in
            hub = stand.hub
            for _ in 0..<EventHub.limit - EventHub.reserve {
                try await stand.connect(stand.request("GET /events")).receives("event: state")
            }
        }
        try await Patience.wait(for: "the hub's release") { hub == nil }
    }

    @Test("A connection has no option that only root may set") func privileges() async throws {
        try await WebStand.run { stand in
            let client = try await stand.connect(stand.request("GET /icon.svg"))
            try await client.receives("</svg>")
            // The number of TCP_NODELAY is SO_DEBUG's at the level of sockets.
            let debugged = (CInt(0)..<1024).filter { descriptor in
                var (value, size) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
                return unsafe getsockopt(descriptor, SOL_SOCKET, SO_DEBUG, &value, &size) == 0 && value != 0
            }
            #expect(debugged.isEmpty)
        }
    }
}
