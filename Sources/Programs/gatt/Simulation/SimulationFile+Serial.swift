import BlueZJSONLine
import BlueZSimulatedSerial
import BlueZSimulator

extension SimulationFile {
    /// A serial port of a peripheral, with its behaviour.
    struct Serial {
        private enum Key: String, CaseIterable {
            case profile, properties, behaviour, responses, unsolicited, delay, interval, fragment, random, joined
        }
        private enum Behaviour: String, CaseIterable { case echo, silence, garbage, responses }

        var profile: SerialProfile
        var specification: ServiceSpecification
        var unsolicited: Unsolicited?
        private var behaviour: Behaviour
        private var responses: [ResponseScript.Response] = []
        private var delay: Duration
        private var interval: Duration
        private var cutting = SimulatedSerialDevice.Cutting.pieces

        init(_ value: FileValue) throws(FileError) {
            let object = try FileObject<Key>(value, "serial")
            profile = try object.required(.profile).choice(
                SerialProfileChoice.named.map { (name: $0.name, value: $0.profile) })
            specification = profile.specification(
                writing: try object[.properties]?.properties() ?? [.write, .writeWithoutResponse])
            for element in try object[.responses]?.elements() ?? [] {
                responses.append(try ResponseScript.Response(element))
            }
            let choices = Behaviour.allCases.map { (name: $0.rawValue, value: $0) }
            behaviour =
                try object[.behaviour]?.choice(choices) ?? (object[.responses] == nil ? .echo : .responses)
            unsolicited = try object[.unsolicited].map(Unsolicited.init)
            delay = try object[.delay]?.seconds() ?? .zero
            interval = try object[.interval]?.seconds() ?? .zero
            let length: Int? = try object[.fragment]?.integer(in: 1...512)
            if try object[.random]?.flag() == true {
                cutting = .random(upTo: length ?? 512)
            } else if try object[.joined]?.flag() == true {
                cutting = .joined
            } else if let length {
                cutting = .length(length)
            }
        }

        @SimulatorActor func device(_ peripheral: SimulatedPeripheral) -> SimulatedSerialDevice {
            let device = SimulatedSerialDevice(peripheral, profile, script: script)
            device.delay = delay
            device.interval = interval
            device.cutting = cutting
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
        private enum Key: String, CaseIterable { case values, texts, interval, `repeat` }

        var pieces: [[UInt8]]
        var interval: Duration
        var repeats: Bool

        init(_ value: FileValue) throws(FileError) {
            let object = try FileObject<Key>(value, "unsolicited")
            pieces = try object.lists(.values, .texts)
            interval = try object[.interval]?.seconds() ?? .seconds(1)
            repeats = try object[.repeat]?.flag() ?? true
        }
    }
}

extension ResponseScript.Response {
    private enum Key: String, CaseIterable { case value, text, values, texts }

    fileprivate init(_ value: FileValue) throws(FileError) {
        let object = try FileObject<Key>(value, "a response")
        self.init(try object.bytes(.value, .text) ?? [], try object.lists(.values, .texts))
    }
}
