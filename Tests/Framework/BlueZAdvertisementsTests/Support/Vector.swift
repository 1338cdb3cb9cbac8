import BlueZPrintableText
import FoundationEssentials
import Testing

@testable import BlueZAdvertisements

/// A payload from a document, and what it says.
struct Vector: Sendable, CustomTestStringConvertible {
    /// Where it is from.
    let document: String
    let source: AdvertisementSource
    let digits: String
    let format: String
    /// The readings as they are printed, separated by commas.
    let readings: String
    var events = ""
    var counter: UInt32?
    var problem: AdvertisementProblem?
    var address: String?
    var key: String?

    var testDescription: String { "\(document): \(digits)" }

    /// Decodes the payload, or its beginning.
    func decoded(prefix count: Int = .max) throws -> Advertisement {
        try decoded(Array(bytes(digits).prefix(count)))
    }

    /// Decodes other bytes in the place of the payload.
    func decoded(_ bytes: [UInt8]) throws -> Advertisement {
        var keys = AdvertisementKeys()
        if let key { keys.set(bindKey: BlueZAdvertisementsTests.bytes(key), of: address ?? "") }
        let address = try address.map { try #require(BluetoothAddress($0)) }
        let data = AdvertisementData(source, String(hexadecimal: bytes))
        return Advertisement(decoding: data, from: address, keys: keys)
    }

    func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let advertisement = try decoded()
        let part = try #require(advertisement.parts.last, sourceLocation: sourceLocation)
        #expect(advertisement.text == readings, sourceLocation: sourceLocation)
        let shown = advertisement.events.map { event in
            "\(event.kind) \(event.action)" + (event.index == 1 ? "" : " #\(event.index)")
                + (event.steps.map { " \($0)" } ?? "")
        }
        #expect(shown.joined(separator: ", ") == events, sourceLocation: sourceLocation)
        #expect(part.format == format, sourceLocation: sourceLocation)
        #expect(part.counter == counter, sourceLocation: sourceLocation)
        #expect(part.problem == problem, sourceLocation: sourceLocation)
        #expect([UInt8](part.data) == bytes(digits), sourceLocation: sourceLocation)
    }
}
