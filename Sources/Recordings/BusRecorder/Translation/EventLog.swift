import BlueZClient
import BlueZDBus
import BlueZRecording

/// The events of a recording, in order.
@BluetoothActor final class EventLog {
    private let began = MonotonicInstant.now
    private let passed: PassedMessages
    private let write: (RecordedEvent) -> Void
    private var lastNumber: Int64 = 0
    private var held: (value: RecordedValue, serial: UInt32, event: RecordedEvent)?

    init(_ passed: PassedMessages, write: @escaping (RecordedEvent) -> Void) {
        self.passed = passed
        self.write = write
    }

    /// Returns a number for a request.
    func nextNumber() -> Int64 {
        lastNumber += 1
        return lastNumber
    }

    /// Adds an event, which happened when the message passed that is being read, or now.
    func add(_ content: RecordedEvent.Content) {
        passed.readAll()
        release()
        write(event(content))
    }

    func addNote(_ kind: String, _ text: String, device: ObjectName.Device? = nil) {
        add(.note(RecordedNote(kind: kind, text: text, device: device?.address)))
    }

    /// Adds a value of a signal that may repeat the response to a read. Before it replies to ReadValue, bluetoothd
    /// signals a value that has changed (src/gatt-client.c: write_characteristic_cb). So this event waits for the next.
    func hold(_ value: RecordedValue, serial: UInt32) {
        release()
        held = (value, serial, event(.value(value)))
    }

    /// Adds the response to a read, instead of the value that bluetoothd has signalled directly before it.
    func addReadResponse(_ response: RecordedResponse, serial: UInt32, device: ObjectName.Device?, handle: UInt16?) {
        if let held, held.serial &+ 1 == serial, held.value.value == response.value, held.value.handle == handle,
            held.value.device == device?.address
        {
            self.held = nil
        }
        add(.response(response))
    }

    /// Writes the event that waits.
    func release() {
        guard let held = self.held.take() else { return }
        write(held.event)
    }

    private func event(_ content: RecordedEvent.Content) -> RecordedEvent {
        let time = passed.time ?? .now
        return RecordedEvent(time: (time.nanoseconds - began.nanoseconds) / 1000, content)
    }
}
