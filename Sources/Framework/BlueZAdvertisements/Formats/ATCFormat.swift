/// Thermometers of Xiaomi and others with the firmware of atc1441 or pvvx, in the data of the service 0x181A. Their
/// authors publish the code, not a specification. Encrypted variants and their conditions are those of pvvx's
/// custom_beacon.h. The size tells them apart:
///
/// | Size | Format | Fields, with their sizes in bytes |
/// | --- | --- | --- |
/// | 13 | ATC | address 6, temperature 2 in 0.1 °C, humidity 1, battery 1, voltage 2 in mV, counter 1; the high byte first |
/// | 15 | pvvx | address 6, temperature 2 and humidity 2 in 0.01, voltage 2 in mV, battery 1, counter 1, flags 1; the low byte first |
/// | 14 | pvvx | the same without flags |
/// | 8 | ATC, encrypted | counter 1, temperature 1 in 0.5 °C above -40 °C, humidity 1 in 0.5 %, battery 1, check value 4 |
/// | 11 | pvvx, encrypted | counter 1, temperature 2 and humidity 2 in 0.01, battery 1, flags 1, check value 4 |
///
/// The nonce is the address, the structure's length and type, the UUID and the counter. The service is that of other
/// sensors, too: a payload that begins with an address has to be from it, if that is known.
struct ATCFormat: AdvertisementFormat {
    let sources: [AdvertisementSource] = [.service(0x181A)]

    func decode(_ payload: AdvertisementPayload) -> [AdvertisementPart] {
        let (bytes, address) = (payload.bytes, payload.address?.bytes)
        let isATC = address.map { bytes.starts(with: $0) }
        let isPvvx = address.map { bytes.starts(with: $0.reversed()) }
        var part: AdvertisementPart
        switch bytes.count {
        case _ where isATC == true, 13 where isATC == nil:
            part = AdvertisementPart("ATC", of: payload)
            part.read(bytes.dropFirst(6), Self.readATC)
        case _ where isPvvx == true, 14...15 where isPvvx == nil:
            part = AdvertisementPart("pvvx", of: payload)
            part.read(bytes.dropFirst(6), Self.readPvvx)
        case 8:
            part = AdvertisementPart("ATC", of: payload)
            part.read(bytes) { part, reader throws(AdvertisementProblem) in
                let values = try Self.decrypt(&part, payload)
                part.add(.temperature, Double(values[0]) / 2 - 40, .celsius)
                part.add(.humidity, Double(values[1]) / 2, .percent)
                // Bit 7 is set if the device switches its output by the temperature or the humidity.
                part.add(.battery, Double(values[2] & 0x7F), .percent)
            }
        case 11:
            part = AdvertisementPart("pvvx", of: payload)
            part.read(bytes) { part, reader throws(AdvertisementProblem) in
                var values = ByteReader(try Self.decrypt(&part, payload))
                try Self.readClimate(&part, &values)
                part.add(.battery, Double(try values.unsigned(1)), .percent)
                try Self.readFlags(&part, &values)
            }
        default: return []
        }
        part.isReverseEngineered = true
        return [part]
    }

    private static func readATC(_ part: inout AdvertisementPart, _ reader: inout ByteReader)
        throws(AdvertisementProblem)
    {
        part.add(.temperature, Double(try reader.bigSigned(2)) / 10, .celsius)
        part.add(.humidity, Double(try reader.bigUnsigned(1)), .percent)
        part.add(.battery, Double(try reader.bigUnsigned(1)), .percent)
        part.add(.voltage, Double(try reader.bigUnsigned(2)) / 1000, .volt)
        part.counter = UInt32(try reader.bigUnsigned(1))
    }

    private static func readPvvx(_ part: inout AdvertisementPart, _ reader: inout ByteReader)
        throws(AdvertisementProblem)
    {
        try readClimate(&part, &reader)
        part.add(.voltage, Double(try reader.unsigned(2)) / 1000, .volt)
        part.add(.battery, Double(try reader.unsigned(1)), .percent)
        part.counter = UInt32(try reader.unsigned(1))
        if !reader.rest.isEmpty { try readFlags(&part, &reader) }
    }

    private static func readClimate(
        _ part: inout AdvertisementPart, _ reader: inout ByteReader
    ) throws(AdvertisementProblem) {
        part.add(.temperature, Double(try reader.signed(2)) / 100, .celsius)
        part.add(.humidity, Double(try reader.unsigned(2)) / 100, .percent)
    }

    /// The flags: bit 0 is the input, to which a reed switch can be soldered, and bit 1 the output.
    private static func readFlags(_ part: inout AdvertisementPart, _ reader: inout ByteReader)
        throws(AdvertisementProblem)
    {
        let flags = try reader.unsigned(1)
        part.add(.digitalInput, flags & 1 != 0)
        part.add(.digitalOutput, flags & 2 != 0)
    }

    private static func decrypt(
        _ part: inout AdvertisementPart, _ payload: AdvertisementPayload
    ) throws(AdvertisementProblem) -> [UInt8] {
        let counter = payload.bytes[0]
        part.counter = UInt32(counter)
        let head: [UInt8] = [UInt8(payload.bytes.count + 3), 0x16, 0x1A, 0x18, counter]
        let nonce = try payload.addressBytes().reversed() + head
        return try payload.decrypt(Array(payload.bytes.dropFirst()), nonce: nonce, authenticating: [0x11])
    }
}
