import CoreBlueZ

/// What happens to an end of a session.
public enum AccessoryStreamEvent: Hashable, Sendable {
    /// It is open. The first event that a handler gets.
    case openCompleted
    /// Bytes can be taken. Comes again after bytes were taken, if there are more.
    case hasBytesAvailable
    /// Bytes can be written without waiting for long. Comes again after bytes were written, if there is space.
    case hasSpaceAvailable
    /// The accessory has gone, or has closed its side, and all bytes are taken.
    case endEncountered
    /// Something else has ended the stream.
    case errorOccurred(BluetoothError)
    /// The application has closed the session.
    case closed
}

/// Where an end of a session stands.
public enum AccessoryStreamStatus: Hashable, Sendable {
    /// Bytes can pass.
    case open
    /// The accessory is gone, and all bytes are taken.
    case atEnd
    /// An error ended it.
    case error(BluetoothError)
    /// The application has closed the session.
    case closed

    init(_ error: BluetoothError?) {
        guard let error else {
            self = .closed
            return
        }
        self = [.disconnected, .notConnected].contains(error.code) ? .atEnd : .error(error)
    }

    /// The event that reports it.
    var event: AccessoryStreamEvent {
        switch self {
        case .open: .openCompleted
        case .atEnd: .endEncountered
        case .error(let error): .errorOccurred(error)
        case .closed: .closed
        }
    }
}
