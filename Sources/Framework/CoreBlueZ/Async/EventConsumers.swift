/// The consumers of a source of events: sequences, each of which gets every element. A driver or a library uses it to
/// offer its events as `EventSequence`. When it is released, the sequences end.
///
/// ```swift
/// final class Thermometer: Service {
///     private let consumers = EventConsumers<Double>()
///
///     func temperatures(bufferingUpTo limit: Int = 64) -> EventSequence<Double> {
///         consumers.makeSequence(bufferingUpTo: limit)
///     }
///
///     override func notificationHandler(_ characteristic: Characteristic, error: BluetoothError?) {
///         if let error { return consumers.finish(error) }
///         if let celsius = characteristic.value?.first { consumers.append(Double(celsius)) }
///     }
/// }
/// ```
@BluetoothActor public final class EventConsumers<Element: Sendable> {
    private var buffers: [ObjectIdentifier: EventSequence<Element>.Buffer] = [:]

    /// Creates a group without consumers.
    public nonisolated init() {}

    isolated deinit { finish() }

    /// Whether there are no consumers.
    public var isEmpty: Bool { buffers.isEmpty }

    /// Adds a consumer.
    ///
    /// - Parameters:
    ///   - first: what it gets before the elements that follow.
    ///   - limit: how many elements are buffered for it, at least 1. If there are more, its sequence throws
    ///     `BluetoothError.Code.overflow`.
    public func makeSequence(_ first: Element..., bufferingUpTo limit: Int) -> EventSequence<Element> {
        let buffer = EventSequence<Element>.Buffer(limit: limit)
        for element in first { buffer.append(element) }
        let key = ObjectIdentifier(buffer)
        buffers[key] = buffer
        buffer.whenEnded { [weak self] in self?.buffers[key] = nil }
        return EventSequence(buffer)
    }

    /// Adds an element to all sequences.
    public func append(_ element: Element) {
        for buffer in buffers.values { buffer.append(element) }
    }

    /// Ends all sequences, after the elements that are buffered.
    ///
    /// - Parameter error: what they throw at their end; nil, the default, for an end without an error.
    public func finish(_ error: BluetoothError? = nil) {
        for buffer in buffers.values { buffer.finish(error) }
    }
}
