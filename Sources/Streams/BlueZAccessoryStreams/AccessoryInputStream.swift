import BlueZAccessories
import Foundation

/// The input end of a session as a Foundation stream. Open it and schedule it in a run loop. Its delegate is notified
/// when bytes arrive and when the stream ends. `AccessoryStreamPair` creates it.
///
/// Call `schedule` and `remove` on the run loop's own thread, where the delegate is called too. Without a run loop,
/// `read` blocks until there are bytes. Closing both streams closes the session.
public final class AccessoryInputStream: InputStream {
    private let core: StreamCore

    init(_ core: StreamCore) {
        self.core = core
        super.init(data: Data())
        core.attach(self)
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

    /// Whether `read` would return immediately.
    public override var hasBytesAvailable: Bool {
        core.openDescriptor.map(SocketBytes.isReadable) ?? false
    }

    /// Reads bytes, and blocks if there are none.
    ///
    /// - Returns: the number of bytes read, 0 at the end, or -1 if the stream is not open or an error occurs.
    public override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        guard core.status != .atEnd else { return 0 }
        guard let descriptor = core.openDescriptor, len > 0 else { return -1 }
        switch unsafe SocketBytes.read(descriptor, into: UnsafeMutableRawBufferPointer(start: buffer, count: len)) {
        case .success(0):
            core.end()
            return core.error == nil ? 0 : -1
        case .success(let count):
            core.arm()
            return count
        case .failure(let failure):
            core.fail(StreamCore.error(failure.number))
            return -1
        }
    }
}
