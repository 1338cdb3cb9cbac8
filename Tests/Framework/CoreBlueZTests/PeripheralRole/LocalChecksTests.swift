import FoundationEssentials
import TestSupport
import Testing

@testable import CoreBlueZ

/// What is refused before bluetoothd is asked.
@Suite(.virtualTime) @BluetoothActor struct LocalChecksTests {
    private static func value(_ uuid: BluetoothUUID = 0x2A19) -> LocalCharacteristic {
        LocalCharacteristic(uuid, properties: .read)
    }

    /// Services that cannot be published, with a part of the message.
    private var refused: [(LocalService, String)] {
        let twice = Self.value()
        let low = Self.value()
        low.requestedHandle = 20
        let alone = Self.value()
        alone.requestedHandle = 20
        let high = Self.value()
        high.requestedHandle = 20
        let zero = Self.value()
        zero.requestedHandle = 0
        let tight = LocalService(0x180F, characteristics: [low])
        tight.requestedHandle = 19
        return [
            (LocalService(0x1800), "belongs to BlueZ"), (LocalService(0x1801), "belongs to BlueZ"),
            (LocalService(0x180F, characteristics: [Self.value(0x2803)]), "declaration"),
            (
                LocalService(0x180F, characteristics: [LocalCharacteristic(0x2A19, properties: [])]),
                "without properties"
            ),
            (
                LocalService(
                    0x180F,
                    characteristics: [
                        LocalCharacteristic(0x2A19, properties: .read, permissions: .subscribeEncrypted)
                    ]), "restricts subscriptions"
            ),
            (
                LocalService(
                    0x180F,
                    characteristics: [LocalCharacteristic(0x2A19, properties: .read, value: Data(count: 513))]),
                "513 bytes"
            ),
            (descriptor(LocalDescriptor(0x2902)), "BlueZ adds itself"),
            (descriptor(LocalDescriptor(0x2900)), "BlueZ adds itself"),
            (descriptor(LocalDescriptor(0x2901, permissions: [])), "neither reading nor writing"),
            (descriptor(LocalDescriptor(0x2901, value: Data(count: 600))), "600 bytes"),
            (LocalService(0x180F, characteristics: [twice, twice]), "twice"),
            (LocalService(0x180F, characteristics: [low, high]), "another attribute has"),
            (LocalService(0x180F, characteristics: [zero]), "handle 0"),
            (LocalService(0x180F, characteristics: [alone]), "none for itself"), (tight, "its own are 21 to 21"),
        ]
    }

    private func descriptor(_ descriptor: LocalDescriptor) -> LocalService {
        LocalService(
            0x180F, characteristics: [LocalCharacteristic(0x2A19, properties: .read, descriptors: [descriptor])])
    }

    @Test("What bluetoothd would refuse is refused before it is asked, with the reason")
    func checks() throws {
        for (service, reason) in refused {
            let error = #expect(throws: BluetoothError.self) { try service.check(beside: []) }
            #expect(error?.message.contains(reason) == true, "\(error?.message ?? "no error") / \(reason)")
        }
        try LocalService(0x180F, characteristics: [Self.value()]).check(beside: [])
    }

    @Test("Permissions become BlueZ's flags")
    func flags() {
        #expect(AttributePermissions([]).flags([.read, .notify]) == ["read", "notify"])
        #expect(AttributePermissions([.read, .writeEncrypted]).flags([]) == ["read", "encrypt-write"])
        #expect(
            AttributePermissions([.readAuthenticated, .subscribeSecure, .authorize]).flags([.read, .indicate])
                == ["read", "indicate", "encrypt-authenticated-read", "secure-indicate", "authorize"])
        #expect(
            AttributePermissions([.subscribeEncrypted]).flags([.notify, .indicate])
                == ["notify", "indicate", "encrypt-notify", "encrypt-indicate"])
    }

    @Test("The length of an advertisement is that of its structures, with the flags")
    func length() {
        var advertisement = LocalAdvertisement()
        #expect(advertisement.length == 3 && advertisement.scanResponseLength == 0)
        advertisement.serviceUUIDs = [0x180F, 0x180D]
        #expect(advertisement.length == 9)
        advertisement.serviceUUIDs = ["C0B10100-7A6B-4D5E-8F90-1A2B3C4D5E6F"]
        #expect(advertisement.length == 21)
        advertisement.manufacturerData = [0x000D: Data([1, 2])]
        advertisement.appearance = 0x0341
        #expect(advertisement.length == 31)
        advertisement.localName = "Sensor"
        #expect(advertisement.length == 31 && advertisement.scanResponseLength == 8)
        advertisement.secondaryChannel = .oneMegabit
        #expect(advertisement.length == 39 && advertisement.scanResponseLength == 0)
    }

    @Test("An advertisement that does not fit says by how much")
    func tooLarge() {
        var advertisement = LocalAdvertisement(serviceUUIDs: ["C0B10100-7A6B-4D5E-8F90-1A2B3C4D5E6F"])
        advertisement.manufacturerData = [1: Data(count: 9)]
        #expect(advertisement.problem(AdvertisingCapabilities())?.message.contains("too large by 3 bytes") == true)
        advertisement = LocalAdvertisement(localName: String(repeating: "n", count: 30))
        #expect(advertisement.problem(AdvertisingCapabilities())?.message.contains("too long by 1 byte:") == true)
        advertisement = LocalAdvertisement()
        advertisement.structures = [0x16: Data()]
        #expect(advertisement.problem(AdvertisingCapabilities())?.code == .invalidArguments)
        advertisement = LocalAdvertisement()
        advertisement.secondaryChannel = .coded
        #expect(advertisement.problem(AdvertisingCapabilities())?.code == .notSupported)
        advertisement = LocalAdvertisement()
        advertisement.interval = .milliseconds(10) ... .milliseconds(30)
        #expect(advertisement.problem(AdvertisingCapabilities())?.code == .invalidArguments)
        advertisement.interval = .milliseconds(20) ... .milliseconds(30)
        #expect(advertisement.problem(AdvertisingCapabilities()) == nil)
        #expect(advertisement.ignored(by: AdvertisingCapabilities()) == .interval)
    }
}
