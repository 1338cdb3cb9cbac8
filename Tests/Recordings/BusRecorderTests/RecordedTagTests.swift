import BlueZPrintableText
import BlueZReplay
import CoreBlueZ
import Foundation
import TestSupport
import Testing

/// A minute of a SensorTag with all sensors, recorded from bluetoothd 5.66: by signals from `sensortag log`, and by the
/// sockets of AcquireNotify from bleak.
@Suite(.serialized) struct RecordedTagTests {
    private struct Event: Decodable {
        var event: String
        var op: String?
        var device: String?
        var handle: UInt16?
        var value: String?
    }

    /// The values that came, in their order.
    @BluetoothActor private final class Log {
        var values: [(handle: UInt16, value: Data)] = []
    }

    private static func events(_ name: String) throws -> (path: String, events: [Event]) {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Recordings")
        let path = folder.appending(path: name).path
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst()
        return (path, try lines.map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) })
    }

    @Test(
        "A minute of a SensorTag replays with the same values in the same order, whichever way the client subscribes",
        arguments: ["tag-signals.jsonl", "tag-sockets.jsonl"], [true, false])
    func minute(file: String, isAcquired: Bool) async throws {
        let (path, all) = try Self.events(file)
        let address = try #require(all.first { $0.op == "connect" }?.device)
        let events = all.filter { $0.device == address }
        let bluez = try await ReplayedBlueZ(path, isFast: true)
        try await BluetoothActor.run {
            let central = CentralManager(bus: .address(bluez.address))
            let tag = try await central.firstPeripheral(timeout: Patience.timeout) { peripheral, _ in
                peripheral.address?.description == address
            }
            try await tag.connect()
            for service in try await tag.discoverServices() { try await service.discoverCharacteristics() }
            let characteristics = Dictionary(
                uniqueKeysWithValues: tag.services.flatMap(\.characteristics).map { ($0.handle + 1, $0) })
            let log = Log()
            var expected: [(handle: UInt16, value: Data)] = []
            var stopped: Set<UInt16> = []
            var tasks: [Task<Void, any Error>] = []
            for event in events {
                guard let handle = event.handle, let characteristic = characteristics[handle] else { continue }
                let value = Data(event.value.flatMap { [UInt8](hexadecimal: $0) } ?? [])
                if event.event == "value" {
                    if !stopped.contains(handle) { expected.append((handle, value)) }
                    continue
                }
                // What came before the request in the recording comes before it here.
                try await Patience.wait(for: "\(expected.count) values") { log.values.count >= expected.count }
                switch event.op {
                case "read": _ = try await characteristic.readValue()
                case "write": try await characteristic.writeValue(value)
                case "command": try await characteristic.writeValue(value, type: .withoutResponse)
                case "stopNotify": stopped.insert(handle)
                case "notify", "acquireNotify":
                    if isAcquired {
                        let notifications = try await characteristic.acquireNotify()
                        tasks.append(
                            Task { @BluetoothActor in
                                for try await value in notifications { log.values.append((handle, value)) }
                            })
                    } else {
                        try await characteristic.startNotifying { value, _ in
                            if let value { log.values.append((handle, value)) }
                        }
                    }
                default: break
                }
            }
            try await Patience.wait(for: "\(expected.count) values") { log.values.count >= expected.count }
            for task in tasks { task.cancel() }
            #expect(expected.count > 300)
            let values = log.values
            // Sockets have no order among one another.
            for handle in isAcquired ? Array(Set(expected.map(\.handle))) : [0] {
                let seen = values.filter { handle == 0 || $0.handle == handle }.prefix(expected.count)
                let wanted = expected.filter { handle == 0 || $0.handle == handle }
                #expect(seen.prefix(wanted.count).elementsEqual(wanted, by: ==))
            }
        }
        #expect(await bluez.unrecordedRequests.isEmpty)
    }
}
