import Testing

@testable import BlueZAdvertisements

@Suite("Decoding advertisements")
struct AdvertisementDecoderTests {
    /// A format as a user writes it: a byte of a counter, and quarters of a degree, encrypted if there is more.
    struct Thermometer: AdvertisementFormat {
        let sources: [AdvertisementSource] = [.manufacturer(0xFFFF), .service(0xFFF1), .structure(0x26)]

        func decode(_ payload: AdvertisementPayload) -> [AdvertisementPart] {
            guard payload.bytes.first != 0xFF else { return [] }
            var part = AdvertisementPart("Thermometer", of: payload)
            part.counter = payload.bytes.first.map(UInt32.init)
            do throws(AdvertisementProblem) {
                var values = Array(payload.bytes.dropFirst())
                if values.count > 4 {
                    values = try payload.decrypt(values, nonce: [UInt8](repeating: payload.bytes[0], count: 12))
                }
                part.readings = values.map { .init(.temperature, .number(Double($0) / 4), unit: .celsius) }
            } catch {
                part.problem = error
            }
            return [part]
        }
    }

    private let decoder = AdvertisementDecoder(formats: [Thermometer()])

    @Test(
        "A user's format is asked for its sources",
        arguments: [AdvertisementSource.manufacturer(0xFFFF), .service(0xFFF1), .structure(0x26)])
    func ownFormat(source: AdvertisementSource) throws {
        let advertisement = decoder.decode(AdvertisementData(source, "015162"))
        let part = try #require(advertisement.parts.first)
        #expect(advertisement.text == "temperature 20.25 °C, temperature 24.5 °C")
        #expect(part.namedReadings.map(\.name) == ["temperature", "temperature_2"])
        #expect(part.format == "Thermometer" && part.source == source && [UInt8](part.data) == [1, 0x51, 0x62])
        #expect(part.problem == nil && part.counter == 1 && advertisement.events.isEmpty)
    }

    @Test("What no format recognizes has no part")
    func unknown() {
        var data = AdvertisementData(.manufacturer(0xFFFF), "ff")
        data.serviceData[0xFFF2] = .init([1])
        #expect(decoder.decode(data).parts.isEmpty)
        #expect(Advertisement(decoding: AdvertisementData(.manufacturer(0xFFFF), "0151")).parts.isEmpty)
    }

    @Test("Parts are in the order of companies, services and structures")
    func order() {
        var data = AdvertisementData(.structure(0x26), "01")
        data.serviceData[0xFFF1] = .init([2])
        data.manufacturerData[0xFFFF] = .init([3])
        #expect(decoder.decode(data).parts.map(\.counter) == [3, 2, 1])
    }

    @Test("A part repeats another if the counter or, without one, the payload is the same")
    func repeats() throws {
        func part(_ digits: String, _ source: AdvertisementSource = .service(0xFFF1)) throws -> AdvertisementPart {
            try #require(decoder.decode(AdvertisementData(source, digits)).parts.first)
        }
        #expect(try part("0151").repeats(part("0152")))
        #expect(try !part("0151").repeats(part("0251")))
        #expect(try !part("0151").repeats(part("0151", .structure(0x26))))
        var (first, second) = (try part("0151"), try part("0151"))
        first.counter = nil
        #expect(first.repeats(second))
        second.counter = nil
        #expect(try second.repeats(first) && !second.repeats(part("0152")))
        second.format = "Other"
        #expect(!second.repeats(first))
    }

    @Test("A payload is decrypted with the key of the address or the name")
    func keys() throws {
        let key = "000102030405060708090a0b0c0d0e0f"
        let cipher = try #require(AES128(key: bytes(key)))
        let mode = try #require(CCM(cipher))
        let sealed = try #require(mode.seal([80, 84], nonce: [UInt8](repeating: 7, count: 12)))
        var data = AdvertisementData()
        data.manufacturerData[0xFFFF] = .init([7] + sealed)
        data.localName = "Kitchen 1"
        var decoder = decoder
        func decoded(_ keys: String) throws -> Advertisement {
            decoder.keys = try AdvertisementKeys(text: keys)
            return decoder.decode(data, from: BluetoothAddress("70:81:94:0d:fb:aa"))
        }
        let irk = "ec0234a357c8ad05341010a60a397d9b"
        for keys in [
            "70:81:94:0d:fb:aa bindkey \(key)", "Kitchen 1 bindkey \(key)",
            "mine irk \(irk)\nmine bindkey \(key.uppercased())",
        ] {
            #expect(try decoded(keys).text == "temperature 20 °C, temperature 21 °C")
        }
        #expect(try decoded("70:81:94:0d:fb:aa bindkey \(irk)").parts.map(\.problem) == [.wrongKey])
        for keys in ["", "Kitchen bindkey \(key)", "70:81:94:0d:fb:aa bindkey \(key.prefix(24))"] {
            #expect(try decoded(keys).parts.map(\.problem) == [.encrypted])
        }
    }

    @Test("Another cipher can be used")
    func otherCipher() {
        struct Nothing: BlockCipher {
            init(key: SIMD16<UInt8>) {}
            func encrypt(_ block: SIMD16<UInt8>) -> SIMD16<UInt8> { SIMD16() }
        }
        var decoder = decoder
        decoder.keys.cipher = Nothing.self
        decoder.keys.set(bindKey: [UInt8](repeating: 0, count: 16), of: "x")
        var data = AdvertisementData(.manufacturer(0xFFFF), "015000000000")
        data.localName = "x"
        #expect(decoder.decode(data).text == "temperature 20 °C")
    }

    @Test(
        "Values are printed as people write them",
        arguments: [
            (AdvertisementReading(.count, .number(3)), "count 3"),
            (AdvertisementReading(.temperature, .number(-0.5), unit: .celsius), "temperature -0.5 °C"),
            (AdvertisementReading(.motion, .flag(true)), "motion true"),
            (AdvertisementReading(.rawBytes, .bytes(.init([0, 0xAB]))), "raw 00ab"),
            (AdvertisementReading(.count, .number(1e30)), "count 1e+30"),
        ])
    func printed(reading: AdvertisementReading, text: String) {
        #expect(reading.description == text)
        #expect((reading.number != nil) == (reading.kind == .count || reading.kind == .temperature))
    }

    @Test("Every problem has a word and a description of its own")
    func problems() {
        let problems: [AdvertisementProblem] = [
            .encrypted, .wrongKey, .addressNeeded, .unknownObject(0x1A), .truncated, .unsupportedVersion(3), .malformed,
            .nameOnly,
        ]
        #expect(Set(problems.map(\.code)).count == 8 && Set(problems.map(\.description)).count == 8)
        #expect(AdvertisementProblem.unknownObject(0x4A1).description == "unknown object 0x04a1")
        #expect(AdvertisementProblem.unknownObject(0x1A).description == "unknown object 0x1a")
    }
}
