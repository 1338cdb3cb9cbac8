import NIOCore
import NIOHTTP1

/// A response to a request.
struct PageResponse: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// A file, by its path.
        case file(String)
        /// The events of a browser, which are sent until one side ends.
        case events(EventStream)
    }

    let status: HTTPResponseStatus
    var headers: HTTPHeaders
    let body: Body
    /// Whether the connection ends with it.
    var closes = false
    /// The size of the pieces in which a file is sent, in bytes.
    static let piece = 256 * 1024

    init(_ status: HTTPResponseStatus, _ type: String, _ body: Body) {
        self.status = status
        self.body = body
        // The page loads nothing from elsewhere, runs no inline scripts, and cannot be framed.
        headers = [
            "Content-Type": type,
            "Cache-Control": "no-store",
            "Content-Security-Policy":
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
        ]
    }

    /// A line of text. Refusals close: the rest of a refused request's body is not read.
    static func text(_ status: HTTPResponseStatus, _ text: String, closes: Bool = false) -> PageResponse {
        var response = PageResponse(status, "text/plain; charset=utf-8", .bytes(Array((text + "\n").utf8)))
        response.closes = closes
        return response
    }
}

extension Channel {
    /// Sends a response. Each part waits until the one before is sent, so that a slow reader costs no memory.
    func send(_ response: PageResponse, version: HTTPVersion) async throws {
        var head = HTTPResponseHead(version: version, status: response.status, headers: response.headers)
        if response.closes { head.headers.add(name: "Connection", value: "close") }
        switch response.body {
        case .bytes(let bytes):
            head.headers.add(name: "Content-Length", value: String(bytes.count))
            // It is sent in one piece with the end below.
            write(HTTPServerResponsePart.head(head), promise: nil)
            write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: bytes))), promise: nil)
        case .file(let path):
            // The file may grow meanwhile. Only its present content is sent.
            var rest = try FileRegion(openingFileAt: path)
            defer { try? rest.fileHandle.close() }
            head.headers.add(name: "Content-Length", value: String(rest.readableBytes))
            try await send(.head(head))
            while rest.readableBytes > 0 {
                let count = min(PageResponse.piece, rest.readableBytes)
                let part = FileRegion(
                    fileHandle: rest.fileHandle, readerIndex: rest.readerIndex, endIndex: rest.readerIndex + count)
                try await send(.body(.fileRegion(part)))
                rest.moveReaderIndex(forwardBy: count)
            }
        case .events(let events):
            closeFuture.whenComplete { _ in events.end() }
            try await send(.head(head))
            while let text = try await events.next() {
                try await send(.body(.byteBuffer(ByteBuffer(string: text))))
            }
        }
        try await send(.end(nil))
    }

    private func send(_ part: HTTPServerResponsePart) async throws { try await writeAndFlush(part) }
}

extension FileRegion {
    /// The whole content of a file.
    fileprivate init(openingFileAt path: String) throws {
        let handle = try NIOFileHandle(_deprecatedPath: path)
        do {
            try self.init(fileHandle: handle)
        } catch {
            try? handle.close()
            throw error
        }
    }
}
