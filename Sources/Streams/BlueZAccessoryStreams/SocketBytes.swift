import Glibc

/// The streams' system calls.
enum SocketBytes {
    /// Reads into memory that the stream's caller provides, and blocks if there are no bytes.
    ///
    /// - Returns: the number of bytes read, 0 at the end, or an errno value.
    static func read(_ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer) -> Result<Int, Failure> {
        while true {
            let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count >= 0 { return .success(count) }
            if errno != EINTR { return .failure(Failure(number: errno)) }
        }
    }

    /// Writes as many bytes as there is space for, and blocks if there is none.
    ///
    /// - Returns: the number of bytes written, or an errno value.
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

    /// An errno value of the system.
    struct Failure: Error {
        let number: CInt
    }

    static func isReadable(_ descriptor: CInt) -> Bool { events(descriptor, POLLIN) != 0 }
    static func isWritable(_ descriptor: CInt) -> Bool { events(descriptor, POLLOUT) & Int16(POLLOUT) != 0 }
    static func isHungUp(_ descriptor: CInt) -> Bool { events(descriptor, 0) & Int16(POLLHUP | POLLERR) != 0 }

    /// Returns whether there is nothing left to read, and nothing more can arrive.
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
