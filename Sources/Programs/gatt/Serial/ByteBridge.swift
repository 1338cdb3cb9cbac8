import BlueZDBus
import BlueZUnixSockets
import CoreBlueZ
import FoundationEssentials

/// Passes bytes between a descriptor and the program, in both directions, with at most `limit` bytes of memory: it
/// reads only while there is space, and drops bytes that are not taken from it.
@BluetoothActor final class ByteBridge {
    /// How many bytes may wait to be written.
    static let limit = 1 << 20

    /// Receives the bytes that were read.
    var receiveHandler: (@BluetoothActor (Data) -> Void)?
    /// Called when there is nothing more to read, for now or forever.
    var endHandler: (@BluetoothActor () -> Void)?
    /// Called with the number of dropped bytes, once none are waiting.
    var dropHandler: (@BluetoothActor (Int) -> Void)?
    /// Called when the reader of the written bytes has closed its end.
    var closedHandler: (@BluetoothActor () -> Void)?
    /// Whether there is space for more bytes.
    var hasRoom: @BluetoothActor () -> Bool = { true }

    private let channel: any ByteChannel
    private var watch: DescriptorWatch?
    private var waiting: [UInt8] = []
    private var written = 0
    private var dropped = 0
    private var isReading = true

    init(_ channel: any ByteChannel) {
        self.channel = channel
        watch = DescriptorWatch(channel.descriptor) { [weak self] in self?.ready() }
    }

    /// Whether all bytes are written.
    var isIdle: Bool { written == waiting.count }

    /// Continues, once there is space again or the other end is back.
    func resume() {
        isReading = true
        wait()
    }

    /// Ends both directions.
    func close() {
        watch?.cancel()
        watch = nil
    }

    /// Writes bytes after those that wait; drops them if too many wait.
    func write(_ bytes: Data) {
        guard waiting.count - written + bytes.count <= Self.limit else {
            dropped += bytes.count
            return
        }
        if written > Self.limit {
            waiting.removeFirst(written)
            written = 0
        }
        waiting.append(contentsOf: bytes)
        flush()
        wait()
    }

    /// Drops the bytes that wait to be written.
    func clear() {
        waiting = []
        written = 0
        guard dropped > 0 else { return }
        let count = dropped
        dropped = 0
        dropHandler?(count)
    }

    private func ready() {
        if isReading, hasRoom() { read() }
        flush()
        wait()
    }

    private func wait() {
        var events: PollEvents = []
        if isReading, hasRoom() { events.insert(.readable) }
        if !isIdle { events.insert(.writable) }
        watch?.wait(for: events)
    }

    private func read() {
        switch channel.receive(limit: 4096) {
        case .bytes(let bytes): receiveHandler?(Data(bytes))
        case .nothing: break
        case .end:
            isReading = false
            endHandler?()
        }
    }

    private func flush() {
        while watch != nil, !isIdle {
            guard let count = channel.send(waiting[written...]) else {
                clear()
                closedHandler?()
                return
            }
            guard count > 0 else { return }
            written += count
        }
        if isIdle, !waiting.isEmpty { clear() }
    }
}
