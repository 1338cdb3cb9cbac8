import BlueZDBus
import BlueZSimulator
import Logging
import TestSupport
import Testing

@testable import CoreBlueZ

/// A device chooses its name: neither an error nor the log passes on what a terminal would obey.
@Suite(.virtualTime) struct EscapingTests {
    /// Clears the screen, rings, breaks the line, then a C1 control and an override of the direction.
    private static let name = "\u{1B}[2J\u{07}evil\u{0A}line\u{9B}1m\u{202E}gnp"
    private static let escaped = "\\u{1b}[2J\\u{7}evil\\u{a}line\\u{9b}1m\\u{202e}gnp"

    private static func isPrintable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            !scalar.properties.isDefaultIgnorableCodePoint && scalar.properties.generalCategory != .control
        }
    }

    @Test("Errors of operations on such a device quote its name escaped, in a single line")
    @BluetoothActor func errors() async throws {
        let simulator = try await SimulatorFixture()
        try await simulator.perform { try $0.add(Self.name, "BC:6A:29:00:00:03") }
        let central = CentralManager(bus: simulator.bus, knownPeripheralNames: [Self.name])
        try await central.waitUntilPoweredOn(timeout: .ample)
        let peripheral = try await central.firstPeripheral(timeout: .ample)
        #expect(peripheral.name == Self.name)
        #expect(peripheral.displayName == Self.escaped)
        var errors: [BluetoothError] = []
        let attempt = { (body: @BluetoothActor () async throws(BluetoothError) -> Void) async in
            do throws(BluetoothError) { try await body() } catch { errors.append(error) }
        }
        await attempt { () throws(BluetoothError) in _ = try await peripheral.discoverServices() }
        central.removePeripheral(peripheral)
        await attempt { () throws(BluetoothError) in try await peripheral.connect() }
        #expect(errors.count == 2)
        for error in errors { #expect(Self.isPrintable(error.description), "\(error)") }
        #expect(errors.contains { $0.message.contains(Self.escaped) })
    }

    @Test("An application's own error, a changed message and an answer of BlueZ are escaped as well")
    func made() {
        var error = BluetoothError(.failed, "No \(Self.name)")
        #expect(error.message == "No \(Self.escaped)")
        error.message = "Again \(Self.name)"
        #expect(error.message == "Again \(Self.escaped)")
        let answer = BluetoothError(.failed, "Refused", from: DBusError(name: "org.x.Y", message: Self.name))
        #expect(answer.description == "Refused [org.x.Y: \(Self.escaped)]")
        #expect(answer.bluezMessage == Self.name)
    }

    private struct Recorder: LogHandler {
        let events: Lock<[LogEvent]>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { events.withLock { $0.append(event) } }
    }

    @Test("A handler that writes lines as they are gets messages and metadata escaped")
    func logged() throws {
        #expect(log.handler is EscapingLogHandler)
        let events = Lock<[LogEvent]>([])
        var logger = Logger(label: "test") { _ in EscapingLogHandler(Recorder(events: events)) }
        logger[metadataKey: "device"] = "\(Self.name)"
        #expect(logger[metadataKey: "device"] == "\(Self.escaped)")
        logger.warning(
            "Lost \(Self.name)",
            metadata: [
                "error": "\(DBusError(name: "x.y", message: Self.name))", "names": ["\(Self.name)"],
                "more": ["inner": .stringConvertible(Self.name)],
            ])
        let event = try #require(events.withLock { $0.first })
        #expect("\(event.message)" == "Lost \(Self.escaped)")
        #expect(event.metadata?["error"] == "x.y: \(Self.escaped)")
        #expect(event.metadata?["names"] == ["\(Self.escaped)"])
        #expect(event.metadata?["more"] == ["inner": "\(Self.escaped)"])
        logger.logLevel = .error
        logger.warning("Not logged")
        #expect(events.withLock { $0.count } == 1)
    }
}
