extension PeripheralControl {
    /// The number of notifications that are sent without a pause, so that bluetoothd's other work is not delayed.
    private static let batch = 64

    /// Sends one or more notifications, and returns how many were sent. Ends early if the task is cancelled.
    func notify(_ request: ControlRequest) async throws -> ControlResponse {
        let count = try request.integer("count", 0...1_000_000, else: 1)
        let peripheral = try peripheral(request)
        let characteristic = try characteristic(request)
        let value = try request.require("value", request.bytes("value"))
        let interval = try request.milliseconds("every_ms", upTo: 60_000, else: 0)
        let isNumbered = try request.flag("number") == true
        var sent = 0
        for index in 0..<count {
            if index > 0, interval > .zero || index.isMultiple(of: Self.batch) {
                guard !Task.isCancelled else { break }
                await withCheckedContinuation { continuation in
                    _ = SimulatorActor.schedule(after: interval) { continuation.resume() }
                }
            }
            // The index as a little-endian uint32, if it was requested.
            let number = isNumbered ? (0..<4).map { UInt8(truncatingIfNeeded: index >> (8 * $0)) } : []
            if peripheral.notify(value + number, from: characteristic) { sent += 1 }
        }
        return ["sent": .integer(Int64(sent))]
    }
}
