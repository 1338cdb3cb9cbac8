import BlueZJSONLine
import BlueZSimulator

extension SimulationFile {
    /// A peripheral, with what happens to it.
    struct Peripheral {
        enum Key: String, CaseIterable {
            case name, address, addressType, rssi, mtu, appearance, txPower, advertisedServices, manufacturerData
            case services, serial, pairing, appearsAfter, disconnectsAfter, refusesConnections, presence
        }

        let line: Int
        var specification: PeripheralSpecification
        /// Those of the file that BlueZ and the simulator offer themselves, and that were left out.
        var genericServices: [BluetoothUUID] = []
        var serial: Serial?
        var appearsAfter: Duration?
        var disconnectsAfter: Duration?
        var refusesConnections = false
        var presence: Presence?

        init(_ value: FileValue, index: Int) throws(FileError) {
            let object = try FileObject<Key>(value, "a peripheral")
            line = value.node.line
            specification = PeripheralSpecification(
                name: try object.required(.name).name(),
                address: try object[.address]?.address() ?? FileValue.address("00:AA:02", index + 1))
            specification.addressType =
                try object[.addressType]?.choice([("public", .public), ("random", .random)]) ?? .public
            specification.rssi = try object[.rssi]?.integer(in: -127...20) ?? -60
            specification.maximumMTU = try object[.mtu]?.integer(in: 23...517) ?? 517
            specification.pairing = try object[.pairing].map(PairingBehaviour.init) ?? PairingBehaviour()
            try advertise(object)
            let elements = try object[.services]?.elements() ?? []
            for element in elements { specification.services.append(try ServiceSpecification(element)) }
            let services = specification.services
            if let found = object[.serial] {
                let serial = try Serial(found)
                self.serial = serial
                specification.services.insert(serial.specification, at: 0)
            }
            for (element, service) in zip(elements, services) {
                try service.checkResponses(element, in: specification)
            }
            appearsAfter = try object[.appearsAfter]?.seconds()
            disconnectsAfter = try object[.disconnectsAfter]?.seconds()
            refusesConnections = try object[.refusesConnections]?.flag() ?? false
            presence = try object[.presence].map(Presence.init)
        }

        private mutating func advertise(_ object: FileObject<Key>) throws(FileError) {
            specification.advertisement.appearance = try object[.appearance]?.integer(in: 0...UInt16.max) ?? 0
            specification.advertisement.txPower = try object[.txPower]?.integer(in: -127...20)
            for element in try object[.advertisedServices]?.elements() ?? [] {
                specification.advertisement.serviceUUIDs.append(try element.uuid())
            }
            for (company, data) in try object[.manufacturerData]?.members() ?? [] {
                let digits = company.lowercased().hasPrefix("0x") ? company.dropFirst(2) : company[...]
                guard digits.utf8.count <= 4, let identifier = UInt16(digits, radix: 16), digits.first != "+" else {
                    throw data.error("The key is not a company identifier: write four hexadecimal digits")
                }
                specification.advertisement.manufacturerData[identifier] = try data.bytes()
            }
        }
    }

    /// The times at which a peripheral is in range.
    struct Presence {
        private enum Key: String, CaseIterable { case seconds, away, `repeat` }

        /// How long the peripheral is in range before it leaves.
        var stay: Duration
        var away: Duration
        var repeats: Bool

        init(_ value: FileValue) throws(FileError) {
            let object = try FileObject<Key>(value, "presence")
            // Less would be nothing but work.
            stay = try object.required(.seconds).seconds(from: 0.01)
            away = try object.required(.away).seconds(from: 0.01)
            repeats = try object[.repeat]?.flag() ?? true
        }
    }
}

extension PairingBehaviour {
    private enum Key: String, CaseIterable { case io, passkey, accepts, confirms }

    /// Keys or a display are requested for authenticated pairing.
    fileprivate init(_ value: FileValue) throws(FileError) {
        let object = try FileObject<Key>(value, "pairing")
        let choices = InputOutput.allCases.map { (name: $0.rawValue, value: $0) }
        let inputOutput = try object.required(.io).choice(choices)
        self.init(inputOutput, wantsAuthentication: inputOutput != .none)
        passkey = try object[.passkey]?.integer(in: 0...999_999)
        accepts = try object[.accepts]?.flag() ?? true
        confirms = try object[.confirms]?.flag() ?? true
        typesShownPasskey = true
    }
}
