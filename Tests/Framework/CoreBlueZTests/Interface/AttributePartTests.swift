import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// Included services, parts of values, reliable writes, and raw advertising data.
@Suite(.virtualTime) struct AttributePartTests {
    private static let service = SimulatorFixture.service

    @Test("The services that one includes are found, and forgotten with the link's services")
    @BluetoothActor func included() async throws {
        let fixture = try await PeripheralFixture()
        await fixture.simulator.addIncluding()
        let peripheral = try await fixture.connect()
        let including = peripheral.service(0xFFA0)
        #expect(including.includedServices.isEmpty)
        #expect(try await including.discoverIncludedServices().map(\.uuid) == [Self.service])
        #expect(including.includedServices == [peripheral.service(Self.service)])
        #expect(try await including.discoverIncludedServices([0x180A]).isEmpty)
        #expect(try await peripheral.service(Self.service).discoverIncludedServices().isEmpty)
        var results: [([Service]?, BluetoothError?)] = []
        including.discoverIncludedServices { results.append(($0, $1)) }
        try await eventually("the closure") { results.count == 1 }
        #expect(results.first?.0?.count == 1)
        await fixture.simulator.perform { simulator in
            simulator.peripheral.services.filter { $0.uuid == 0xFFA0 }.forEach(simulator.peripheral.removeService)
        }
        try await eventually("the removal") { !including.isDiscovered }
        #expect(including.includedServices.isEmpty)
    }

    @Test("Included services of what is missing, without a link, and refused, are errors")
    @BluetoothActor func includedErrors() async throws {
        let fixture = try await PeripheralFixture()
        await fixture.simulator.addIncluding()
        let peripheral = try await fixture.connect()
        let including = peripheral.service(0xFFA0)
        #expect(
            await fixture.failure { try await peripheral.service(0x1809).discoverIncludedServices() }?.code
                == .notDiscovered)
        await fixture.simulator.refuse(
            "Get", of: BlueZ.properties, SimulatorFixture.busError + "UnknownObject", "No")
        #expect(await fixture.failure { try await including.discoverIncludedServices() }?.code == .attributeGone)
        try await peripheral.disconnect()
        #expect(await fixture.failure { try await including.discoverIncludedServices() }?.code == .notConnected)
    }

    @Test("A part of a value is written behind what is there, and read from its offset on")
    @BluetoothActor func parts() async throws {
        let fixture = try await PeripheralFixture()
        let value = try fixture.value(of: try await fixture.connect())
        #expect(try await value.readValue(fromOffset: 1) == Data([2, 3]))
        #expect(value.value == nil)
        #expect(try await value.readValue(fromOffset: 3).isEmpty)
        try await value.writeValue(Data([8, 9]), atOffset: 2)
        #expect(try await value.readValue() == Data([1, 2, 8, 9]))
        try await value.writeValue(Data([7]), atOffset: 0, type: .reliable)
        var ends: [String] = []
        value.readValue(fromOffset: 0) { data, _ in ends.append("\(data?.count ?? -1)") }
        value.writeValue(Data([1]), atOffset: 1) { ends.append("\($0?.code.description ?? "done")") }
        try await eventually("the closures") { ends.count == 2 }
        #expect(ends == ["1", "done"])
        #expect(try await value.readValue() == Data([7, 1]))
    }

    @Test("A descriptor is read and written in parts too")
    @BluetoothActor func descriptorParts() async throws {
        let fixture = try await PeripheralFixture()
        await fixture.simulator.addIncluding()
        let peripheral = try await fixture.connect()
        let characteristic = peripheral.service(0xFFA0).characteristic(0xFFB0)
        let descriptor = try #require(try await characteristic.discoverDescriptors().first)
        #expect(try await descriptor.readValue(fromOffset: 1) == Data([0x42]))
        try await descriptor.writeValue(Data([0x43]), atOffset: 1)
        #expect(try await descriptor.readValue() == Data([0x41, 0x43]))
        var ends: [Int] = []
        descriptor.readValue(fromOffset: 2) { data, _ in ends.append(data?.count ?? -1) }
        descriptor.writeValue(Data(), atOffset: 0) { ends.append($0 == nil ? 7 : -1) }
        try await eventually("the closures") { ends == [0, 7] }
    }

    @Test("Offsets that cannot be are refused before anything is sent, one behind the value by the peripheral")
    @BluetoothActor func offsets() async throws {
        let fixture = try await PeripheralFixture()
        let value = try fixture.value(of: try await fixture.connect())
        let descriptor = try #require(try await value.discoverDescriptors().first)
        await fixture.simulator.keepCalls()
        for offset in [-1, 513, Int.max, Int.min] {
            #expect(
                await fixture.failure { try await value.readValue(fromOffset: offset) }?.code == .invalidArguments)
            #expect(
                await fixture.failure { try await value.writeValue(Data([1]), atOffset: offset) }?.code
                    == .invalidArguments)
            #expect(
                await fixture.failure { try await descriptor.readValue(fromOffset: offset) }?.code
                    == .invalidArguments)
        }
        #expect(
            await fixture.failure { try await value.writeValue(Data([1]), atOffset: 512) }?.code == .valueTooLong)
        #expect(
            await fixture.failure { try await descriptor.writeValue(Data([1]), atOffset: 512) }?.code
                == .valueTooLong
        )
        #expect(
            await fixture.failure { try await value.writeValue(Data([1]), atOffset: 0, type: .withoutResponse) }?
                .code
                == .notSupported)
        #expect(await fixture.simulator.calls("WriteValue").isEmpty)
        #expect(await fixture.failure { try await value.readValue(fromOffset: 4) }?.attError == .invalidOffset)
    }

    @Test("A reliable write is asked of bluetoothd as such, and one that is received wrongly is an error")
    @BluetoothActor func reliable() async throws {
        let fixture = try await PeripheralFixture()
        let value = try fixture.value(of: try await fixture.connect())
        #expect(value.maximumWriteValueLength(for: .reliable) == 512)
        try await value.writeValue(Data([5]), type: .reliable)
        #expect(try await value.readValue() == Data([5]))
        await fixture.simulator.perform {
            $0.peripheral.characteristic(SimulatorFixture.value)?.faults.garblesPreparedWrites = true
        }
        let error = await fixture.failure { try await value.writeValue(Data([6]), type: .reliable) }
        #expect(error?.code == .failed)
        #expect(error?.message.contains("nothing was written") == true)
        #expect(try await value.readValue() == Data([5]))
        try await value.writeValue(Data([6]))
        #expect(try await value.readValue() == Data([6]))
    }

    @Test(
        "Structures that bluetoothd does not read are in the advertisement, if it tells them", arguments: [true, false])
    @BluetoothActor func structures(isExperimental: Bool) async throws {
        let fixture = try await PeripheralFixture(.init(timing: .instant, isExperimental: isExperimental))
        let structures: [UInt8: Data] = [0x26: Data([1, 2]), 0x30: Data([3])]
        await fixture.simulator.perform { $0.peripheral.advertisement.structures = structures }
        let peripheral = try await fixture.find()
        #expect(peripheral.advertisement.structures == (isExperimental ? structures : [:]))
        #expect(peripheral.advertisement.flags == (isExperimental ? Data([0x06]) : nil))
        guard isExperimental else { return }
        await fixture.simulator.perform { $0.peripheral.advertisement.structures[0x26] = Data([9]) }
        let scan = Task { @BluetoothActor in try await fixture.central.scanForPeripherals(found: { _, _, _ in }) }
        try await eventually("the change") { peripheral.advertisement.structures[0x26] == Data([9]) }
        fixture.central.stopScan()
        try await scan.value
        try await fixture.simulator.deviceChanged([:], invalidated: ["AdvertisingData"])
        try await eventually("the loss") { peripheral.advertisement.structures.isEmpty }
    }
}

extension SimulatorFixture {
    /// A service that includes the simulator's own, and one descriptor that can be written.
    fileprivate func addIncluding() {
        peripheral.addService(
            ServiceSpecification(
                0xFFA0, includes: [Self.service],
                characteristics: [
                    CharacteristicSpecification(
                        0xFFB0, .read,
                        descriptors: [DescriptorSpecification(0x2901, value: [0x41, 0x42], isWritable: true)])
                ]))
    }
}
