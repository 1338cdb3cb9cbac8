import BlueZSimulator
import CommandLineSupport
import SimulatedSerial

extension SimulationFile {
    /// A serial port of a peripheral, with its behaviour.
    struct Serial: Decodable {
        struct Response: Decodable {
            var value: String?
            var text: String?
            var values: [String]?
            var texts: [String]?
        }

        struct Unsolicited: Decodable {
            var values: [String]?
            var texts: [String]?
            /// Seconds.
            var interval: Double?
            var `repeat`: Bool?
        }

        var profile: String
        var properties: [String]?
        var behaviour: String?
        var responses: [Response]?
        var unsolicited: Unsolicited?
        /// Seconds.
        var delay: Double?
        var interval: Double?
        var fragment: Int?
        var random: Bool?
        var joined: Bool?
    }

    static func pieces(_ values: [String]?, _ texts: [String]?) throws(CommandFailure) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        for hex in values ?? [] { pieces.append(try value(hex, nil)) }
        for text in texts ?? [] { pieces.append(Array(text.utf8)) }
        return pieces
    }
}

extension SimulationFile.Serial {
    func knownProfile() throws(CommandFailure) -> SerialProfile {
        if let found = SerialProfileChoice.named.first(where: { $0.name == profile }) { return found.profile }
        let names = SerialProfileChoice.allValueStrings.joined(separator: ", ")
        throw CommandFailure(.data, "\"\(profile)\" is not a serial profile; use one of: \(names)")
    }

    func specification() throws(CommandFailure) -> ServiceSpecification {
        let writing = try SimulationFile.properties(
            properties ?? ["write", "write-without-response"], suggestion: "use write or write-without-response")
        return try knownProfile().specification(writing: writing)
    }

    @SimulatorActor func device(_ peripheral: SimulatedPeripheral) throws(CommandFailure) -> SimulatedSerialDevice {
        let device = SimulatedSerialDevice(peripheral, try knownProfile(), script: try script())
        device.delay = try SimulationFile.duration(delay ?? 0)
        device.interval = try SimulationFile.duration(interval ?? 0)
        guard fragment ?? 1 > 0 else { throw CommandFailure(.data, "The field fragment takes a length of at least 1") }
        if random == true {
            device.cutting = .random(upTo: fragment ?? 512)
        } else if joined == true {
            device.cutting = .joined
        } else if let fragment {
            device.cutting = .length(fragment)
        }
        return device
    }

    @SimulatorActor private func script() throws(CommandFailure) -> any SerialScript {
        switch behaviour ?? (responses == nil ? "echo" : "responses") {
        case "echo": return EchoScript()
        case "silence": return SilentScript()
        case "garbage": return GarbageScript()
        case "responses":
            var table: [ResponseScript.Response] = []
            for response in responses ?? [] {
                table.append(
                    ResponseScript.Response(
                        try SimulationFile.value(response.value, response.text),
                        try SimulationFile.pieces(response.values, response.texts)))
            }
            return ResponseScript(table)
        case let other:
            let names = "echo, silence, garbage, responses"
            throw CommandFailure(.data, "\"\(other)\" is not a behaviour; use one of: \(names)")
        }
    }
}
