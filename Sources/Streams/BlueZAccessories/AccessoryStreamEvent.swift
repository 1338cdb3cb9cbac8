import CoreBlueZ

/// An event of an end of a session.
public enum AccessoryStreamEvent: Hashable, Sendable {
    /// The end is open. This is the first event that a handler gets.
    case openCompleted
    /// There are bytes to take. This is reported again after bytes were taken, if there are more.
    case hasBytesAvailable
    /// There is space for bytes. This is reported again after bytes were written, if there is still space.
    case hasSpaceAvailable
    /// The accessory is gone, or has closed its side, and all bytes are taken.
    case endEncountered
    /// Another error has ended the stream.
    case errorOccurred(BluetoothError)
    /// The application has closed the session.
    case closed
}

/// The status of an end of a session.
public enum AccessoryStreamStatus: Hashable, Sendable {
    /// Bytes can be read or written.
    case open
    /// The accessory is gone, and all bytes are taken.
    case atEnd
    /// An error has ended the stream.
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

    /// The event that reports the status.
    var event: AccessoryStreamEvent {
        switch self {
        case .open: .openCompleted
        case .atEnd: .endEncountered
        case .error(let error): .errorOccurred(error)
        case .closed: .closed
        }
    }
}
