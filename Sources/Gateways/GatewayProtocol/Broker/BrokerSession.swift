/// A gateway's or a fleet's session with a broker. It stores whether the broker is connected, and why the session ends.
package struct BrokerSession<End: Sendable>: Sendable {
    /// Whether the broker is connected.
    package private(set) var isConnected = false
    /// The first reason to end; nil until there is one.
    package private(set) var end: End?
    private var latestError: BrokerError?
    private var waiting: CheckedContinuation<Void, Never>?

    /// Creates a session that is not connected.
    package init() {}

    /// Notes that the broker is connected.
    package mutating func connected() {
        isConnected = true
        latestError = nil
    }

    /// Notes that the connection is lost, or that an attempt has failed.
    ///
    /// - Returns: a text to log, or nil if the previous attempt failed for the same reason.
    package mutating func disconnected(_ error: BrokerError) -> String? {
        defer {
            isConnected = false
            latestError = error
        }
        return error == latestError && !isConnected ? nil : "\(error); trying again"
    }

    /// Notes that the connection is closed permanently.
    package mutating func closed() { isConnected = false }

    /// Ends the session, unless it has ended, and resumes the waiting caller.
    package mutating func finish(_ reason: End) {
        guard end == nil else { return }
        end = reason
        waiting?.resume()
        waiting = nil
    }

    /// Resumes the continuation at the end, or immediately if the session has ended.
    package mutating func atEnd(resume continuation: CheckedContinuation<Void, Never>) {
        if end == nil { waiting = continuation } else { continuation.resume() }
    }
}
