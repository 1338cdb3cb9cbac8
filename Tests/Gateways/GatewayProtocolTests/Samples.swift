import BlueZDBus
import BlueZValues
import FoundationEssentials

@testable import GatewayProtocol

/// Values that the tests share.
enum Sample {
    static let gateway = GatewayName("kitchen")!
    static let client = GatewayName("hall-0123abcd")!
    static let other = GatewayName("other-0123abcd")!
    static let device = BluetoothAddress("BC:6A:29:AC:16:6B")!
    static let second = BluetoothAddress("BC:6A:29:AC:16:6C")!
    static let id = Identifier("000102030405060708090a0b0c0d0e0f")!
    static let instance = Identifier("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")!
    static let link = LinkReference(device: device, link: 7)

    static let operations: [GatewayOperation] = [
        .hello, .heard,
        .connect(device, .random, lease: 15000, timeout: 45000),
        .connect(device, nil, lease: 15000, timeout: 45000),
        .discover(link, timeout: 30000),
        .read(link, handle: 0x25, offset: 0),
        .read(link, handle: 0x25, offset: 18),
        .write(link, handle: 0x25, value: [0, 1, 255], .command, offset: 0),
        .write(link, handle: 0x25, value: [], .request, offset: 5),
        .subscribe(link, handle: 0x25), .unsubscribe(link, handle: 0x25),
        .pair(link, timeout: 90000), .cancelPairing(link), .unpair(device), .disconnect(link),
        .renew([link, LinkReference(device: second, link: 9)], lease: 15000),
    ]

    static func request(_ operation: GatewayOperation) -> GatewayRequest {
        GatewayRequest(id: id, instance: instance, client: client, notAfter: 123_456, operation: operation)
    }

    static let state = DeviceState(
        name: "Tag", paired: true, bonded: true, trusted: false, appearance: 0x0340, battery: 77)

    static let discovered = DiscoverResult(
        services: [
            ServiceDescription(
                handle: 0x20, uuid: BluetoothUUID(0xAA00), includes: [IncludedService(handle: 0x40)],
                characteristics: [
                    CharacteristicDescription(
                        handle: 0x21, uuid: BluetoothUUID(0xAA01), properties: [.read, .notify], mtu: 517,
                        descriptors: [DescriptorDescription(handle: 0x23, uuid: BluetoothUUID(0x2902))])
                ])
        ], uuids: [BluetoothUUID(0x1800), BluetoothUUID(0xAA00)], state: state)

    static let events: [GatewayEvent.Content] = [
        .disconnected, .services, .changed(state), .value(handle: 0x25, [1, 2, 3]), .ended(handle: 0x25),
    ]

    static func event(_ content: GatewayEvent.Content) -> GatewayEvent {
        GatewayEvent(instance: instance, device: device, link: 7, sequence: 42, content: content)
    }

    static var advertised: AdvertisementData {
        var data = AdvertisementData()
        data.flags = Data([6])
        data.localName = "Tag"
        data.serviceUUIDs = [BluetoothUUID(0xAA80), BluetoothUUID("f000aa00-0451-4000-b000-000000000000")]
        data.manufacturerData = [0x0499: Data([5, 1, 2]), 0x000D: Data([3, 0, 0])]
        data.serviceData = [BluetoothUUID(0x181A): Data([0xA4, 0xC1])]
        data.txPowerLevel = -4
        data.appearance = 0x0340
        data.structures = [0x26: Data([1, 2])]
        return data
    }

    static let advertisement = GatewayAdvertisement(
        instance: instance, device: device, kind: .public, rssi: -60, data: advertised)

    static func time(_ milliseconds: Int64) -> BootInstant { BootInstant(nanoseconds: milliseconds * 1_000_000) }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
