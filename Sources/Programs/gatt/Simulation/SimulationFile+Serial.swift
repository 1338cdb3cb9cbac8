import BlueZJSONLine
import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator

extension SimulationFile {
    /// A serial port of a peripheral, with its behaviour.
    struct Serial {
        enum Behaviour: String, CaseIterable { case echo, silence, garbage, responses }

        var profile = SerialProfile.nordic
        var properties: CharacteristicProperties = [.write, .writeWithoutResponse]
        var behaviour = Behaviour.echo
        var responses: [ResponseScript.Response] = []
        var unsolicited: Unsolicited?
        var delay = Duration.zero
        var interval = Duration.zero
        /// The most bytes of a notification.
        var fragment: Int?
        var isRandom = false
        var isJoined = false

        var specification: ServiceSpecification { profile.specification(writing: properties) }

        @SimulatorActor func device(_ peripheral: SimulatedPeripheral) -> SimulatedSerialDevice {
            let device = SimulatedSerialDevice(peripheral, profile, script: script)
            device.delay = delay
            device.interval = interval
            device.cutting =
                isRandom
                ? .random(upTo: fragment ?? 512) : isJoined ? .joined : fragment.map { .length($0) } ?? .pieces
            return device
        }

        @SimulatorActor private var script: any SerialScript {
            switch behaviour {
            case .echo: EchoScript()
            case .silence: SilentScript()
            case .garbage: GarbageScript()
            case .responses: ResponseScript(responses)
            }
        }
    }

    /// Bytes that a serial device sends without a request.
    struct Unsolicited {
        var pieces: [[UInt8]] = []
        var interval = Duration.seconds(1)
        var repeats = true
    }
}

extension JSONField<SimulationFile.Serial> {
    static var serial: JSONField {
        .object("serial", SimulationFile.Serial(), isStrict: true) { serial, keys in
            let profiles = SerialProfileChoice.named.map { (name: $0.name, value: $0.profile) }
            keys.add(
                "profile", required: &serial.profile,
                .choice(profiles) { profile in profiles.first { $0.value == profile }?.name ?? profile.name })
            keys.add("properties", orElse: &serial.properties, .properties)
            if keys.has("responses") { serial.behaviour = .responses }
            keys.add("behaviour", orElse: &serial.behaviour, .choice())
            keys.add("responses", &serial.responses, unless: [], .list(.serialResponse))
            keys.add("unsolicited", &serial.unsolicited, .unsolicited)
            keys.add("delay", &serial.delay, unless: .zero, .seconds())
            keys.add("interval", &serial.interval, unless: .zero, .seconds())
            keys.add("fragment", &serial.fragment, .number(from: 1, to: 512))
            keys.add("random", &serial.isRandom, unless: false, .flag)
            keys.add("joined", &serial.isJoined, unless: false, .flag)
        }
    }
}

extension JSONField<SimulationFile.Unsolicited> {
    fileprivate static var unsolicited: JSONField {
        .object("unsolicited", SimulationFile.Unsolicited(), isStrict: true) { unsolicited, keys in
            keys.addValues(&unsolicited.pieces)
            keys.add("interval", &unsolicited.interval, unless: .seconds(1), .seconds())
            keys.add("repeat", &unsolicited.repeats, unless: true, .flag)
        }
    }
}

extension JSONField<ResponseScript.Response> {
    fileprivate static var serialResponse: JSONField {
        .object("a response", ResponseScript.Response([], []), isStrict: true) { response, keys in
            keys.addValue(&response.command)
            keys.addValues(&response.pieces)
        }
    }
}
