import BlueZSimulator
import CommandLineSupport
import FoundationEssentials

extension SimulationFile {
    var adapterSpecifications: [AdapterSpecification] {
        (adapters ?? [Adapter()]).enumerated().map { index, adapter in
            AdapterSpecification(
                address: adapter.address ?? "00:AA:01:00:00:\(Self.digits(0x42 + index))",
                name: adapter.name ?? "simulator \(index)", isPowered: adapter.powered ?? true)
        }
    }

    static func digits(_ number: Int) -> String {
        ValueFormat.hex(Data([UInt8(truncatingIfNeeded: number)])).uppercased()
    }

    static func uuid(_ text: String) throws(CommandFailure) -> BluetoothUUID {
        guard let uuid = BluetoothUUID(text) else {
            throw CommandFailure(.data, "\"\(text)\" is not a UUID: write 4, 8 or 32 hexadecimal digits")
        }
        return uuid
    }

    static func properties(
        _ flags: [String], suggestion: String
    ) throws(CommandFailure) -> CharacteristicProperties {
        var properties: CharacteristicProperties = []
        for flag in flags {
            guard let property = CharacteristicProperties(flag: flag) else {
                throw CommandFailure(.data, "\"\(flag)\" is not a property; \(suggestion)")
            }
            properties.insert(property)
        }
        return properties
    }

    static func value(_ hex: String?, _ text: String?) throws(CommandFailure) -> [UInt8] {
        if let hex { return [UInt8](try ValueFormat.bytes(hex: hex)) }
        return text.map { [UInt8]($0.utf8) } ?? []
    }

    static func duration(_ seconds: Double) throws(CommandFailure) -> Duration {
        guard (0...1e9).contains(seconds) else {
            throw CommandFailure(.data, "The time \(seconds) is not in the range 0 to 1e9 seconds")
        }
        return .seconds(seconds)
    }
}

extension SimulationFile.Peripheral {
    func specification(_ index: Int) throws(CommandFailure) -> PeripheralSpecification {
        var advertisement = AdvertisingData()
        advertisement.appearance = appearance ?? 0
        advertisement.txPower = txPower
        for text in advertisedServices ?? [] {
            advertisement.serviceUUIDs.append(try SimulationFile.uuid(text))
        }
        for (company, data) in manufacturerData ?? [:] {
            let digits = company.lowercased().hasPrefix("0x") ? company.dropFirst(2) : company[...]
            guard let identifier = UInt16(digits, radix: 16) else {
                throw CommandFailure(.data, "\"\(company)\" is not a company identifier: write four digits")
            }
            advertisement.manufacturerData[identifier] = try SimulationFile.value(data, nil)
        }
        guard let kind = BluetoothAddress.Kind(rawValue: addressType ?? "public") else {
            throw CommandFailure(.data, "The field addressType takes public or random")
        }
        var specifications: [ServiceSpecification] = []
        for service in services ?? [] { specifications.append(try service.specification()) }
        if let serial { specifications.insert(try serial.specification(), at: 0) }
        guard (23...517).contains(mtu ?? 517) else { throw CommandFailure(.data, "The field mtu takes 23 to 517") }
        return PeripheralSpecification(
            name: name, address: address ?? "00:AA:02:00:00:\(SimulationFile.digits(index + 1))", addressType: kind,
            advertisement: advertisement, rssi: rssi ?? -60, maximumMTU: mtu ?? 517, services: specifications,
            pairing: try pairing?.behaviour() ?? PairingBehaviour())
    }
}

extension SimulationFile.Pairing {
    /// Keys or a display are requested for authenticated pairing.
    func behaviour() throws(CommandFailure) -> PairingBehaviour {
        guard let inputOutput = PairingBehaviour.InputOutput(rawValue: io) else {
            let names = PairingBehaviour.InputOutput.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(.data, "The field io takes one of \(names)")
        }
        guard passkey ?? 0 <= 999_999 else { throw CommandFailure(.data, "The field passkey takes 0 to 999999") }
        var behaviour = PairingBehaviour(inputOutput, wantsAuthentication: inputOutput != .none)
        behaviour.passkey = passkey
        behaviour.accepts = accepts ?? true
        behaviour.confirms = confirms ?? true
        behaviour.typesShownPasskey = true
        return behaviour
    }
}

extension SimulationFile.Service {
    func specification() throws(CommandFailure) -> ServiceSpecification {
        var specifications: [CharacteristicSpecification] = []
        for characteristic in characteristics ?? [] { specifications.append(try characteristic.specification()) }
        return ServiceSpecification(
            try SimulationFile.uuid(uuid), isPrimary: primary ?? true, handle: handle, characteristics: specifications)
    }
}

extension SimulationFile.Characteristic {
    func specification() throws(CommandFailure) -> CharacteristicSpecification {
        let set = try SimulationFile.properties(properties, suggestion: "use names such as read, write or notify")
        var specifications: [DescriptorSpecification] = []
        for descriptor in descriptors ?? [] {
            specifications.append(
                DescriptorSpecification(
                    try SimulationFile.uuid(descriptor.uuid),
                    value: try SimulationFile.value(descriptor.value, descriptor.text),
                    isWritable: descriptor.writable ?? false))
        }
        return CharacteristicSpecification(
            try SimulationFile.uuid(uuid), set, value: try SimulationFile.value(value, text), handle: handle,
            needsEncryption: encrypted ?? false, needsAuthentication: authenticated ?? false,
            descriptors: specifications)
    }
}
