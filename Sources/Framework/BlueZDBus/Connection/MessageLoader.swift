import CBlueZDBus
import Glibc

/// Reads from the bus, and splits the bytes into messages.
///
/// It has its own descriptor for libdbus's socket. libdbus may close its own while sending, and another file could then
/// get the number. A message that it returns is stored in the buffer until `release`.
@safe final class MessageLoader {
    let descriptor: CInt
    /// Whether the other end has closed, or the connection has failed, so that nothing more arrives.
    private(set) var hasEnded = false

    private let paths = PathCache()
    private let headers = HeaderCache()
    private var buffer: UnsafeMutableRawPointer
    /// The buffer for received descriptors.
    private let control = UnsafeMutableRawPointer.allocate(byteCount: ControlData.size, alignment: 8)
    private(set) var capacity = MessageLoader.usualCapacity
    /// The position of the bytes that were read but not taken yet.
    private var begin = 0
    private var end = 0
    /// Received descriptors, in the order of their messages.
    private var descriptors: [UnixFileDescriptor] = []
    /// The last message, if it was not kept.
    private var spare: Message?

    private static let usualCapacity = 32768
    /// libdbus's own limit (DBUS_DEFAULT_MESSAGE_UNIX_FDS).
    private static let descriptorLimit = 1024

    /// - Parameter descriptor: libdbus's socket, after authentication. Before that, libdbus reads from it.
    init(duplicating descriptor: CInt) throws(DBusError) {
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard self.descriptor >= 0 else { throw .system("fcntl", errno) }
        guard let buffer = unsafe malloc(capacity) else {
            close(self.descriptor)
            throw .noMemory
        }
        unsafe self.buffer = unsafe buffer
    }

    deinit {
        close(descriptor)
        unsafe free(buffer)
        unsafe control.deallocate()
    }

    // MARK: Messages

    /// Returns the next complete message, or nil if there is none.
    func next() throws(InvalidMessage) -> Message? {
        let unread = unsafe WireBytes(buffer + begin, count: end - begin)
        guard let size = try MessageValidator.size(unread), size <= unread.count else {
            // These descriptors belong to no message.
            if begin == end, !descriptors.isEmpty { descriptors = [] }
            return nil
        }
        let valid = try unsafe MessageValidator(buffer + begin, count: size).validate(cache: headers)
        begin += size
        let taken = try takeDescriptors(valid.header.descriptorCount)
        guard let message = spare, let contents = message.readContents else {
            return Message(MessageContents(valid, taken, paths))
        }
        spare = nil
        contents.reuse(valid, taken)
        return message
    }

    private func takeDescriptors(_ count: UInt32) throws(InvalidMessage) -> [UnixFileDescriptor] {
        guard count > 0 else { return [] }
        guard count <= descriptors.count else { throw InvalidMessage("its file descriptors did not come with it") }
        defer { descriptors.removeFirst(Int(count)) }
        return Array(descriptors.prefix(Int(count)))
    }

    /// Releases a message that was delivered. If something else retains it, it keeps its bytes.
    func release(_ message: inout Message?) {
        // This is checked first, because each variable below is a reference.
        let isMessageKept = !isKnownUniquelyReferenced(&message)
        guard let message else { return }
        let areContentsKept = message.areContentsKept
        guard let contents = message.readContents else { return }
        guard !isMessageKept, !areContentsKept else { return keep(contents) }
        contents.clear()
        spare = message
    }

    /// Moves the buffer into a message that made it grow, so that the list of all of bluetoothd's objects does not
    /// exist twice.
    private func keep(_ contents: MessageContents) {
        let size = Swift.max(Self.usualCapacity, end - begin)
        guard capacity > Self.usualCapacity, end - begin < begin, unsafe contents.begins(at: buffer),
            let next = unsafe malloc(size)
        else { return contents.own() }
        unsafe memcpy(next, buffer + begin, end - begin)
        unsafe contents.own(realloc(buffer, begin) ?? buffer)
        unsafe buffer = unsafe next
        (begin, end, capacity) = (0, end - begin, size)
    }

    // MARK: Bytes

    /// Reads the available bytes, as far as there is space. It never waits. Call it when `next` has returned nil.
    ///
    /// - Returns: whether anything was read.
    func read() throws(InvalidMessage) -> Bool {
        try makeRoom()
        var part = unsafe iovec(iov_base: buffer + end, iov_len: capacity - end)
        let (count, flags, controlSize) = unsafe withUnsafeMutablePointer(to: &part) { part in
            var message = unsafe msghdr(
                msg_name: nil, msg_namelen: 0, msg_iov: part, msg_iovlen: 1, msg_control: control,
                msg_controllen: ControlData.size, msg_flags: 0)
            let count = unsafe recvmsg(descriptor, &message, CInt(MSG_DONTWAIT) | CInt(MSG_CMSG_CLOEXEC))
            return unsafe (count, message.msg_flags, message.msg_controllen)
        }
        guard count > 0 else {
            hasEnded = count == 0 || errno != EAGAIN && errno != EINTR
            return false
        }
        end += count
        guard controlSize > 0 else { return true }
        descriptors += unsafe ControlData.takeDescriptors(UnsafeRawBufferPointer(start: control, count: controlSize))
        guard flags & CInt(MSG_CTRUNC) == 0, descriptors.count <= Self.descriptorLimit else {
            throw InvalidMessage("more file descriptors came than can be received")
        }
        return true
    }

    /// Moves the beginning of a message to the beginning of the buffer. If the message fills the buffer, the buffer
    /// grows, but no faster than bytes arrive, because an announced length may be wrong. After a long message, it gets
    /// its usual size again.
    private func makeRoom() throws(InvalidMessage) {
        if begin == end {
            (begin, end) = (0, 0)
            if capacity > Self.usualCapacity { try resize(Self.usualCapacity) }
        } else if begin > 0 {
            unsafe memmove(buffer, buffer + begin, end - begin)
            (begin, end) = (0, end - begin)
        }
        if end == capacity { try resize(2 * capacity) }
    }

    private func resize(_ newCapacity: Int) throws(InvalidMessage) {
        guard let resized = unsafe realloc(buffer, newCapacity) else {
            throw InvalidMessage("there is no memory for it")
        }
        unsafe buffer = unsafe resized
        capacity = newCapacity
    }
}
