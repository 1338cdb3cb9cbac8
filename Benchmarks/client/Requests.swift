import CoreBlueZ
import FoundationEssentials
import Measuring

/// Reads and writes.
@BluetoothActor enum Requests {
    /// Each read is begun by the completion of the one before.
    static func reads(_ count: Int) async throws {
        let heart = try await Mock.shared.first()
        let usage = ResourceUsage()
        try await completion { read(heart.readOnly, count, $0) }
        usage.end(count)
    }

    private static func read(
        _ characteristic: Characteristic, _ count: Int,
        _ completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        characteristic.readValue { value, error in
            guard value?.count == MockValues.length, count > 1 else { return completion(error) }
            read(characteristic, count - 1, completion)
        }
    }

    /// Each read is awaited.
    static func awaits(_ count: Int) async throws {
        let heart = try await Mock.shared.first()
        let characteristic = heart.readOnly
        let usage = ResourceUsage()
        for _ in 0..<count { try await characteristic.readValue() }
        usage.end(count)
    }

    /// Of each of sixteen characteristics one read is always under way.
    static func readsAtOnce(_ count: Int) async throws {
        let heart = try await Mock.shared.first()
        let characteristics = (0..<16).map { heart.one($0) }
        var left = characteristics.count
        let usage = ResourceUsage()
        try await completion { completion in
            for characteristic in characteristics {
                read(characteristic, count / characteristics.count) { error in
                    left -= 1
                    if error != nil || left == 0 { completion(error) }
                }
            }
        }
        usage.end(count / characteristics.count * characteristics.count)
    }

    /// One after the other, each begun by the completion of the one before.
    static func writes(_ count: Int, _ type: CharacteristicWriteType) async throws {
        let heart = try await Mock.shared.first()
        let value = Data(repeating: 1, count: MockValues.length)
        let characteristic = heart.written
        let usage = ResourceUsage()
        try await completion { write(characteristic, value, type, count, $0) }
        usage.end(count)
        try await check(heart, count, at: type == .withResponse ? 0 : 1)
    }

    private static func write(
        _ characteristic: Characteristic, _ value: Data, _ type: CharacteristicWriteType, _ count: Int,
        _ completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        characteristic.writeValue(value, type: type) { error in
            guard error == nil, count > 1 else { return completion(error) }
            write(characteristic, value, type, count - 1, completion)
        }
    }

    /// Writes without response, each awaited.
    static func commandAwaits(_ count: Int) async throws {
        let heart = try await Mock.shared.first()
        let value = Data(repeating: 1, count: MockValues.length)
        let usage = ResourceUsage()
        for _ in 0..<count { try await heart.written.writeValue(value, type: .withoutResponse) }
        usage.end(count)
        try await check(heart, count, at: 1)
    }

    /// Through an acquired socket, with so many values on their way that there is always one to send.
    static func acquiredWrites(_ count: Int) async throws {
        let heart = try await Mock.shared.first()
        let writer = try await heart.written.acquireWrite()
        let value = Data(repeating: 1, count: MockValues.length)
        let chains = 64
        var left = chains
        let usage = ResourceUsage()
        try await completion { completion in
            for _ in 0..<chains {
                write(writer, value, count / chains) { error in
                    left -= 1
                    if error != nil || left == 0 { completion(error) }
                }
            }
        }
        usage.end(count / chains * chains)
        try await check(heart, count / chains * chains, at: 2)
        writer.close()
    }

    private static func write(
        _ writer: AcquiredWriter, _ value: Data, _ count: Int,
        _ completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        writer.write(value) { error in
            guard error == nil, count > 1 else { return completion(error) }
            write(writer, value, count - 1, completion)
        }
    }

    /// The same, each awaited.
    static func acquiredAwaits(_ count: Int) async throws {
        let heart = try await Mock.shared.first()
        let writer = try await heart.written.acquireWrite()
        let value = Data(repeating: 1, count: MockValues.length)
        let usage = ResourceUsage()
        for _ in 0..<count { try await writer.write(value) }
        usage.end(count)
        try await check(heart, count, at: 2)
        writer.close()
    }

    /// The mock counts what arrives, in three numbers of 4 bytes.
    private static func check(_ heart: Mock.Heart, _ count: Int, at place: Int) async throws {
        let bytes = [UInt8](try await heart.status.readValue()).dropFirst(place * 4).prefix(4)
        guard bytes.reversed().reduce(0, { $0 << 8 | Int($1) }) == count else {
            throw Client.Failure(description: "Not all that was written has arrived")
        }
    }
}
