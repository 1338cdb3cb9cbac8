import Dispatch
import Glibc

/// The typed input, line by line. Reading blocks, so each line is read on its own thread.
final class TypedLines: Sendable {
    private let queue = DispatchQueue(label: "standard input")
    private let lines = AsyncStream<String>.makeStream()

    /// The next line that is not empty, or 64 KiB of it; nil at the end of the input, after `end` or a cancellation.
    func next() async -> String? {
        queue.async { [self] in
            var line: [UInt8] = []
            while line.count < 1 << 16, let byte = UInt8(exactly: getchar()), byte != 10 || line.isEmpty {
                if byte != 10 { line.append(byte) }
            }
            if line.isEmpty { end() } else { lines.continuation.yield(String(decoding: line, as: UTF8.self)) }
        }
        return await lines.stream.first { _ in true }
    }

    func end() { lines.continuation.finish() }
}
