import BlueZPrintableText
import FoundationEssentials

/// BTHome v2 (bthome.io/format and bthome.io/encryption), in the data of the service 0xFCD2.
///
/// The first byte has the version in bits 5 to 7, bit 0 if the rest is encrypted, and bit 2 if the device sends only when
/// something happens. Objects follow: a number of one byte and a value, whose size the number determines, with the low
/// byte first. A receiver stops at an object that it doesn't know.
///
/// If the payload is encrypted, the objects are followed by a counter of four bytes and a check value of four bytes. The
/// nonce is the address, the UUID, the first byte and the counter. Bit 1, which the specification reserves, stands for an
/// address after the first byte in the library bthome-ble.
struct BTHomeFormat: AdvertisementFormat {
    let sources: [AdvertisementSource] = [.service(0xFCD2)]

    func decode(_ payload: AdvertisementPayload) -> [AdvertisementPart] {
        var part = AdvertisementPart("BTHome v2", of: payload)
        part.read(payload.bytes) { part, reader throws(AdvertisementProblem) in
            let information = try reader.unsigned(1)
            guard information >> 5 == 2 else { throw .unsupportedVersion(information >> 5) }
            var address = payload.address?.bytes
            if information & 2 != 0 { address = try reader.bytes(6).reversed() }
            guard information & 1 != 0 else { return try Self.readObjects(&part, &reader) }

            guard reader.rest.count >= 8 else { throw .truncated }
            let sealed = Array(try reader.bytes(reader.rest.count - 8))
            let counter = try reader.bytes(4)
            part.counter = counter.reversed().reduce(0) { $0 << 8 | UInt32($1) }
            guard let address else { throw .addressNeeded }
            let nonce = address + [0xD2, 0xFC, UInt8(information)] + counter
            var objects = ByteReader(try payload.decrypt(sealed + reader.rest, nonce: nonce))
            try Self.readObjects(&part, &objects)
        }
        return [part]
    }

    private static func readObjects(
        _ part: inout AdvertisementPart, _ reader: inout ByteReader
    ) throws(AdvertisementProblem) {
        var problem: AdvertisementProblem?
        var (buttons, dimmers, commands) = (0, 0, 0)
        while !reader.rest.isEmpty {
            let object = UInt8(try reader.unsigned(1))
            if let sensor = BTHomeSensor.all[object] {
                part.readings.append(try sensor.reading(&reader))
                continue
            }
            if let kind = BTHomeSensor.states[object] {
                part.add(kind, try reader.unsigned(1) != 0)
                continue
            }
            switch object {
            case 0x00: part.counter = UInt32(try reader.unsigned(1))
            case 0x3A:
                buttons += 1
                let event = try reader.unsigned(1)
                add(event, of: buttonActions, AdvertisementEvent(.button, "", index: buttons))
            case 0x3B:
                commands += 1
                // The upper three bits of the length are reserved.
                let length = try reader.unsigned(1) & 0x1F
                let command = try reader.unsigned(1)
                let steps = try reader.bytes(length).first.map(Int.init)
                add(command, of: commandActions, AdvertisementEvent(.command, "", index: commands, steps: steps))
            case 0x3C:
                dimmers += 1
                let event = try reader.unsigned(1)
                let steps = try reader.unsigned(1)
                add(event, of: dimmerActions, AdvertisementEvent(.dimmer, "", index: dimmers, steps: steps))
            case 0x53:
                let text = try reader.bytes(try reader.unsigned(1))
                if let text = String(validating: text, as: UTF8.self) {
                    part.add(.text, text)
                } else {
                    problem = .malformed
                }
            case 0x54:
                let bytes = try reader.bytes(try reader.unsigned(1))
                part.readings.append(AdvertisementReading(.rawBytes, .bytes(Data(bytes))))
            case 0xF0: part.add(.deviceType, Double(try reader.unsigned(2)))
            case 0xF1: part.add(.firmwareVersion, version(try reader.bytes(4)))
            case 0xF2: part.add(.firmwareVersion, version(try reader.bytes(3)))
            default: throw .unknownObject(UInt16(object))
            }

            func add(_ number: Int, of actions: [Int: String], _ event: AdvertisementEvent) {
                guard let action = actions[number] else { return problem = .unknownObject(UInt16(object)) }
                // The event 0 of a button or dimmer: nothing happened at this one.
                guard !action.isEmpty else { return }
                var event = event
                event.action = action
                part.events.append(event)
            }
        }
        if let problem { throw problem }
    }

    /// The numbers of a version, of which the last comes first.
    private static func version(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.reversed().map { String($0) }.joined(separator: ".")
    }

    // bthome-ble has the last, which the specification doesn't have yet.
    private static let buttonActions = [
        0x00: "", 0x01: "press", 0x02: "double_press", 0x03: "triple_press", 0x04: "long_press",
        0x05: "long_double_press", 0x06: "long_triple_press", 0x80: "hold_press", 0x81: "hold_release",
    ]
    private static let commandActions = [0: "off", 1: "on", 2: "toggle", 3: "step_up", 4: "step_down"]
    private static let dimmerActions = [0: "", 1: "rotate_left", 2: "rotate_right"]
}
