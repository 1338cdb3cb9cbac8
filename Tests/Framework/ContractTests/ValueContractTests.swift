import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension Contract {
    @Suite(.virtualTime) struct Values {
        @Test("Row 26: Discovery finds services, characteristics and their properties")
        func discovery() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let service = try #require(peripheral[Probe.service])
                let expected: [(BluetoothUUID, CharacteristicProperties)] = [
                    (Probe.echo, [.read, .write, .writeWithoutResponse]),
                    (Probe.long, [.read]),
                    (Probe.updates, [.read, .notify]),
                    (Probe.confirmations, [.read, .indicate]),
                    (Probe.sink, [.write]),
                    (Probe.commands, [.writeWithoutResponse]),
                    (Probe.readsOnly, [.read]),
                ]
                for (uuid, properties) in expected {
                    #expect(service[uuid]?.properties == properties, "\(uuid)")
                }
                #expect(service.isPrimary)
                #expect(service.characteristics.map(\.handle) == service.characteristics.map(\.handle).sorted())
            }
        }

        @Test("Row 31: Two services of one UUID stand side by side, by handle")
        func twins() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let twins = peripheral.services.filter { $0.uuid == Probe.twin }
                try #require(twins.count == 2)
                #expect(twins[0].handle < twins[1].handle)
                for (index, twin) in twins.enumerated() {
                    let value = try await #require(twin[Probe.twinValue]).readValue()
                    #expect(value == Data([UInt8(index + 1)]))
                }
            }
        }

        @Test("A read returns the value, and keeps it")
        func read() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let echo = try fixture.characteristic(Probe.echo, of: peripheral)
                #expect(try await echo.readValue() == Data([1, 2, 3]))
                #expect(echo.value == Data([1, 2, 3]))
                _ = try await fixture.ask("set", ["char": Probe.echo.fullString, "value": "ff"])
                #expect(try await echo.readValue() == Data([0xFF]))
            }
        }

        @Test("Row 39: A value of 400 bytes is read whole")
        func longRead() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let value = try await fixture.characteristic(Probe.long, of: peripheral).readValue()
                #expect(value == Data((0..<400).map { UInt8($0 % 251) }))
            }
        }

        @Test("Row 39: A written value is there when the completion runs", arguments: [0, 1, 20, 200, 512])
        func write(count: Int) async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let echo = try fixture.characteristic(Probe.echo, of: peripheral)
                let value = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) })
                try await echo.writeValue(value)
                #expect(try await echo.readValue() == value)
            }
        }

        @Test("A value over 512 bytes is refused before it is sent")
        func tooLong() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let echo = try fixture.characteristic(Probe.echo, of: peripheral)
                let error = await #expect(throws: BluetoothError.self) { try await echo.writeValue(Data(count: 513)) }
                #expect(error?.code == .valueTooLong)
            }
        }

        @Test("Row 39: A value is read from an offset, and an offset beyond its end is an error")
        func offset() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let echo = try fixture.characteristic(Probe.echo, of: peripheral)
                #expect(try await echo.readValue() == Data([1, 2, 3]))
                let short = try await Self.part { () throws(BluetoothError) in try await echo.readValue(fromOffset: 1) }
                #expect(short == nil || short == Data([2, 3]))
                let long = try fixture.characteristic(Probe.long, of: peripheral)
                for offset in [390, 1] {
                    let part = try await long.readValue(fromOffset: offset)
                    #expect(part == Data((offset..<400).map { UInt8($0 % 251) }), "from \(offset)")
                }
                let error = await #expect(throws: BluetoothError.self) { try await echo.readValue(fromOffset: 4) }
                #expect(error?.attError == .invalidOffset || error?.attError == .attributeNotLong)
            }
        }

        @Test("Row 39: A descriptor is read from an offset")
        func descriptorOffset() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let echo = try fixture.characteristic(Probe.echo, of: peripheral)
                let descriptors = try await echo.discoverDescriptors()
                let name = try #require(descriptors.first { $0.uuid == 0x2901 })
                #expect(try await name.readValue() == Data("Echo".utf8))
                let part = try await Self.part { () throws(BluetoothError) in try await name.readValue(fromOffset: 2) }
                #expect(part == nil || part == Data("ho".utf8))
            }
        }

        /// A peripheral may refuse to send part of a value that fits into one reply (Core Specification, Vol 3 Part F
        /// 3.4.4.5), as Bumble does: nil then.
        @BluetoothActor private static func part(
            _ read: @BluetoothActor () async throws(BluetoothError) -> Data
        ) async throws -> Data? {
            do throws(BluetoothError) {
                return try await read()
            } catch {
                guard error.attError == .attributeNotLong else { throw error }
                return nil
            }
        }

        @Test("A reliable write arrives, however long it is", arguments: [1, 300])
        func reliable(count: Int) async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let reliable = peripheral.service(Probe.extended).characteristic(Probe.reliable)
                #expect(reliable.properties.contains(.reliableWrite))
                let value = Data((0..<count).map { UInt8($0 % 251) })
                try await reliable.writeValue(value, type: .reliable)
                #expect(try await reliable.readValue() == value)
            }
        }

        @Test("Row 26: Included services are found")
        func included() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let included = try await peripheral.service(Probe.extended).discoverIncludedServices()
                #expect(included == [peripheral.service(Probe.service)])
                #expect(try await peripheral.service(Probe.service).discoverIncludedServices().isEmpty)
            }
        }

        @Test("writeByte writes one byte")
        func writeByte() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let echo = try fixture.characteristic(Probe.echo, of: peripheral)
                let end = Once<BluetoothError?>()
                echo.writeByte(0x2A) { end($0) }
                try await fixture.wait(for: "the write") { end.isCalled }
                #expect(try end.only() == nil)
                #expect(try await echo.readValue() == Data([0x2A]))
            }
        }

        @Test("A write without response arrives as a command")
        func writeWithoutResponse() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let commands = try fixture.characteristic(Probe.commands, of: peripheral)
                try await commands.writeValue(Data([5, 6]), type: .withoutResponse)
                let uuid = Probe.commands.description
                try await fixture.wait(for: "the command") {
                    try await fixture.log().contains { $0 == ("command", uuid, "0506") }
                }
            }
        }

        @Test("Row 32: Operations of one characteristic run in order")
        func order() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let echo = try fixture.characteristic(Probe.echo, of: peripheral)
                var values: [Data?] = []
                for number in UInt8(0)..<8 {
                    echo.writeByte(number) { #expect($0 == nil) }
                    echo.readValue { value, _ in values.append(value) }
                }
                try await fixture.wait(for: "all reads", within: 30) { values.count == 8 }
                #expect(values == (0..<8).map { Data([UInt8($0)]) })
            }
        }

        @Test("Descriptors are found, read and written")
        func descriptors() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let echo = try fixture.characteristic(Probe.echo, of: peripheral)
                let descriptors = try await echo.discoverDescriptors()
                let description = try #require(descriptors.first { $0.uuid == 0x2901 })
                #expect(try await description.readValue() == Data("Echo".utf8))
                let own = try #require(descriptors.first { $0.uuid == Probe.descriptor })
                #expect(try await own.readValue() == Data([0xAA, 0x55]))
                try await own.writeValue(Data([1]))
                #expect(try await own.readValue() == Data([1]))
                try await own.writeByte(0x2A)
                #expect(try await own.readValue() == Data([0x2A]))
                #expect(own.value == Data([0x2A]))
            }
        }

        @Test(
            "The peripheral's ATT errors arrive with their codes",
            .enabled("needs fail") { try await Side.can("fail") },
            arguments: [0x01, 0x80, 0x81, 0x0D] as [UInt8]
        )
        func attErrors(code: UInt8) async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let echo = try fixture.characteristic(Probe.echo, of: peripheral)
                for operation in ["read", "write"] {
                    _ = try await fixture.ask(
                        "fail", ["char": Probe.echo.fullString, "op": operation, "att": Int(code)]
                    )
                }
                let read = await #expect(throws: BluetoothError.self) { try await echo.readValue() }
                #expect(read?.attError?.rawValue == code)
                let write = await #expect(throws: BluetoothError.self) { try await echo.writeByte(1) }
                #expect(write?.attError?.rawValue == code)
            }
        }

        @Test("Row 38: What the characteristic does not permit is refused by its properties' errors")
        func notPermitted() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let sink = try fixture.characteristic(Probe.sink, of: peripheral)
                let read = await #expect(throws: BluetoothError.self) { try await sink.readValue() }
                #expect(read?.code == .notPermitted)
                #expect(read?.attError == .readNotPermitted)
                let readsOnly = try fixture.characteristic(Probe.readsOnly, of: peripheral)
                let write = await #expect(throws: BluetoothError.self) { try await readsOnly.writeByte(1) }
                #expect(write?.code == .notPermitted)
                #expect(write?.attError == .writeNotPermitted)
            }
        }
    }
}
