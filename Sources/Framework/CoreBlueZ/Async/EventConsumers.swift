/// A group of sequences, each of which receives every element.
@BluetoothActor final class EventConsumers<Element: Sendable> {
    private var buffers: [ObjectIdentifier: EventSequence<Element>.Buffer] = [:]

    var isEmpty: Bool { buffers.isEmpty }

    func add(_ buffer: EventSequence<Element>.Buffer) {
        let key = ObjectIdentifier(buffer)
        buffers[key] = buffer
        buffer.whenEnded { [weak self] in self?.buffers[key] = nil }
    }

    func append(_ element: Element) {
        for buffer in buffers.values { buffer.append(element) }
    }

    func finish() {
        for buffer in buffers.values { buffer.finish(nil) }
    }
}
