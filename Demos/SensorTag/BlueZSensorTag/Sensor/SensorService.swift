import CoreBlueZ
import FoundationEssentials

/// A service that delivers readings of one type: one immutable value per notification.
///
/// Subclass it for a sensor: declare the characteristics in `init` and override `decode(_:)`.
open class SensorService<Reading: Sendable>: SensorTagService {
    /// The last reading; nil before the first, after `turnOff`, and after the link has ended.
    public private(set) var reading: Reading?

    /// How many values could not be decoded since the sensor was switched on. If a sensor does not respond in time, the
    /// tag sends such values; they are skipped, and readings continue.
    public private(set) var invalidReadingCount = 0

    /// Called for each reading, or with an error: `invalidData` for a value that cannot be decoded, after which
    /// readings continue, or the error with which readings have ended.
    public var readingHandler: (@BluetoothActor (Reading?, BluetoothError?) -> Void)?

    private let consumers = EventConsumers<Reading>()

    /// Decodes one value of the data characteristic. Override it.
    ///
    /// - Returns: the reading, or nil for a value that is not a measurement yet.
    /// - Throws: the error if the value is invalid.
    open func decode(_ payload: Data) throws(SensorTagDataError) -> Reading? { nil }

    /// Switches the sensor on and returns its readings as a sequence. The sequence ends after `turnOff`, and
    /// throws when the link ends. Values that cannot be decoded are skipped; see `invalidReadingCount`.
    ///
    /// - Parameter limit: how many readings are buffered for a slow consumer. Beyond it the sequence ends with
    ///   `BluetoothError.Code.overflow`.
    public func readings(bufferingUpTo limit: Int = 1024) async throws(BluetoothError) -> EventSequence<Reading> {
        let readings = consumers.makeSequence(bufferingUpTo: limit)
        try await turnOn()
        return readings
    }

    // MARK: From the base class

    /// Decodes the value and delivers it.
    override open func receive(_ payload: Data) {
        do throws(SensorTagDataError) {
            guard let reading = try decode(payload) else { return }
            deliver(reading)
        } catch {
            invalidReadingCount += 1
            readingHandler?(nil, BluetoothError(error, name))
        }
    }

    /// Notifies all consumers of readings.
    override open func readingsDidEnd(_ error: BluetoothError?) {
        if let error { readingHandler?(nil, error) }
        consumers.finish(error)
    }

    /// Discards the last reading.
    override open func reset() {
        super.reset()
        reading = nil
        invalidReadingCount = 0
    }

    private func deliver(_ reading: Reading) {
        self.reading = reading
        consumers.append(reading)
        readingHandler?(reading, nil)
    }
}
