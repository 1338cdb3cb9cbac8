import BlueZClient
import BlueZDBus

/// A descriptor that the actor's loop polls. While its owner wants neither to read nor to write, it isn't polled, because
/// a hang-up would be reported again and again.
@BluetoothActor final class PolledSocket {
    private let descriptor: UnixFileDescriptor
    private var token: EventLoop.Token?
    private var events: PollEvents = []

    init(_ descriptor: UnixFileDescriptor, ready: @escaping @Sendable @BluetoothActor (PollEvents) -> Void) {
        self.descriptor = descriptor
        token = BluetoothActor.loop.addSource(descriptor: -1, events: [], handler: BluetoothActor.handler(ready))
    }

    /// Sets what to wait for, until it is set again.
    func wait(reading: Bool, writing: Bool) {
        var events: PollEvents = []
        if reading { events.insert(.readable) }
        if writing { events.insert(.writable) }
        guard let token, events != self.events else { return }
        self.events = events
        BluetoothActor.loop.updateSource(token, descriptor: events.isEmpty ? -1 : descriptor.rawValue, events: events)
    }

    func cancel() {
        guard let token = self.token.take() else { return }
        BluetoothActor.loop.removeSource(token)
    }
}
