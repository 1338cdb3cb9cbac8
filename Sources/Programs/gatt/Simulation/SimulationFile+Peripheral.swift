import BlueZJSONLine
import BlueZSimulator

extension SimulationFile {
    /// A peripheral, with what happens to it.
    struct Peripheral {
        var line: Int
        /// The services are those of the file, after that of the serial port.
        var specification = PeripheralSpecification(address: "")
        /// Those of the file that BlueZ and the simulator offer themselves, and that were left out.
        var genericServices: [BluetoothUUID] = []
        var serial: Serial?
        var appearsAfter: Duration?
        var disconnectsAfter: Duration?
        var refusesConnections = false
        var presence: Presence?

        /// Creates a peripheral without anything.
        init(line: Int) { self.line = line }
    }

    /// The times at which a peripheral is in range.
    struct Presence {
        /// How long the peripheral is in range before it leaves. Less than 0.01 s would be nothing but work.
        var stay = Duration.zero
        var away = Duration.zero
        var repeats = true
    }
}

extension JSONField<SimulationFile.Peripheral> {
    static var peripheral: JSONField {
        .object("a peripheral", SimulationFile.Peripheral(line: 0), isStrict: true) { $0.code(&$1) }
    }
}

extension SimulationFile.Peripheral {
    /// The text of a file that describes the peripheral.
    var text: String {
        var output = JSONOutput(isReadable: true)
        JSONField.peripheral.write(self, &output)
        return String(decoding: output.bytes, as: UTF8.self) + "\n"
    }

    fileprivate mutating func code(_ keys: inout JSONKeys) {
        line = keys.line ?? line
        keys.add("name", &specification.name, unless: "", .name)
        specification.advertisement.localName = specification.name.isEmpty ? nil : specification.name
        keys.add("address", &specification.address, unless: "", .address)
        keys.add(
            "addressType", &specification.addressType, unless: .public,
            .choice([("public", .public), ("random", .random)], \.rawValue))
        keys.add("rssi", &specification.rssi, unless: -60, .number(from: -127, to: 20))
        keys.add("mtu", &specification.maximumMTU, unless: 517, .number(from: 23, to: 517))
        keys.add("connectable", &specification.isConnectable, unless: true, .flag)
        specification.codeAdvertisements(&keys)
        var services = Array(specification.services.dropFirst(serial == nil ? 0 : 1))
        keys.add("services", orElse: &services, .list(.service))
        keys.add("serial", &serial, .serial)
        specification.services = (serial.map { [$0.specification] } ?? []) + services
        checkResponses(of: services, &keys)
        keys.add("pairing", &specification.pairing, unless: PairingBehaviour(), .pairing)
        keys.add("appearsAfter", &appearsAfter, .seconds())
        keys.add("disconnectsAfter", &disconnectsAfter, .seconds())
        keys.add("refusesConnections", &refusesConnections, unless: false, .flag)
        keys.add("presence", &presence, .presence)
    }

    private func checkResponses(of services: [ServiceSpecification], _ keys: inout JSONKeys) {
        for (service, specification) in services.enumerated() {
            let all = specification.characteristics + self.specification.services.flatMap(\.characteristics)
            for (number, characteristic) in specification.characteristics.enumerated() {
                for (response, value) in characteristic.responses.enumerated() {
                    guard let problem = value.problem(of: characteristic, among: all) else { continue }
                    let path = ["services", "\(service)", "characteristics", "\(number)", "responses", "\(response)"]
                    keys.refuse(problem, at: path)
                }
            }
        }
    }
}

extension JSONField<SimulationFile.Presence> {
    fileprivate static var presence: JSONField {
        .object("presence", SimulationFile.Presence(), isStrict: true) { presence, keys in
            keys.add("seconds", required: &presence.stay, .seconds(from: 0.01))
            keys.add("away", required: &presence.away, .seconds(from: 0.01))
            keys.add("repeat", &presence.repeats, unless: true, .flag)
        }
    }
}

extension JSONField<PairingBehaviour> {
    /// Keys or a display are requested for authenticated pairing.
    fileprivate static var pairing: JSONField {
        .object("pairing", PairingBehaviour(), isStrict: true) { pairing, keys in
            keys.add("io", required: &pairing.inputOutput, .choice())
            keys.add("passkey", &pairing.passkey, .number(from: 0, to: 999_999))
            keys.add("accepts", &pairing.accepts, unless: true, .flag)
            keys.add("confirms", &pairing.confirms, unless: true, .flag)
            pairing.wantsAuthentication = pairing.inputOutput != .none
            pairing.typesShownPasskey = true
        }
    }
}
