import ArgumentParser
import CoreBlueZ
import FoundationEssentials

/// Finds the end of a reply: after the line for which `isLast` returns true. Lines end with LF, CR or both; empty ones
/// do not count. A pause also ends the last line, such as a prompt.
@BluetoothActor final class ReplyEnd {
    private let isLast: (_ line: String, _ number: Int) -> Bool
    private var number = 0
    /// The beginning of the first incomplete line, and the position up to which its end was searched.
    private var start = 0
    private var searched = 0

    init(_ isLast: @escaping (_ line: String, _ number: Int) -> Bool) {
        self.isLast = isLast
    }

    /// Another reply begins.
    func begin() {
        (number, start, searched) = (0, 0, 0)
    }

    /// The length of the reply; nil if it is incomplete.
    ///
    /// - Parameters:
    ///   - received: what has arrived since `begin`.
    ///   - isPause: whether nothing has followed for a while.
    func length(_ received: Data, isPause: Bool) -> Int? {
        let bytes = [UInt8](received)
        if bytes.count < start { begin() }
        while let end = bytes[min(searched, bytes.count)...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
            var next = end + 1
            if bytes[end] == 0x0D {
                // A line feed may follow.
                if next == bytes.count, !isPause { return nil }
                if next < bytes.count, bytes[next] == 0x0A { next += 1 }
            }
            let line = bytes[start..<end]
            (start, searched) = (next, next)
            guard !line.isEmpty else { continue }
            number += 1
            if isLast(String(decoding: line, as: UTF8.self), number) { return next }
        }
        searched = bytes.count
        guard isPause, start < bytes.count else { return nil }
        return isLast(String(decoding: bytes[start...], as: UTF8.self), number + 1) ? bytes.count : nil
    }
}

/// `--until`: a regular expression.
struct ReplyPattern: ExpressibleByArgument {
    private let text: String

    init?(argument: String) {
        guard !argument.isEmpty, (try? Regex(argument)) != nil else { return nil }
        text = argument
    }

    /// Returns whether the expression matches somewhere in a line.
    var matcher: (String) -> Bool {
        // `init` has compiled it before, so it is valid.
        guard let regex = try? Regex(text) else { return { _ in false } }
        return { line in (try? regex.firstMatch(in: line)) != nil }
    }
}
