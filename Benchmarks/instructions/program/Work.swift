import CoreBlueZ
import FoundationEssentials

/// What is counted: the same many times, as a program does it.
enum Work: String, CaseIterable, Sendable {
    /// Notifications that a closure receives.
    case notifications
    /// Notifications that a `for await` receives.
    case sequence
    /// Reads, each begun by the completion of the one before.
    case reads
    /// Reads, one awaited after the other.
    case awaits

    /// Does it with the first peripheral there is, a `NotifyingPeer`.
    func run(_ count: UInt32) async throws {
        try await BluetoothActor.run {
            let central = CentralManager()
            try await central.waitUntilPoweredOn(timeout: .seconds(60))
            let peripheral = try await central.firstPeripheral(withServices: [0x180D])
            try await peripheral.connect()
            try await peripheral.discoverServices()
            guard let service = peripheral[0x180D], let measurement = service[0x2A37], let location = service[0x2A38],
                let control = service[0x2A39]
            else { throw InstructionBenchmark.Failure(description: "The peripheral is another") }
            switch self {
            case .notifications:
                try await measurement.setNotifyValue(true)
                try await Self.completion { completion in
                    Self.take(count, of: service, completion)
                    control.writeValue(Self.bytes(count)) { error in if error != nil { completion(error) } }
                }
            case .sequence:
                let values = try await measurement.notifications(bufferingUpTo: Int(count))
                try await control.writeValue(Self.bytes(count))
                var left = count
                for try await _ in values {
                    left -= 1
                    if left == 0 { break }
                }
            case .reads:
                try await Self.completion { Self.read(location, count, $0) }
            case .awaits:
                for _ in 0..<count { try await location.readValue() }
            }
            try await peripheral.disconnect()
        }
    }

    /// Waits for the first of what may be several calls of a completion.
    @BluetoothActor static func completion(
        _ body: (@escaping @BluetoothActor (BluetoothError?) -> Void) -> Void
    ) async throws {
        let error = await withCheckedContinuation { (continuation: CheckedContinuation<BluetoothError?, Never>) in
            var end: CheckedContinuation<BluetoothError?, Never>? = continuation
            body { error in
                end?.resume(returning: error)
                end = nil
            }
        }
        if let error { throw error }
    }

    @BluetoothActor private static func take(
        _ count: UInt32, of service: Service, _ completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        var left = count
        service.updateHandler = { _, error in
            guard error == nil, left > 1 else { return completion(error) }
            left -= 1
        }
    }

    @BluetoothActor private static func read(
        _ location: Characteristic, _ count: UInt32, _ completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        location.readValue { _, error in
            guard error == nil, count > 1 else { return completion(error) }
            read(location, count - 1, completion)
        }
    }

    /// The encoding of a number for `NotifyingPeer`.
    static func bytes(_ count: UInt32) -> Data {
        Data((0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) })
    }
}
