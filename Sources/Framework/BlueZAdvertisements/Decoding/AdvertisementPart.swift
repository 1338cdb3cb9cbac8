public import FoundationEssentials

/// The meaning of one payload of an advertisement: the data of a company or a service.
public struct AdvertisementPart: Hashable, Sendable {
    /// The name of the format, such as "BTHome v2". It doesn't change with versions of this library.
    public var format: String
    /// Whether the format was reverse-engineered, because its maker doesn't publish it. What others found out can be
    /// wrong for some devices.
    public var isReverseEngineered = false
    /// What was measured, and what identifies the device, in the order of the payload.
    public var readings: [AdvertisementReading] = []
    /// What happened, such as the press of a button, in the order of the payload.
    public var events: [AdvertisementEvent] = []
    /// The number that the device changes with its content, and keeps if it sends that again. Nil if there is none.
    public var counter: UInt32?
    /// Why the payload couldn't be decoded, or only in part. Nil if it was decoded completely.
    public var problem: AdvertisementProblem?
    /// Where the payload is in the advertisement.
    public let source: AdvertisementSource
    /// The payload, without the number of the company or service.
    public let data: Data

    /// Creates a part without readings for a payload.
    ///
    /// - Parameters:
    ///   - format: the name of the format.
    ///   - payload: the payload that is in this format.
    public init(_ format: String, of payload: AdvertisementPayload) {
        self.format = format
        source = payload.source
        data = Data(payload.bytes)
        // Most formats have so many: the list doesn't grow step by step.
        readings.reserveCapacity(12)
    }

    /// Returns whether this is what the device has sent before, so that its events didn't happen again.
    ///
    /// It is if the counters are equal, or, without counters, if the payloads are: some devices send the same bytes if
    /// the same button is pressed twice.
    public func repeats(_ earlier: AdvertisementPart) -> Bool {
        guard format == earlier.format, source == earlier.source else { return false }
        if let counter, let before = earlier.counter { return counter == before }
        return data == earlier.data
    }

    /// The readings with a name for each that is unique in the part: the kind's, such as "temperature", and for the
    /// second of a kind "temperature_2".
    public var namedReadings: [(name: String, reading: AdvertisementReading)] {
        var counts: [AdvertisementReading.Kind: Int] = [:]
        return readings.map { reading in
            let number = counts[reading.kind, default: 0] + 1
            counts[reading.kind] = number
            return (number == 1 ? reading.kind.rawValue : "\(reading.kind.rawValue)_\(number)", reading)
        }
    }
}

extension AdvertisementPart {
    /// Adds a number.
    mutating func add(_ kind: AdvertisementReading.Kind, _ number: Double, _ unit: AdvertisementReading.Unit? = nil) {
        readings.append(AdvertisementReading(kind, .number(number), unit: unit))
    }

    /// Adds what is true or false.
    mutating func add(_ kind: AdvertisementReading.Kind, _ flag: Bool) {
        readings.append(AdvertisementReading(kind, .flag(flag)))
    }

    /// Adds a text.
    mutating func add(_ kind: AdvertisementReading.Kind, _ text: String) {
        readings.append(AdvertisementReading(kind, .text(text)))
    }

    /// Reads bytes, and keeps why that ended early.
    mutating func read(
        _ bytes: some Collection<UInt8>,
        _ body: (inout Self, inout ByteReader) throws(AdvertisementProblem) -> Void
    ) {
        var reader = ByteReader(bytes)
        do {
            try body(&self, &reader)
        } catch {
            problem = error
        }
    }
}
