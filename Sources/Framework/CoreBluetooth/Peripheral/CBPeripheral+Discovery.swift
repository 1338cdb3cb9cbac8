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
                $knownCharacteristics.withLock {
                    Self.object(description.token, in: &$0, or: CBCharacteristic(description, owner))
                }
            }
            owner.foundCharacteristics = Self.merge(owner.foundCharacteristics, characteristics)
        }
        delegate?.peripheral(self, didDiscoverCharacteristicsFor: owner, error: found.error)
    }

    func didFind(descriptors found: FoundAttributes, _ token: Int) {
        guard let owner = knownCharacteristics[token] else { return }
        if found.error == nil {
            owner.foundDescriptors = found.attributes.map { description in
                $knownDescriptors.withLock {
                    Self.object(description.token, in: &$0, or: CBDescriptor(description, owner))
                }
            }
        }
        delegate?.peripheral(self, didDiscoverDescriptorsFor: owner, error: found.error)
    }

    /// Returns the only object of a service.
    private func service(_ description: AttributeDescription) -> CBService {
        $knownServices.withLock { Self.object(description.token, in: &$0, or: CBService(description, self)) }
    }

    /// Returns the only object of an attribute.
    private static func object<Attribute: CBAttribute>(
        _ token: Int, in known: inout [Int: Attribute], or new: @autoclosure () -> Attribute
    ) -> Attribute {
        if let attribute = known[token] { return attribute }
        let attribute = new()
        known[token] = attribute
        return attribute
    }

    /// Adds what a discovery has found to what earlier ones have, ordered by handle.
    private static func merge<Attribute: CBAttribute>(_ earlier: [Attribute]?, _ found: [Attribute]) -> [Attribute] {
        let earlier = (earlier ?? []).filter { attribute in !found.contains { $0 === attribute } }
        return (earlier + found).sorted { $0.handle < $1.handle }
    }
}
