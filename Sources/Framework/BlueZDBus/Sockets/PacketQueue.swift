import CBlueZDBus
import FoundationEssentials
import Glibc

/// A queue of packets that were received from a socket and not taken yet, in one buffer that grows with them.
@safe public final class PacketQueue {
    /// Not stored in a property because of exclusivity checks (CONTRIBUTING, "Fast code").
    private let state: UnsafeMutablePointer<State>

    /// - Parameter packetLimit: the maximum number of bytes of a packet that are kept. The rest is lost.
    public init(_ socket: PacketSocket, packetLimit: Int) {
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: State(socket, packetLimit: packetLimit))
    }

    deinit {
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    /// The number of waiting packets.
    public var count: Int { unsafe state.pointee.count }

    /// Whether the other end is closed and all its packets were received.
    public var isAtEnd: Bool { unsafe state.pointee.isAtEnd }

    /// Receives available packets, until at least this many wait, or 512 bytes for each of them. It never waits.
    public func receive(upTo limit: Int) { unsafe state.pointee.receive(upTo: limit) }

    /// Removes and returns the oldest packet, or returns nil if none is waiting.
    public func popFirst() -> Data? { unsafe state.pointee.popFirst() }

    /// Drops the waiting packets.
    public func removeAll() { unsafe state.pointee.removeAll() }
}

@safe private struct State: ~Copyable {
    private(set) var count = 0
    private(set) var isAtEnd = false

    private let socket: PacketSocket
    private let packetLimit: Int
    /// The arguments of one system call: each packet's header, its part of the memory, and that memory.
    private let headers = UnsafeMutablePointer<cdbus_packet>.allocate(capacity: slots)
    private let parts = UnsafeMutablePointer<iovec>.allocate(capacity: slots)
    private let memory: UnsafeMutableRawPointer
    /// The waiting packets, each after its length.
    private var buffer: UnsafeMutableRawPointer
    private var capacity = State.usualCapacity
    private var begin = 0
    private var end = 0
    /// The number of empty packets received last, which cannot be distinguished from the end.
    private var emptyPackets = 0

    private static let slots = 32
    private static let usualCapacity = 4096
    private static let lengthSize = MemoryLayout<UInt32>.size

    init(_ socket: PacketSocket, packetLimit: Int) {
        self.socket = socket
        self.packetLimit = packetLimit
        unsafe memory = .allocate(byteCount: Self.slots * packetLimit, alignment: 1)
        unsafe buffer = .allocate(byteCount: capacity, alignment: 1)
        for slot in 0..<Self.slots {
            unsafe (parts + slot).initialize(
                to: iovec(iov_base: memory + slot * packetLimit, iov_len: packetLimit))
            let header = unsafe msghdr(
                msg_name: nil, msg_namelen: 0, msg_iov: parts + slot, msg_iovlen: 1, msg_control: nil,
                msg_controllen: 0, msg_flags: 0)
            unsafe (headers + slot).initialize(to: cdbus_packet(header: header, length: 0))
        }
    }

    deinit {
        unsafe headers.deallocate()
        unsafe parts.deallocate()
        unsafe memory.deallocate()
        unsafe buffer.deallocate()
    }

    mutating func receive(upTo limit: Int) {
        while count < limit, end - begin < 512 * limit, !isAtEnd {
            let received = Int(unsafe cdbus_receive_packets(socket.descriptor.rawValue, headers, UInt32(Self.slots)))
            guard received > 0 else {
                isAtEnd = received < 0 && errno != EAGAIN && errno != EINTR
                return appendEmptyPackets()
            }
            var isEmpty = true
            for slot in 0..<received {
                let length = unsafe Int(headers[slot].length)
                guard length > 0 else {
                    emptyPackets += 1
                    continue
                }
                isEmpty = false
                appendEmptyPackets()
                unsafe append(memory + slot * packetLimit, count: length)
            }
            // At the end, the remaining slots are filled with empty packets.
            if received < Self.slots { return appendEmptyPackets() }
            guard isEmpty else { continue }
            isAtEnd = socket.isHungUp && bytesToReceive == 0
            if !isAtEnd { appendEmptyPackets() }
        }
    }

    mutating func popFirst() -> Data? {
        guard count > 0 else { return nil }
        let length = unsafe Int(buffer.loadUnaligned(fromByteOffset: begin, as: UInt32.self))
        let packet = unsafe Data(bytes: buffer + begin + Self.lengthSize, count: length)
        count -= 1
        begin += Self.lengthSize + length
        if count == 0 { (begin, end) = (0, 0) }
        return packet
    }

    mutating func removeAll() {
        (count, begin, end, emptyPackets) = (0, 0, 0, 0)
    }

    /// The number of bytes in all packets of the socket.
    private var bytesToReceive: CInt {
        var count: CInt = 0
        _ = unsafe ioctl(socket.descriptor.rawValue, UInt(FIONREAD), &count)
        return count
    }

    private mutating func appendEmptyPackets() {
        while emptyPackets > 0 {
            unsafe append(memory, count: 0)
            emptyPackets -= 1
        }
    }

    private mutating func append(_ bytes: UnsafeRawPointer, count length: Int) {
        if end + Self.lengthSize + length > capacity { makeRoom(Self.lengthSize + length) }
        unsafe buffer.storeBytes(of: UInt32(length), toByteOffset: end, as: UInt32.self)
        unsafe (buffer + end + Self.lengthSize).copyMemory(from: bytes, byteCount: length)
        end += Self.lengthSize + length
        count += 1
    }

    /// Moves the packets to the beginning of the buffer or, if they fill more than half of it, to one of twice the
    /// size.
    private mutating func makeRoom(_ size: Int) {
        let used = end - begin
        if 2 * (used + size) > capacity {
            capacity = 2 * Swift.max(capacity, used + size)
            let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
            unsafe larger.copyMemory(from: buffer + begin, byteCount: used)
            unsafe buffer.deallocate()
            unsafe buffer = unsafe larger
        } else {
            unsafe memmove(buffer, buffer + begin, used)
        }
        (begin, end) = (0, used)
    }
}
