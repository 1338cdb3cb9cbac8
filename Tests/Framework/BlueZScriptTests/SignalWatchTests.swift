import Glibc
import Testing

@testable import BlueZScript

@Suite("What a signal asks for") struct SignalWatchTests {
    @Test(
        "The first asks for an end; those of the next second belong to it; later ones force it, but no hangup does",
        arguments: [
            ([(SIGINT, 0)], [.end]),
            ([(SIGINT, 0), (SIGINT, 0), (SIGTERM, 999)], [.end, .nothing, .nothing]),
            ([(SIGINT, 0), (SIGINT, 1000)], [.end, .force]),
            ([(SIGTERM, 0), (SIGINT, 900), (SIGINT, 1800)], [.end, .nothing, .force]),
            ([(SIGHUP, 0), (SIGHUP, 5000), (SIGTERM, 5001)], [.end, .nothing, .force]),
        ] as [([(number: Int32, milliseconds: Int)], [SignalRequests.Effect])])
    func effects(signals: [(number: Int32, milliseconds: Int)], effects: [SignalRequests.Effect]) {
        var requests = SignalRequests()
        let start = ContinuousClock.now
        #expect(signals.map { requests.effect(of: $0.number, at: start + .milliseconds($0.milliseconds)) } == effects)
        #expect(requests.number == signals.first?.number)
    }
}
