import BlueZAccessories
import Foundation

/// The output end of a session as a Foundation stream. Open it and schedule it in a run loop. Its delegate is notified
/// when there is space. `AccessoryStreamPair` creates it.
///
/// Call `schedule` and `remove` on the run loop's own thread, where the delegate is called too. Writing without space
/// blocks until there is some. Closing both streams closes the session.
public final class AccessoryOutputStream: OutputStream {
    private let core: StreamCore

    init(_ core: StreamCore) {
        self.core = core
        super.init(toMemory: ())
        core.attach(self)
    }

    /// Creates a stream that cannot be opened.
    public required init(toMemory: ()) {
        core = StreamCore(-1, .output, nil)
        super.init(toMemory: ())
    }

    /// The delegate, which is notified of events on the run loop's thread.
    public override var delegate: (any StreamDelegate)? {
        get { core.delegate }
        set { core.delegate = newValue }
    }

    /// The state of the stream.
    public override var streamStatus: Stream.Status { core.status }

    /// The error that ended the stream: the session's `BluetoothError`, such as `overflow`, or the POSIX error of a
    /// call. Nil after a regular end, which includes a lost accessory.
    public override var streamError: (any Error)? { core.error }

    /// Opens the stream and notifies the delegate.
    public override func open() { core.open() }

    /// Closes the stream. The delegate is not called again.
    public override func close() { core.close() }

    /// Schedules the stream in a run loop, which calls the delegate.
    public override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        core.schedule(in: aRunLoop, forMode: mode)
    }

    /// Removes the stream from a run loop, which no longer calls the delegate. Events wait for the next `schedule`.
    public override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        core.remove(from: aRunLoop, forMode: mode)
    }

    /// Whether `write` would return immediately.
    public override var hasSpaceAvailable: Bool {
        core.openDescriptor.map(SocketBytes.isWritable) ?? false
    }

    /// Writes as many bytes as there is space for, and blocks if there is none.
    ///
    /// - Returns: the number of bytes written, or -1 if the stream is not open, has ended, or an error occurs.
    public override func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
        guard let descriptor = core.openDescriptor, len > 0 else { return -1 }
        switch unsafe SocketBytes.write(descriptor, UnsafeRawBufferPointer(start: buffer, count: len)) {
        case .success(let count):
            core.arm()
            return count
        case .failure(let failure):
            if failure.number == EPIPE { core.end() } else { core.fail(StreamCore.error(failure.number)) }
            return -1
        }
    }
}
