import CBlueZDBus
import Glibc

/// A pipe on which a child process prints one line.
final class Pipe {
    let readEnd: CInt
    private(set) var writeEnd: CInt

    init() throws(DBusError) {
        var ends: [CInt] = [-1, -1]
        guard unsafe cdbus_pipe(&ends) == 0 else { throw .system("pipe", errno) }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        close(readEnd)
        closeWriteEnd()
    }

    func closeWriteEnd() {
        guard writeEnd >= 0 else { return }
        close(writeEnd)
        writeEnd = -1
    }

    /// Waits for a whole line, and returns it. Nil if none arrived in time. It is empty or incomplete if the other end
    /// was closed first.
    func readLine(within time: Duration) -> String? {
        let end = MonotonicInstant.real.advanced(by: time)
        var bytes: [UInt8] = []
        while !bytes.contains(UInt8(ascii: "\n")) {
            guard MonotonicInstant.real < end else { return nil }
            var descriptor = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&descriptor, 1, PollTimeout.milliseconds(until: end)) > 0 else { continue }
            var buffer = [UInt8](repeating: 0, count: 512)
            let count = unsafe read(readEnd, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
