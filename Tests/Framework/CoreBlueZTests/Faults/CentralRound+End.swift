import FoundationEssentials
import TestSupport

@testable import CoreBlueZ

extension CentralRound {
    /// Nothing goes wrong from here on: what was requested ends, and what is still subscribed gets values.
    func settle() async throws {
        try await simulator.mend()
        try await demand(.incomplete, "the ends of \(record.pending)") { self.record.pending.isEmpty }
        try await demand(.endless, "the ends of \(titles { $0.isDoomed }), whose link, peripheral or manager went") {
            self.titles { $0.isDoomed }.isEmpty
        }
        try await checkValues()
    }

    private func titles(_ condition: (CentralRecord.Track) -> Bool) -> [String] {
        record.tracks.filter { $0.isOpen && condition($0) }.map(\.title)
    }

    /// Values reach whoever is subscribed.
    private func checkValues() async throws {
        let value = record.makeNumber()
        try await demand(.valueless, "a value for \(titles { $0.takesValues && $0.lastValue == nil })") {
            let bytes = CentralRecord.bytes(value)
            _ = await self.simulator.notifyAll(bytes)
            return self.record.tracks.allSatisfy { !$0.isOpen || !$0.takesValues || $0.lastValue == Data(bytes) }
        }
    }

    func end() async throws {
        switch schedule.ending {
        case .dropManager: dropManager()
        case .unregister: unregister()
        case .linkLost: try await simulator.cause(.linkLost)
        case .disconnect: try await disconnect()
        case .daemonKilled: try await simulator.cause(.daemonKilled)
        case .adapterUnplugged: try await simulator.cause(.adapterUnplugged)
        case .deviceRemoved: try await simulator.cause(.deviceRemoved)
        }
        try await demand(.endless, "the ends of \(titles { _ in true }) after \(schedule.ending)") {
            self.titles { _ in true }.isEmpty
        }
        try await demand(.leftOver, "the operations of a manager to end") {
            self.registries.allSatisfy { $0.count == 0 }
        }
    }

    private func disconnect() async throws {
        guard let peripheral else { return }
        let index = record.begin("disconnect at the end", .first, isTask: false)
        peripheral.disconnect { [record] in record.end(index, $0) }
        try await demand(.incomplete, "the end of the disconnection") { self.record.pending.isEmpty }
    }

    /// Nobody holds anything.
    func release() async throws {
        writers = [:]
        acquired = []
        characteristics = [:]
        peripheral = nil
        central = nil
        try await demandRelease(except: anchor)
        try await demand(.leftOver, "the operations of a manager that is gone to end") {
            self.registries.allSatisfy { $0.count == 0 }
        }
    }
}
