import BlueZDBus
import BlueZSimulator
import Foundation
import TestSupport
import Testing

@testable import CoreBlueZ

// "Not paired" is not answered by pairing by itself, as the third column has it: bluetoothd has tried that already, and
// what is left needs a person's word.
extension Traps {
    @Suite struct Pairing {
        @Test("Row 40: An agent is registered before Pair, which BlueZ refuses without any")
        @BluetoothActor func agent() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.connect()
            await fixture.simulator.keepCalls()
            try await peripheral.pair()
            #expect(peripheral.isPaired)
            // `Get` asks for the link, before and after a call that makes one.
            let members = await fixture.simulator.members.filter { $0 != "Get" }
            #expect(members.prefix(2) == ["RegisterAgent", "Pair"])
        }

        @Test(
            "Row 40: What BlueZ answers to Pair becomes the error that fits",
            arguments: [
                ("AuthenticationFailed", BluetoothError.Code.insufficientSecurity),
                ("AuthenticationRejected", .insufficientSecurity), ("AuthenticationTimeout", .insufficientSecurity),
                ("AuthenticationCanceled", .cancelled), ("ConnectionAttemptFailed", .connectionFailed),
            ])
        @BluetoothActor func refused(name: String, code: BluetoothError.Code) async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.connect()
            await fixture.simulator.refuse("Pair", of: "org.bluez.Device1", "org.bluez.Error." + name, name)
            #expect(await fixture.failure { try await peripheral.pair() }?.code == code)
            #expect(!peripheral.isPaired)
        }

        @Test("Row 40: Pair that fails although the device is paired has succeeded")
        @BluetoothActor func pairedAllTheSame() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.find()
            await fixture.simulator.perform { $0.peripheral.connectionFault = .stalledDiscovery }
            var ends: [BluetoothError?] = []
            peripheral.pair { ends.append($0) }
            try await eventually("the pairing") { peripheral.isPaired }
            #expect(ends.isEmpty)
            await fixture.simulator.disconnect()
            try await eventually("the end") { !ends.isEmpty }
            await fixture.central.settle()
            #expect(ends == [nil])
        }

        @Test("Row 40: Pair whose answer is lost has succeeded when the device is paired and its services are found")
        @BluetoothActor func lostAnswer() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.connect()
            try await fixture.simulator.deviceChanged(["ServicesResolved": .boolean(false)])
            await fixture.simulator.keepCalls()
            await fixture.simulator.keepSilent("Pair", of: "org.bluez.Device1")
            var ends: [BluetoothError?] = []
            peripheral.pair { ends.append($0) }
            try await eventually("the call") { await fixture.simulator.members.contains("Pair") }
            try await fixture.simulator.deviceChanged(["Paired": .boolean(true)])
            try await eventually("the pairing") { peripheral.isPaired }
            #expect(ends.isEmpty)
            try await fixture.simulator.deviceChanged(["ServicesResolved": .boolean(true)])
            try await eventually("the end") { !ends.isEmpty }
            await fixture.central.settle()
            #expect(ends == [nil])
        }

        @Test("Row 29: A device that is removed is forgotten, and its services are found anew")
        @BluetoothActor func forgotten() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.connect()
            try await fixture.central.forgetPeripheral(peripheral)
            try await eventually("the removal") { fixture.central.client.mirror.devices.isEmpty }
            #expect(peripheral.services.allSatisfy { !$0.isDiscovered })
            let again = try await fixture.connect()
            #expect(again === peripheral)
            #expect(try await fixture.value(of: again).readValue() == Data([1, 2, 3]))
        }
    }
}
