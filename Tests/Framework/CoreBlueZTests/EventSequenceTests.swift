import TestSupport
import Testing

@testable import CoreBlueZ

@Suite(.virtualTime) struct EventSequenceTests {
    @Test("Elements come in order, also those that waited, and then the end")
    @BluetoothActor func order() async throws {
        let buffer = EventSequence<Int>.Buffer(limit: 1000)
        for number in 0..<300 { buffer.append(number) }
        let task = Task { @BluetoothActor in
            var numbers: [Int] = []
            for try await number in EventSequence(buffer) { numbers.append(number) }
            return numbers
        }
        await Task.yield()
        for number in 300..<400 { buffer.append(number) }
        buffer.finish(nil)
        buffer.append(999)
        let numbers = try await task.value
        #expect(numbers == Array(0..<400))
    }

    @Test("A consumer that waits gets the error once, and the end from then on")
    @BluetoothActor func failure() async throws {
        let buffer = EventSequence<Int>.Buffer(limit: 3)
        let task = Task { @BluetoothActor in try await buffer.next() }
        await Task.yield()
        buffer.finish(BluetoothError(.disconnected, "gone"))
        let result = await task.result
        #expect(throws: BluetoothError.self) { try result.get() }
        let end = try await buffer.next()
        #expect(end == nil)
    }

    @Test("Cancelling the consumer's task ends its wait")
    @BluetoothActor func cancellation() async throws {
        let buffer = EventSequence<Int>.Buffer(limit: 3)
        let task = Task { @BluetoothActor in try await buffer.next() }
        await Task.yield()
        task.cancel()
        let element = try await task.value
        #expect(element == nil)
    }
}
