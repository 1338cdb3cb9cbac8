import BlueZSimulator
import FoundationEssentials
import Testing

@testable import CoreBlueZ

extension Traps.Values {
    /// Before 5.60 bluetoothd answers a read with an offset with the value from its beginning.
    @Suite struct Parts {
        enum Kind: CaseIterable, Sendable { case characteristic, descriptor }

        @BluetoothActor private func run(
            isBefore560: Bool,
            _ body: @BluetoothActor (PeripheralFixture, Characteristic, Descriptor) async throws -> Void
        ) async throws {
            var configuration = SimulatedBlueZ.Configuration(timing: .instant)
            configuration.version = isBefore560 ? .v5_55 : .v5_66
            try await PeripheralFixture.run(configuration) { fixture in
                await fixture.simulator.perform {
                    _ = $0.peripheral.addService(
                        ServiceSpecification(
                            0xFFA0,
                            characteristics: [
                                CharacteristicSpecification(
                                    0xFFB0, [.read, .write], value: Array(0..<200),
                                    descriptors: [DescriptorSpecification(0x2901, value: Array(100..<150))])
                            ]))
                }
                let characteristic = try await fixture.connect().service(0xFFA0).characteristic(0xFFB0)
                let descriptor = try #require(try await characteristic.discoverDescriptors().first)
                #expect((characteristic.mtu == nil) == isBefore560)
                try await body(fixture, characteristic, descriptor)
            }
        }

        @Test(
            "Row 39: A part of a value is read right of a bluetoothd that ignores the offset", arguments: [true, false])
        func parts(isBefore560: Bool) async throws {
            try await run(isBefore560: isBefore560) { _, characteristic, descriptor in
                // Before bluetoothd remembers anything of the value, and after.
                for _ in 0..<2 {
                    for offset in [1, 0, 30, 49, 50] {
                        let first = try await characteristic.readValue(fromOffset: offset)
                        #expect(first == Data(UInt8(offset)..<200), "\(offset)")
                        let second = try await descriptor.readValue(fromOffset: offset)
                        #expect(second == Data(100 + UInt8(offset)..<150), "\(offset)")
                    }
                    #expect(characteristic.value == nil && descriptor.value == nil)
                }
            }
        }

        @Test(
            "Row 39: An offset behind the value is the same error of each bluetoothd", arguments: [true, false])
        func behind(isBefore560: Bool) async throws {
            try await run(isBefore560: isBefore560) { fixture, characteristic, descriptor in
                for error in [
                    await fixture.failure { try await characteristic.readValue(fromOffset: 201) },
                    await fixture.failure { try await descriptor.readValue(fromOffset: 51) },
                ] {
                    #expect(error?.code == .invalidArguments)
                    #expect(error?.attError == .invalidOffset)
                }
                let value = try await characteristic.readValue()
                #expect(value.count == 200)
            }
        }

        @Test("Row 39: What bluetoothd remembers of a longer value is no part of a shorter one, without an MTU")
        func shorter() async throws {
            try await run(isBefore560: true) { fixture, characteristic, _ in
                try await characteristic.readValue()
                await fixture.simulator.perform { $0.peripheral.characteristic(0xFFB0)?.value = [7, 8, 9] }
                let part = try await characteristic.readValue(fromOffset: 1)
                #expect(part == Data([8, 9]))
            }
        }
    }
}
