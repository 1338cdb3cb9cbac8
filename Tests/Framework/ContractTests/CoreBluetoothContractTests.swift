import CoreBlueZ
import CoreBluetooth
import TestSupport
import Testing

extension Contract {
    /// Through the module CoreBluetooth, whose queues the virtual clock does not see.
    @Suite(.realTime) struct AppleInterface {
        @Test("A scan reports the probe once, with what it advertises under Apple's keys")
        func scan() async throws {
            try await AppleCentral.run { fixture, central in
                var heard = 0
                fixture.central.scanForPeripherals(options: ScanOptions(allowDuplicates: true)) { peripheral, _, _ in
                    if peripheral.address == Probe.address { heard += 1 }
                } completion: { _ in
                }
                try await central.next("found CoreBlueZ Probe") {
                    central.manager.scanForPeripherals(withServices: [CBUUID(Probe.service)])
                }
                heard = 0
                try await fixture.wait(for: "more advertisements", within: 20) { heard > 2 }
                fixture.central.stopScan()
                try central.sync {
                    #expect(central.manager.isScanning)
                    central.manager.stopScan()
                    try #require(central.recorder.discoveries.count == 1)
                    let found = central.recorder.discoveries[0]
                    #expect(found.data[CBAdvertisementDataLocalNameKey] as? String == "CoreBlueZ Probe")
                    let services = found.data[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID]
                    // After a link, bluetoothd reports the services that it has found there.
                    #expect(services?.contains(CBUUID(Probe.service)) == true)
                    let manufacturer = found.data[CBAdvertisementDataManufacturerDataKey] as? Data
                    #expect(manufacturer == Data([0xFF, 0xFF, 1, 2, 3]))
                    #expect(found.rssi < 21)
                }
            }
        }

        @Test("A peripheral is connected, what it has is found, and the program ends the link, which is no error")
        func connection() async throws {
            try await AppleCentral.run { _, central in
                let peripheral = try await central.find()
                try await central.next("connected") {
                    central.manager.connect(peripheral)
                    #expect(peripheral.state == .connecting)
                }
                try await central.next("services") { peripheral.discoverServices(nil) }
                let expected = [Probe.service, Probe.twin, Probe.twin, Probe.extended].map { CBUUID($0) }
                let services = central.sync { peripheral.services ?? [] }.filter { expected.contains($0.uuid) }
                try #require(services.map(\.uuid) == expected)
                try await central.next("characteristics") { peripheral.discoverCharacteristics(nil, for: services[0]) }
                let found = central.sync { services[0].characteristics ?? [] }
                let properties: KeyValuePairs<BluetoothUUID, CBCharacteristicProperties> = [
                    Probe.echo: [.read, .write, .writeWithoutResponse], Probe.long: .read,
                    Probe.updates: [.read, .notify], Probe.confirmations: [.read, .indicate], Probe.sink: .write,
                    Probe.commands: .writeWithoutResponse, Probe.readsOnly: .read,
                ]
                try #require(found.map(\.uuid) == properties.map { CBUUID($0.key) })
                #expect(found.map(\.properties) == properties.map(\.value))
                try await central.next("descriptors") { peripheral.discoverDescriptors(for: found[0]) }
                central.sync {
                    let descriptors = found[0].descriptors?.map(\.uuid)
                    #expect(descriptors == [CBUUID(string: "2901"), CBUUID(Probe.descriptor)])
                    #expect(peripheral.state == .connected)
                    // The MTU is 247. bluetoothd reports it from 5.62 on.
                    let length = Side.isBefore("5.62") ? 20 : 244
                    #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == length)
                }
                try await central.next("disconnected") { central.manager.cancelPeripheralConnection(peripheral) }
                central.sync { #expect(peripheral.state == .disconnected && central.recorder.error == nil) }
            }
        }

        @Test("A value is read, and written with and without response")
        func values() async throws {
            try await AppleCentral.run { fixture, central in
                let (peripheral, found) = try await central.discover(Probe.echo, Probe.commands)
                try await central.next("value") { peripheral.readValue(for: found[0]) }
                try await central.next("written") {
                    peripheral.writeValue(Data([7, 8]), for: found[0], type: .withResponse)
                    peripheral.writeValue(Data([5, 6]), for: found[1], type: .withoutResponse)
                }
                try await central.next("value") { peripheral.readValue(for: found[0]) }
                central.sync {
                    #expect(central.recorder.values == [Data([1, 2, 3]), Data([7, 8])])
                    #expect(central.recorder.errors.allSatisfy { $0 == nil })
                }
                let uuid = Probe.commands.description
                try await fixture.wait(for: "the command") {
                    try await fixture.log().contains { $0 == ("command", uuid, "0506") }
                }
                #expect(central.sync { central.recorder.count("written") } == 1)
            }
        }

        @Test("Values that are longer than a packet are read and written whole")
        func longValues() async throws {
            try await AppleCentral.run { _, central in
                let (peripheral, found) = try await central.discover(Probe.long, Probe.echo)
                let value = Data((0..<512).map { UInt8(truncatingIfNeeded: $0 &* 7) })
                try await central.next("value") { peripheral.readValue(for: found[0]) }
                try await central.next("written") { peripheral.writeValue(value, for: found[1], type: .withResponse) }
                try await central.next("value") { peripheral.readValue(for: found[1]) }
                central.sync {
                    #expect(central.recorder.values == [Data((0..<400).map { UInt8($0 % 251) }), value])
                    #expect(central.recorder.errors.allSatisfy { $0 == nil })
                }
            }
        }

        @Test("Notifications and indications arrive in order, until they are switched off")
        func notifications() async throws {
            try await AppleCentral.run { fixture, central in
                let uuids = [Probe.updates, Probe.confirmations]
                let (peripheral, found) = try await central.discover(uuids[0], uuids[1])
                for (uuid, characteristic) in zip(uuids, found) {
                    let earlier = central.sync { central.recorder.values.count }
                    try await central.next("notifying true") { peripheral.setNotifyValue(true, for: characteristic) }
                    let request: [String: any Sendable] = [
                        "char": uuid.fullString, "value": "aa", "count": 20, "number": true,
                    ]
                    #expect(try await fixture.ask("notify", request)["sent"] as? Int == 20)
                    try await central.wait(for: "20 values") { central.recorder.values.count >= earlier + 20 }
                    try await central.next("notifying false") { peripheral.setNotifyValue(false, for: characteristic) }
                    try await fixture.wait(for: "the unsubscription") {
                        try await fixture.log().contains {
                            $0.operation == "unsubscribe" && $0.characteristic == uuid.description
                        }
                    }
                    #expect(try await fixture.ask("notify", request)["sent"] as? Int == 0)
                    let values = central.sync { Array(central.recorder.values.dropFirst(earlier)) }
                    #expect(values == (0..<20).map { Data([0xAA, UInt8($0), 0, 0, 0]) })
                }
            }
        }

        @Test(
            "When the link is lost, a pending read fails, and then the link has ended with an error",
            .enabled("needs vanish, delay") { try await Side.can("disconnect", "vanish", "delay") },
            arguments: ["disconnect", "vanish"])
        func lostLink(verb: String) async throws {
            try await AppleCentral.run { fixture, central in
                let (peripheral, found) = try await central.discover(Probe.echo)
                _ = try await fixture.ask("delay", ["char": Probe.echo.fullString, "ms": 25_000])
                central.sync { peripheral.readValue(for: found[0]) }
                try await fixture.wait(for: "the read to reach the peer") {
                    try await fixture.log().contains { $0.operation == "read" }
                }
                _ = try await fixture.ask(verb)
                try await central.wait(for: "the end of the link") { central.recorder.count("disconnected") == 1 }
                central.sync {
                    #expect(central.recorder.events.suffix(2) == ["value", "disconnected"])
                    #expect(peripheral.state == .disconnected && peripheral.services == nil)
                    #expect(found[0].service?.peripheral == nil)
                    // bluetoothd says why a link has ended from 5.83 on.
                    let isTimeout = verb == "vanish" && !Side.isBefore("5.83")
                    let code: CBError.Code = isTimeout ? .connectionTimeout : .peripheralDisconnected
                    let codes = central.recorder.errors.suffix(2).map { ($0 as? CBError)?.code }
                    #expect(codes == [code, code])
                }
            }
        }

        @Test(
            "What the peripheral refuses is an error of the Attribute Protocol",
            .enabled("needs fail") { try await Side.can("fail") })
        func refusals() async throws {
            try await AppleCentral.run { fixture, central in
                let (peripheral, found) = try await central.discover(Probe.echo, Probe.sink, Probe.readsOnly)
                for code in [0x80, 0x0D, 0x11] {
                    for operation in ["read", "write"] {
                        _ = try await fixture.ask(
                            "fail", ["char": Probe.echo.fullString, "op": operation, "att": code])
                    }
                    try await central.next("value") { peripheral.readValue(for: found[0]) }
                    #expect(central.attError?.rawValue == code)
                    try await central.next("written") {
                        peripheral.writeValue(Data([1]), for: found[0], type: .withResponse)
                    }
                    #expect(central.attError?.rawValue == code)
                }
                try await central.next("value") { peripheral.readValue(for: found[1]) }
                #expect(central.attError == .readNotPermitted)
                try await central.next("written") {
                    peripheral.writeValue(Data([1]), for: found[2], type: .withResponse)
                }
                #expect(central.attError == .writeNotPermitted)
                try await central.next("notifying false") { peripheral.setNotifyValue(true, for: found[0]) }
                #expect(central.attError == .requestNotSupported)
            }
        }
    }
}
