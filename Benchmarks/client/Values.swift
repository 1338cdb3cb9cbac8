import CoreBlueZ
import FoundationEssentials
import Measuring

/// Notifications, by signals and by an acquired socket.
@BluetoothActor enum Values {
    /// Values that the services' handlers receive.
    static func handled(_ numbers: [UInt32], devices: Int) async throws {
        let mock = Mock.shared
        var hearts = [try await mock.first()]
        for index in 1..<max(1, devices) { hearts.append(try await mock.number(index)) }
        for heart in hearts { try await heart.notified.setNotifyValue(true) }
        let first = hearts[0]
        var (left, bytes) = (Int(numbers[0]), 0)
        let usage = ResourceUsage()
        try await completion { completion in
            for heart in hearts {
                heart.service.updateHandler = { characteristic, error in
                    if let error { return completion(error) }
                    bytes += characteristic.value?.count ?? 0
                    left -= 1
                    if left == 0 { completion(nil) }
                }
            }
            first.control.writeValue(MockValues.order(numbers)) { error in if error != nil { completion(error) } }
        }
        usage.end(numbers[0])
        try check(bytes, numbers[0])
    }

    /// Values that a `for await` receives.
    static func sequence(_ numbers: [UInt32]) async throws {
        let mock = Mock.shared
        let heart = try await mock.first()
        let values = try await heart.notified.notifications(bufferingUpTo: Int(numbers[0]))
        var (left, bytes) = (Int(numbers[0]), 0)
        let usage = ResourceUsage()
        heart.control.writeValue(MockValues.order(numbers)) { error in if let error { print("client: \(error)") } }
        for try await value in values {
            bytes += value.count
            left -= 1
            if left == 0 { break }
        }
        usage.end(numbers[0])
        try check(bytes, numbers[0])
    }

    /// Repeated subscriptions to one characteristic, while others of other peripherals are active.
    static func subscription(_ count: Int, others: Int) async throws {
        let mock = Mock.shared
        let heart = try await mock.first()
        var left = others
        var device = 1
        while left > 0 {
            let other = try await mock.number(device)
            for index in 0..<min(16, left) { try await other.one(index).setNotifyValue(true) }
            left -= 16
            device += 1
        }
        let usage = ResourceUsage()
        for _ in 0..<count {
            try await heart.notified.setNotifyValue(true)
            try await heart.notified.setNotifyValue(false)
        }
        usage.end(count)
    }

    /// Values of an acquired socket.
    static func acquired(_ numbers: [UInt32]) async throws {
        let mock = Mock.shared
        let heart = try await mock.first()
        var (left, bytes) = (Int(numbers[0]), 0)
        var notifications: AcquiredNotifications?
        var usage = ResourceUsage()
        try await completion { completion in
            heart.notified.acquireNotify { value in
                bytes += value.count
                left -= 1
                if left == 0 { completion(nil) }
            } ended: { error in
                if let error { completion(error) }
            } completion: { acquired, error in
                if let error { return completion(error) }
                notifications = acquired
                usage = ResourceUsage()
                heart.control.writeValue(MockValues.order(numbers)) { error in if error != nil { completion(error) } }
            }
        }
        usage.end(numbers[0])
        notifications?.close()
        try check(bytes, numbers[0])
    }

    private static func check(_ bytes: Int, _ count: UInt32) throws {
        guard bytes == Int(count) * MockValues.length else {
            throw Client.Failure(description: "The values are not those that were sent")
        }
    }
}
