import BlueZSimulator

extension PeripheralControl {
    /// Sends one or more notifications, and responds with the number sent.
    func notify(
        _ request: ControlRequest,
        isWanted: @escaping @SimulatorActor () -> Bool,
        completion: @escaping Completion
    ) throws {
        let count = request.count ?? 1
        guard (0...1_000_000).contains(count) else { throw ControlRefusal("\"count\" is a number from 0 to 1000000") }
        let run = NotificationRun(
            peripheral: try peripheral(request),
            characteristic: try characteristic(request),
            value: try Self.value(request),
            count: count,
            interval: try Self.milliseconds(request.interval ?? 0, "every_ms", upTo: 60_000),
            isNumbered: request.isNumbered ?? false,
            isWanted: isWanted
        )
        run.start { sent in completion(ControlResponse(sent: sent)) }
    }
}

/// A series of notifications.
@SimulatorActor private final class NotificationRun {
    /// How many are sent without a pause, so that bluetoothd's other work is not held up.
    private static let batch = 64

    let peripheral: SimulatedPeripheral
    let characteristic: SimulatedCharacteristic
    let value: [UInt8]
    let count: Int
    let interval: Duration
    let isNumbered: Bool
    let isWanted: @SimulatorActor () -> Bool
    private var index = 0
    private var sent = 0

    init(
        peripheral: SimulatedPeripheral,
        characteristic: SimulatedCharacteristic,
        value: [UInt8],
        count: Int,
        interval: Duration,
        isNumbered: Bool,
        isWanted: @escaping @SimulatorActor () -> Bool
    ) {
        self.peripheral = peripheral
        self.characteristic = characteristic
        self.value = value
        self.count = count
        self.interval = interval
        self.isNumbered = isNumbered
        self.isWanted = isWanted
    }

    func start(completion: @escaping @SimulatorActor (Int) -> Void) {
        let end = min(count, interval > .zero ? index + 1 : index + Self.batch)
        while index < end {
            if peripheral.notify(payload, from: characteristic) { sent += 1 }
            index += 1
        }
        guard index < count, isWanted() else { return completion(sent) }
        SimulatorActor.schedule(after: interval) { self.start(completion: completion) }
    }

    /// The value, followed by the index as uint32 little-endian if that was requested.
    private var payload: [UInt8] {
        guard isNumbered else { return value }
        return value + (0..<4).map { UInt8(truncatingIfNeeded: index >> (8 * $0)) }
    }
}
