import BlueZDBus

/// Splits one direction of a client's connection to a bus into messages: the lines of the authentication first, then
/// messages by the sizes in their headers (D-Bus specification, "Authentication Protocol" and "Message Format").
struct MessageSplitter {
    /// The side that sends.
    enum Side {
        case client, bus
    }

    private enum Phase {
        case authentication, messages
        /// What came is neither a line nor a message. Whoever receives it decides what happens.
        case unknown
    }

    /// The bytes that have come since the last complete message.
    var remainder: ArraySlice<UInt8> { buffer[begin...] }

    /// Whether the lines of the authentication are still coming.
    var isAuthenticating: Bool { phase == .authentication }

    /// Whether the bytes are not understood. Those that come from now on are not kept.
    var isLost: Bool { phase == .unknown }

    private let side: Side
    private var phase = Phase.authentication
    private var buffer: [UInt8] = []
    private var begin = 0

    /// The greatest length of a line. libdbus accepts 16 KiB (dbus/dbus-auth.c: MAX_BUFFER).
    private static let lineLimit = 16384

    init(from side: Side) {
        self.side = side
    }

    /// Adds bytes that have come. Take all messages with `next` first.
    mutating func append(_ bytes: [UInt8]) {
        guard phase != .unknown else { return }
        if begin == buffer.count {
            buffer = bytes
        } else {
            buffer.removeFirst(begin)
            buffer += bytes
        }
        begin = 0
        if phase == .authentication { skipLines() }
    }

    /// Removes and returns the next complete message, or returns nil if there is none.
    mutating func next() -> ArraySlice<UInt8>? {
        guard phase == .messages else { return nil }
        do throws(DBusError) {
            guard let size = try Message.size(startingWith: remainder), size <= remainder.count else { return nil }
            defer { begin += size }
            return remainder.prefix(size)
        } catch {
            lose()
            return nil
        }
    }

    /// Stops splitting, because the bytes are not understood.
    mutating func lose() {
        phase = .unknown
    }

    /// Skips the lines of the authentication. The client's last line is BEGIN. The first byte that the bus sends after
    /// its last line is a message's byte order, `l` or `B`, with which no line of the bus begins.
    private mutating func skipLines() {
        // The byte that carries the credentials.
        if side == .client, remainder.first == 0 { begin += 1 }
        while let first = remainder.first {
            if side == .bus, first == UInt8(ascii: "l") || first == UInt8(ascii: "B") {
                phase = .messages
                return
            }
            guard let end = remainder.firstIndex(of: UInt8(ascii: "\n")) else {
                if remainder.count > Self.lineLimit { lose() }
                return
            }
            let line = remainder[..<end]
            begin = end + 1
            if side == .client, line.elementsEqual("BEGIN\r".utf8) {
                phase = .messages
                return
            }
        }
    }
}
