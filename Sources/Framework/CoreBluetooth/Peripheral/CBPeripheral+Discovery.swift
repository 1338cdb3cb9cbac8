import CoreBlueZ

extension CBPeripheral {
    func didFind(services found: FoundAttributes) {
        mtu = found.mtu ?? mtu
        if found.error == nil { foundServices = Self.merge(foundServices, found.attributes.map(service)) }
        delegate?.peripheral(self, didDiscoverServices: found.error)
    }

    func didFind(included found: FoundAttributes, _ token: Int) {
        guard let owner = knownServices[token] else { return }
        if found.error == nil {
            owner.foundIncludedServices = Self.merge(owner.foundIncludedServices, found.attributes.map(service))
        }
        delegate?.peripheral(self, didDiscoverIncludedServicesFor: owner, error: found.error)
    }

    func didFind(characteristics found: FoundAttributes, _ token: Int) {
        guard let owner = knownServices[token] else { return }
        mtu = found.mtu ?? mtu
        if found.error == nil {
            let characteristics = found.attributes.map { description in
                let known = knownCharacteristics[description.token]
                let characteristic = known ?? CBCharacteristic(description, owner)
                knownCharacteristics[description.token] = characteristic
                return characteristic
            }
            owner.foundCharacteristics = Self.merge(owner.foundCharacteristics, characteristics)
        }
        delegate?.peripheral(self, didDiscoverCharacteristicsFor: owner, error: found.error)
    }

    func didFind(descriptors found: FoundAttributes, _ token: Int) {
        guard let owner = knownCharacteristics[token] else { return }
        if found.error == nil {
            owner.foundDescriptors = found.attributes.map { description in
                let descriptor = knownDescriptors[description.token] ?? CBDescriptor(description, owner)
                knownDescriptors[description.token] = descriptor
                return descriptor
            }
        }
        delegate?.peripheral(self, didDiscoverDescriptorsFor: owner, error: found.error)
    }

    /// Returns the only object of a service.
    private func service(_ description: AttributeDescription) -> CBService {
        let service = knownServices[description.token] ?? CBService(description, self)
        knownServices[description.token] = service
        return service
    }

    /// Adds what a discovery has found to what earlier ones have, ordered by handle.
    private static func merge<Attribute: CBAttribute>(_ earlier: [Attribute]?, _ found: [Attribute]) -> [Attribute] {
        let earlier = (earlier ?? []).filter { attribute in !found.contains { $0 === attribute } }
        return (earlier + found).sorted { $0.handle < $1.handle }
    }
}
