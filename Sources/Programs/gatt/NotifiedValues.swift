import CoreBlueZ
import FoundationEssentials

/// The values that several characteristics notify, in one sequence, in the order of their arrival. Handlers run in that
/// order; two sequences of the framework have none between them.
@BluetoothActor final class NotifiedValues {
    struct Arrival: Sendable {
        let characteristic: Characteristic
        let value: Data
        let time: Date
    }

    /// Ends without an error after `finish`, and fails when notifications end with the link, or if too many values wait.
    let values: EventSequence<Arrival>
    private let buffer: EventSequence<Arrival>.Buffer

    /// How many values may wait for each characteristic, while the reader of the output is slow.
    private static let limit = 4096

    init(of count: Int) {
        buffer = EventSequence.Buffer(limit: count * Self.limit)
        values = EventSequence(buffer)
    }

    /// The handler of a characteristic's values.
    func handler(of characteristic: Characteristic) -> Characteristic.ValueHandler {
        { [buffer] value, error in
            if let value {
                buffer.append(Arrival(characteristic: characteristic, value: value, time: Date()))
            } else {
                buffer.finish(error)
            }
        }
    }

    func finish() { buffer.finish(nil) }
}
