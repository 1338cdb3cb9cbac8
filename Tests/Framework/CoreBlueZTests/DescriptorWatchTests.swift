import BlueZDBus
import TestSupport
import Testing

@testable import CoreBlueZ

@BluetoothActor @Suite(.virtualTime) struct DescriptorWatchTests {
    @Test("A hang-up, which lasts, is reported once for each wait, and not after the end")
    func hangUp() async throws {
        let (ours, theirs) = try StreamSocket.pair()
        theirs.shutDown()
        var reports = 0
        let watch = DescriptorWatch(ours.descriptor) { reports += 1 }
        for number in 1...3 {
            watch.wait(for: .readable)
            try await eventually("report \(number)") { reports >= number }
            await passes()
            #expect(reports == number)
        }
        watch.wait(for: [])
        await passes()
        #expect(reports == 3)
        watch.cancel()
        watch.wait(for: .readable)
        await passes()
        #expect(reports == 3)
    }

    @Test("What is waited for may change while it waits")
    func changed() async throws {
        let (ours, theirs) = try StreamSocket.pair()
        var reports = 0
        let watch = DescriptorWatch(ours.descriptor) { reports += 1 }
        watch.waitToRead()
        await passes()
        #expect(reports == 0)
        watch.waitToWrite()
        try await eventually("room") { reports == 1 }
        withExtendedLifetime(theirs) {}
    }

    @Test("What was seen before a wait does not end it")
    func stale() async throws {
        let (ours, theirs) = try StreamSocket.pair()
        var reports: [String] = []
        var second: DescriptorWatch?
        let first = DescriptorWatch(ours.descriptor) {
            reports.append("first")
            // One pass has seen the bytes for both.
            _ = ours.receive(limit: 100)
            second?.wait(for: .readable)
        }
        second = DescriptorWatch(ours.descriptor) { reports.append("second") }
        first.wait(for: .readable)
        second?.wait(for: .readable)
        await passes()
        _ = theirs.send([1])
        try await eventually("the first") { !reports.isEmpty }
        await passes()
        #expect(reports == ["first"])
        _ = theirs.send([2])
        try await eventually("the second") { reports.count == 2 }
        #expect(reports == ["first", "second"])
    }

    /// In each of a few passes of the thread, what is ready by then is reported.
    private func passes() async {
        for _ in 0..<5 {
            await withCheckedContinuation { continuation in BluetoothActor.perform { continuation.resume() } }
        }
    }
}
