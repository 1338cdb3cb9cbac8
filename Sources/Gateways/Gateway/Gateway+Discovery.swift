import CoreBlueZ
import GatewayProtocol

extension Gateway {
    func discover(_ link: GatewayLink, _ request: AdmittedRequest) {
        perform(request, mayChange: false) {
            var found: [GatewayService] = []
            var characteristics: [UInt16: Characteristic] = [:]
            var descriptors: [UInt16: Descriptor] = [:]
            for service in try await link.peripheral.discoverServices() {
                let included = try await service.discoverIncludedServices()
                var entries: [GatewayCharacteristic] = []
                for characteristic in try await service.discoverCharacteristics() {
                    let own = try await characteristic.discoverDescriptors()
                    characteristics[characteristic.handle] = characteristic
                    for descriptor in own { descriptors[descriptor.handle] = descriptor }
                    entries.append(GatewayCharacteristic(characteristic, own))
                }
                found.append(
                    GatewayService(
                        handle: service.handle, uuid: service.uuid, primary: service.isPrimary,
                        includes: included.map(\.handle), characteristics: entries))
            }
            link.characteristics = characteristics
            link.descriptors = descriptors
            // While the device is connected, these are the services that were found.
            let uuids = link.peripheral.advertisement.serviceUUIDs
            return DiscoverResult(services: found, uuids: uuids, state: link.currentState)
        }
    }
}

extension GatewayCharacteristic {
    @BluetoothActor init(_ characteristic: Characteristic, _ descriptors: [Descriptor]) {
        self.init(
            handle: characteristic.handle, uuid: characteristic.uuid, flags: characteristic.properties.names,
            mtu: characteristic.mtu.map { min(max($0, 23), 517) },
            descriptors: descriptors.map { GatewayDescriptor(handle: $0.handle, uuid: $0.uuid) })
    }
}
