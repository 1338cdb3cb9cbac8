import BlueZSensorTag
import CoreBlueZ
import Foundation
import SensorTagProgram
import TestSupport
import Testing

@testable import sensortag_web

@Suite("The list of tags has a limit") struct TagStationTests {
    @Test("Tags that were there keep their place; more than the limit are not listed") func limit() async throws {
        let bus = try await SimulatedBus.start(Array(repeating: .cc2541, count: TagStation.mostTags + 16))
        let address = await bus.address
        let (hub, recordings) = (EventHub(), try RecordingFolder())
        defer { recordings.remove() }
        let mailbox = try #require(hub.subscribe())
        let station = await TagStation(
            bus: address, adapter: nil, hub: hub, recordings: recordings, isStoring: false)
        await station.start()

        var listed: [String] = []
        func update() throws {
            guard let json = mailbox.fetch()?.snapshot else { return }
            let state = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
            let tags = try #require(state?["tags"] as? [[String: Any]])
            let now = tags.compactMap { $0["id"] as? String }
            #expect(now.count <= TagStation.mostTags)
            #expect(Set(listed).subtracting(now).isEmpty, "a tag has lost its place")
            listed = now
        }
        try await Patience.wait(for: "a full list, not \(listed.count)") {
            try update()
            return listed.count == TagStation.mostTags
        }
        // Every tag, also those that are not listed, advertises again.
        try await BluetoothActor.run {
            let central = CentralManager(bus: .address(address))
            var heard: [String: Int] = [:]
            for try await found in central.scanResults(options: ScanOptions(allowDuplicates: true)) {
                heard[found.peripheral.address?.description ?? "", default: 0] += 1
                if heard.count == TagStation.mostTags + 16, heard.values.allSatisfy({ $0 >= 2 }) { break }
            }
        }
        try update()
        #expect(listed.count == TagStation.mostTags)
        _ = await station.stop()
        await bus.stop()
    }
}
