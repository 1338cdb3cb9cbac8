import BlueZReplay
import CoreBlueZ
import Foundation
import Testing

/// The test from which Documentation/Recordings.md shows a part.
@Suite struct RecordedStrapTests {
    /// The recording from the bug report.
    private let recording = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "Recordings/strap.jsonl").path

    @Test("The battery level is read, and then falls")
    func batteryFalls() async throws {
        let bluez = try await ReplayedBlueZ(recording, isFast: true)
        try await BluetoothActor.run {
            let central = CentralManager(bus: .address(bluez.address))
            let strap = try await central.firstPeripheral()
            try await strap.connect()
            try await strap.discoverServices()
            let battery = strap.service(0x180F).characteristic(0x2A19)
            #expect(try await battery.readValue() == Data([0x64]))
            var levels = try await battery.notifications().makeAsyncIterator()
            for level: UInt8 in [0x63, 0x62, 0x61] {
                let value = try await levels.next()
                #expect(value == Data([level]))
            }
        }
        #expect(await bluez.unrecordedRequests.isEmpty)
    }
}
