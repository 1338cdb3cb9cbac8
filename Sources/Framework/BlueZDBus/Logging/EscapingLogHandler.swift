import BlueZPrintableText
import Logging

/// A log handler that escapes control characters in messages and metadata before it calls another handler, because they
/// contain names of devices and texts of peers. Common handlers, such as swift-log's `StreamLogHandler`, write them
/// unchanged.
package struct EscapingLogHandler: LogHandler {
    private var handler: any LogHandler

    /// Creates a handler that passes everything on to another one.
    package init(_ handler: any LogHandler) {
        self.handler = handler
    }

    package var logLevel: Logger.Level {
        get { handler.logLevel }
        set { handler.logLevel = newValue }
    }

    package var metadata: Logger.Metadata {
        get { handler.metadata }
        set { handler.metadata = newValue.mapValues(Self.escaped) }
    }

    package var metadataProvider: Logger.MetadataProvider? {
        get { handler.metadataProvider }
        set { handler.metadataProvider = newValue }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { handler[metadataKey: key] }
        set { handler[metadataKey: key] = newValue.map(Self.escaped) }
    }

    package func log(event: LogEvent) {
        var event = event
        event.message = "\("\(event.message)".escapedForTerminal())"
        event.metadata = event.metadata?.mapValues(Self.escaped)
        handler.log(event: event)
    }

    private static func escaped(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
        switch value {
        case .string(let text): .string(text.escapedForTerminal())
        case .stringConvertible(let value): .string(value.description.escapedForTerminal())
        case .dictionary(let values): .dictionary(values.mapValues(escaped))
        case .array(let values): .array(values.map(escaped))
        }
    }
}

extension Logger {
    /// Creates a logger with the handler that the program has chosen, with all text escaped.
    package init(escapingWithLabel label: String) {
        self.init(label: label)
        handler = EscapingLogHandler(handler)
    }
}
