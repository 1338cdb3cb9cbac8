import Glibc

/// The streams' system calls.
enum SocketBytes {
    /// Reads into memory that the stream's caller provides; waits if there is nothing.
    ///
    /// - Returns: how many bytes were read, 0 at the end, or an error number.
    static func read(_ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer) -> Result<Int, Failure> {
        while true {
            let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count >= 0 { return .success(count) }
            if errno != EINTR { return .failure(Failure(number: errno)) }
        }
    }

    /// Writes as much as there is room for; waits if there is none.
    ///
    /// - Returns: how many bytes were written, or an error number.
    static func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Result<Int, Failure> {
        while true {
            let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
            let count = unsafe send(descriptor, bytes.baseAddress, bytes.count, flags)
            if count >= 0 { return .success(count) }
            switch errno {
            case EAGAIN: _ = events(descriptor, POLLOUT, wait: -1)
            case EINTR: continue
            default: return .failure(Failure(number: errno))
            }
        }
    }

    /// An error number of the system.
    struct Failure: Error {
        let number: CInt
    }

    static func isReadable(_ descriptor: CInt) -> Bool { events(descriptor, POLLIN) != 0 }
    static func isWritable(_ descriptor: CInt) -> Bool { events(descriptor, POLLOUT) & Int16(POLLOUT) != 0 }
    static func isHungUp(_ descriptor: CInt) -> Bool { events(descriptor, 0) & Int16(POLLHUP | POLLERR) != 0 }

    /// Whether nothing is left to read and nothing can come.
    static func isAtEnd(_ descriptor: CInt) -> Bool {
        var byte: UInt8 = 0
        let flags = CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)
        return unsafe recv(descriptor, &byte, 1, flags) == 0
    }

    private static func events(_ descriptor: CInt, _ wanted: CInt, wait: CInt = 0) -> Int16 {
        var state = pollfd(fd: descriptor, events: Int16(wanted), revents: 0)
        return unsafe poll(&state, 1, wait) > 0 ? state.revents : 0
    }
}
