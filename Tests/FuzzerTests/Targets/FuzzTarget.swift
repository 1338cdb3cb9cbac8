import BlueZSerial
import Foundation

/// What reads bytes of others, each with what must hold for any bytes.
enum FuzzTarget: String, CaseIterable, Sendable {
    /// D-Bus messages: the reader takes what libdbus takes, and no more.
    case messages
    /// Messages of gateways and fleets: what was read can be written, and is then read as the same.
    case gateways
    /// Advertising data as structures: what was read can be written, and is then read as the same.
    case advertisements
    /// Payloads of advertisements: what is decoded is finite, and keeps the payload.
    case payloads
    /// Values of characteristics: each field has a name of its own, and its numbers are read from their text as the same.
    case values
    /// Payloads of the SensorTag: every decoder returns finite numbers, or throws.
    case sensors
    /// Framings of byte streams: messages do not depend on how the bytes are cut.
    case framings
    /// Captures: their events are lines that are read as the same events.
    case captures
    /// Recordings: what was read can be written, and is then read as the same.
    case recordings
    /// Recordings that are redacted: no address, name or secret value remains, and everything keeps its length.
    case redactions
    /// Calls to the server's objects, with arguments of the right types and of others: it stays, and replies.
    case calls

    /// What does not hold for some bytes.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Throws if what must hold does not hold for these bytes.
    func test(_ bytes: [UInt8]) async throws {
        switch self {
        case .messages: try Self.testMessages(bytes)
        case .gateways: try Self.testGateways(bytes)
        case .advertisements: try Self.testAdvertisements(bytes)
        case .payloads: try Self.testPayloads(bytes)
        case .values: try Self.testValues(bytes)
        case .sensors: try Self.testSensors(bytes)
        case .framings: try Self.testFramings(bytes)
        case .captures: try Self.testCaptures(bytes)
        case .recordings: try Self.testRecordings(bytes)
        case .redactions: try Self.testRedactions(bytes)
        case .calls: try await Self.testCalls(bytes)
        }
    }

    static func check(_ condition: Bool, _ text: @autoclosure () -> String) throws {
        guard condition else { throw Failure(description: text()) }
    }
}
