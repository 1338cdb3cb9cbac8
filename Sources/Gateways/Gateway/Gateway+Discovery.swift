import BlueZValues
import CoreBlueZ
import GatewayProtocol

extension Gateway {
    func discover(_ link: GatewayLink, _ request: AdmittedRequest) {
        perform(request, mayChange: false) {
            var found: [ServiceDescription] = []
            var characteristics: [UInt16: Characteristic] = [:]
            var descriptors: [UInt16: Descriptor] = [:]
            for service in try await link.peripheral.discoverServices() {
                let included = try await service.discoverIncludedServices()
                var description = ServiceDescription(
                    handle: service.handle, uuid: service.uuid, isPrimary: service.isPrimary,
                    includes: included.map { IncludedService(handle: $0.handle) })
                for characteristic in try await service.discoverCharacteristics() {
                    let own = try await characteristic.discoverDescriptors()
                    characteristics[characteristic.handle] = characteristic
                    for descriptor in own { descriptors[descriptor.handle] = descriptor }
                    description.characteristics.append(
                        CharacteristicDescription(
                            handle: characteristic.handle, uuid: characteristic.uuid,
                            properties: characteristic.properties,
                            mtu: characteristic.mtu.map { min(max($0, 23), 517) },
                            descriptors: own.map { DescriptorDescription(handle: $0.handle, uuid: $0.uuid) }))
                }
                found.append(description)
            }
            link.characteristics = characteristics
            link.descriptors = descriptors
            // While the device is connected, these are the services that were found.
            let uuids = link.peripheral.advertisement.serviceUUIDs
            return DiscoverResult(services: found, uuids: uuids, state: link.currentState)
        }
    }
}
