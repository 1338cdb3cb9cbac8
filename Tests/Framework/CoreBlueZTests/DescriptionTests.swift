import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

@Suite("Objects and values describe themselves on one line that is safe to print", .virtualTime)
struct DescriptionTests {
    @Test("Peripherals, services, characteristics, descriptors and results") func objects() async throws {
        let measurement = CharacteristicSpecification(
            0x2A19, [.read, .notify], descriptors: [DescriptorSpecification(0x2901)])
        let own = CharacteristicSpecification("F000AA01-0451-4000-B000-000000000000", [.write])
        let specification = PeripheralSpecification(
            name: "Strap\u{1B}[31m", address: "C0:FF:EE:00:00:01",
            advertisement: AdvertisementData(localName: "Strap\u{1B}[31m", serviceUUIDs: [0x180F]),
            services: [ServiceSpecification(0x180F, characteristics: [measurement, own])])
        let bluez = try await SimulatorActor.run {
            let bluez = try await SimulatorFixture.start()
            try bluez.add(specification)
            return bluez
        }
        try await BluetoothActor.run {
            let central = CentralManager(bus: .address(bluez.address))
            var texts: [String] = []
            for try await result in central.scanResults() {
                texts.append("\(result)")
                let strap = result.peripheral
                try await strap.connect()
                let battery = try #require(try await strap.discoverServices([0x180F]).first)
                texts.append("\(strap)")
                texts.append("\(battery)")
                for characteristic in try await battery.discoverCharacteristics() {
                    texts.append("\(characteristic)")
                    texts += try await characteristic.discoverDescriptors().map { "\($0)" }
                }
                break
            }
            #expect(texts.first?.hasPrefix(#"Strap\u{1b}[31m (C0:FF:EE:00:00:01), disconnected, "#) == true, "\(texts)")
            #expect(texts.first?.hasSuffix(#""Strap\u{1b}[31m", services [Battery (180F)]"#) == true, "\(texts)")
            #expect(
                texts.dropFirst() == [
                    #"Strap\u{1b}[31m (C0:FF:EE:00:00:01), connected"#, "Battery (180F)",
                    "Battery Level (2A19): read, notify", "Client Characteristic Configuration (2902)",
                    "Characteristic User Description (2901)", "F000AA01-0451-4000-B000-000000000000: write",
                ])
        }
        withExtendedLifetime(bluez) {}
    }

    @Test("Declared names stand where there is no assigned one") func declared() async {
        await BluetoothActor.run {
            let service = Service(name: "thermometer", uuid: "F000AA00-0451-4000-B000-000000000000")
            service.addCharacteristic("data", uuid: "F000AA01-0451-4000-B000-000000000000")
            #expect("\(service)" == "thermometer (F000AA00-0451-4000-B000-000000000000)")
            #expect("\(service.characteristic("data"))" == "data (F000AA01-0451-4000-B000-000000000000)")
        }
    }

    @Test("Properties have the names of BlueZ's flags") func properties() {
        let properties: CharacteristicProperties = [.notify, .read, .writeWithoutResponse]
        #expect("\(properties)" == "read, write-without-response, notify")
        #expect("\(CharacteristicProperties())" == "none")
    }

    @Test(
        "Advertisement data",
        arguments: [
            (AdvertisementData(), "no data"),
            (
                AdvertisementData {
                    $0.localName = "a\nb"
                    $0.serviceUUIDs = [0x180D, "F000AA00-0451-4000-B000-000000000000"]
                    $0.manufacturerData = [0x000D: Data([3, 0xFF]), 0xFFFE: Data()]
                    $0.serviceData = [0x180F: Data([0x64])]
                },
                #""a\u{a}b", services [Heart Rate (180D), F000AA00-0451-4000-B000-000000000000], "#
                    + "Texas Instruments Inc. (000D) 03 ff, company FFFE (empty), data of Battery (180F) 64"
            ),
            (
                AdvertisementData {
                    $0.txPowerLevel = -4
                    $0.appearance = 0x00C1
                    $0.flags = Data([6])
                    $0.structures = [0x26: Data([1, 2])]
                }, "sent with -4 dBm, appearance Sports Watch, flags 06, structure 26 01 02"
            ),
        ])
    func advertisements(_ data: AdvertisementData, text: String) {
        #expect("\(data)" == text)
    }
}

extension AdvertisementData {
    fileprivate init(_ change: (inout AdvertisementData) -> Void) {
        self.init()
        change(&self)
    }
}
