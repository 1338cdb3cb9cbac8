import Accessories
import Foundation

/// The input end of a session as a Foundation stream: open it and schedule it in a run loop; its delegate is told when
/// bytes arrive and when the stream ends. `AccessoryStreamPair` makes it.
///
/// `schedule` and `remove` are for the run loop's own thread, where the delegate is called too. Without a run loop, `read`
/// waits until there are bytes. Closing both streams closes the session.
public final class AccessoryInputStream: InputStream {
    private let core: StreamCore

    init(_ core: StreamCore) {
        self.core = core
        super.init(data: Data())
        core.adopt(self)
    }

    /// Notified of events on the run loop's thread.
    public override var delegate: (any StreamDelegate)? {
        get { core.delegate }
        set { core.delegate = newValue }
    }

    /// The state of the stream.
    public override var streamStatus: Stream.Status { core.status }

    /// What ended the stream: the session's `BluetoothError`, such as `overflow`, or the POSIX error of a call. Nil
    /// after a regular end, which includes a lost accessory.
    public override var streamError: (any Error)? { core.error }

    /// Opens the stream and notifies the delegate.
    public override func open() { core.open() }

    /// Closes the stream; the delegate is not called again.
    public override func close() { core.close() }

    /// Lets a run loop call the delegate.
    public override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        core.schedule(in: aRunLoop, forMode: mode)
    }

    /// Takes the stream off a run loop, which no longer calls the delegate. Events wait for the next `schedule`.
    public override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        core.remove(from: aRunLoop, forMode: mode)
    }

    /// Whether `read` would return at once.
    public override var hasBytesAvailable: Bool {
        core.openDescriptor.map(SocketBytes.isReadable) ?? false
    }

    /// Reads bytes; waits if there are none.
    ///
    /// - Returns: how many came, 0 at the end, -1 if the stream is not open or fails.
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
