import NIOCore
import NIOHTTP1
import NIOPosix

/// A response to a request.
struct PageResponse: Sendable {
    enum Body: Sendable {
        /// A short text, or a file of the page: they take less than a piece.
        case bytes([UInt8])
        /// The present content of a recording.
        case recording(Recording)
        /// The last readings of a tag.
        case history(HistoryStream)
        /// The events of a browser, which are sent until one side ends.
        case events(EventStream)
    }

    let status: HTTPResponseStatus
    var headers: HTTPHeaders
    let body: Body
    /// Whether the connection ends with it.
    var closes = false
    /// The size of the pieces in which a recording is sent, in bytes.
    static let piece = 64 * 1024

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
    /// Sends a response. A part is made when the kernel has taken the one before, so that a browser that does not read
    /// costs one part, and what the kernel's buffer holds.
    func send(_ response: PageResponse, version: HTTPVersion) async throws {
        var head = HTTPResponseHead(version: version, status: response.status, headers: response.headers)
        if response.closes { head.headers.add(name: "Connection", value: "close") }
        switch response.body {
        case .bytes(let bytes):
            head.headers.add(name: "Content-Length", value: String(bytes.count))
            // It is sent in one piece with the end below.
            write(HTTPServerResponsePart.head(head), promise: nil)
            write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: bytes))), promise: nil)
        case .recording(let recording):
            // The file may grow meanwhile. Only its present content is sent.
            var rest = try FileRegion(openingFileAt: recording.file.path)
            defer {
                try? rest.fileHandle.close()
                // As long as somebody downloads it, the tag can discard it.
                withExtendedLifetime(recording) {}
            }
            head.headers.add(name: "Content-Length", value: String(rest.readableBytes))
            try await send(.head(head))
            while rest.readableBytes > 0 {
                let count = min(PageResponse.piece, rest.readableBytes)
                try await send(.body(.byteBuffer(read(count, of: rest))))
                rest.moveReaderIndex(forwardBy: count)
            }
        case .history(var history):
            try await send(.head(head))
            while let text = try await history.next() {
                try await send(.body(.byteBuffer(ByteBuffer(string: text))))
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

    /// Reads the first bytes of a region. They are not left to sendfile(2): it sends nothing of a file that has become
    /// shorter, and NIO tries again at once, forever.
    private func read(_ count: Int, of region: FileRegion) async throws -> ByteBuffer {
        let part = FileRegion(
            fileHandle: region.fileHandle, readerIndex: region.readerIndex, endIndex: region.readerIndex + count)
        let bytes = try await NonBlockingFileIO(threadPool: .singleton)
            .read(fileRegion: part, allocator: allocator, eventLoop: eventLoop).get()
        guard bytes.readableBytes == count else { throw ChannelError.eof }
        return bytes
    }
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
