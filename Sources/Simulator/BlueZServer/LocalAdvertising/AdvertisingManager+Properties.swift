import BlueZDBus

extension AdvertisingManager {
    /// The properties of the interface. The lists are experimental before 5.77, and unknown to 5.55.
    var properties: [ExportedInterface.Property] {
        var properties = [
            property("ActiveInstances", "y") { .byte(UInt8($0.advertisements.count)) },
            property("SupportedInstances", "y") {
                .byte(UInt8(Int($0.kernel.capabilities.instances) - $0.advertisements.count))
            },
            property("SupportedIncludes", "as") { .strings($0.names(in: Self.includes)) },
            property("SupportedSecondaryChannels", "as") {
                // Only a controller with extended advertising has the property.
                $0.kernel.capabilities.isExtended ? .strings($0.names(in: Self.secondaryChannels)) : nil
            },
        ]
        let hasLists = version >= 77 || adapter.isExperimental
        if hasLists, version >= 57 {
            properties.append(property("SupportedFeatures", "as") { .strings($0.names(in: Self.features)) })
        }
        if hasLists, version >= 56 {
            properties.append(property("SupportedCapabilities", "a{sv}") { .properties($0.limits) })
        }
        return properties
    }

    private func names(in table: [(name: String, flag: AdvertisingFlags)]) -> [String] {
        table.filter { kernel.capabilities.flags.contains($0.flag) }.map(\.name)
    }

    private var limits: [String: Value] {
        let length = kernel.capabilities.maximumLength
        var limits: [String: Value] = ["MaxAdvLen": .byte(length), "MaxScnRspLen": .byte(length)]
        if kernel.capabilities.isExtended {
            limits["MinTxPower"] = .int16(Int16(AdvertisingCapabilities.powers.lowerBound))
            limits["MaxTxPower"] = .int16(Int16(AdvertisingCapabilities.powers.upperBound))
        }
        return limits
    }
}
