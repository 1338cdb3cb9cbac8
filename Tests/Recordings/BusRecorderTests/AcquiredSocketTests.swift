import BlueZRecording
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

@testable import BusRecorder

extension RecordingTests {
    @Suite struct Sockets {
        @Test("Values of AcquireNotify pass and are recorded, and the socket ends with the link")
        func notifications() async throws {
            try await Recorded.run { recorded in
                let (_, peripheral) = try await recorded.connected()
                let updates = try peripheral.updates()
                var (seen, ends): ([Data], Int) = ([], 0)
                var notifications: AcquiredNotifications?
                updates.acquireNotify {
                    seen.append($0)
                } ended: { _ in
                    ends += 1
                } completion: { result, _ in
                    notifications = result
                }
                try await Patience.wait(for: "the socket") { notifications != nil }
                let mtu = try #require(updates.mtu)
                // As many at a time as the kernel has space for.
                for round in 0..<20 {
                    await recorded.simulator.perform { simulator in
                        for number in 0..<100 { simulator.notify([UInt8(round), UInt8(number)]) }
                    }
                    try await Patience.wait(for: "\(round + 1) times 100 values") { seen.count == 100 * (round + 1) }
                }
                await recorded.simulator.notify([])
                try await Patience.wait(for: "an empty value") { seen.count == 2001 }
                await recorded.simulator.disconnect()
                try await Patience.wait(for: "the end") { ends == 1 }
                #expect(recorded.values.map(\.value) == seen.map { [UInt8]($0) })
                #expect(recorded.values.allSatisfy { $0.by == .socket && $0.handle == updates.handle + 1 })
                let request = try #require(recorded.requests.first { $0.operation == .acquireNotify })
                #expect(recorded.response(to: request)?.mtu == UInt16(mtu))
                withExtendedLifetime(notifications) {}
            }
        }

        @Test("Values of AcquireWrite arrive and are recorded, and bluetoothd notices the client's end")
        func writes() async throws {
            let uuid: BluetoothUUID = "C0B10005-7A6B-4D5E-8F90-1A2B3C4D5E6F"
            let specification = SimulatorFixture.specification(
                more: [CharacteristicSpecification(uuid, [.writeWithoutResponse])])
            try await Recorded.run(specification) { recorded in
                let (_, peripheral) = try await recorded.connected()
                let characteristic = try #require(peripheral[SimulatorFixture.service]?[uuid])
                let writer = try await characteristic.acquireWrite()
                for number: UInt8 in 1...100 { try await writer.write(Data([number])) }
                try await Patience.wait(for: "the values") { await recorded.simulator.writes.count == 100 }
                writer.close()
                // bluetoothd refuses a second one as long as the first is open.
                var next: AcquiredWriter?
                try await Patience.wait(for: "a second socket") {
                    next = try? await characteristic.acquireWrite()
                    return next != nil
                }
                let commands = recorded.requests.filter { $0.operation == .command }
                #expect(commands.map(\.value) == (1...100).map { [UInt8($0)] })
                #expect(await recorded.simulator.writes == (1...100).map { [UInt8($0)] })
                withExtendedLifetime(next) {}
            }
        }
    }
}
