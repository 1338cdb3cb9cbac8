/// What a gateway and a fleet keep of their time with a broker: whether it is connected, and why they end.
package struct BrokerSession<End: Sendable>: Sendable {
    /// Whether the broker is connected.
    package private(set) var isConnected = false
    /// The first reason to end; nil while there is none.
    package private(set) var end: End?
    private var latestError: BrokerError?
    private var waiting: CheckedContinuation<Void, Never>?

    /// A session that has not been connected.
    package init() {}

    /// Notes that the broker is connected.
    package mutating func connected() {
        isConnected = true
        latestError = nil
    }

    /// Notes that the connection is lost, or that an attempt has failed.
    ///
    /// - Returns: what to log; nil if the previous attempt failed for the same reason.
    package mutating func disconnected(_ error: BrokerError) -> String? {
        defer {
            isConnected = false
            latestError = error
        }
        if isConnected { return "The connection to the broker is lost" }
        return error == latestError ? nil : "The broker cannot be reached; trying again"
    }

    /// Notes that there is no connection, and that nobody tries to connect.
    package mutating func closed() { isConnected = false }

    /// Ends the session, unless it has ended: who waits goes on.
    package mutating func finish(_ reason: End) {
        guard end == nil else { return }
        end = reason
        waiting?.resume()
        waiting = nil
    }

    /// Resumes the continuation at the end, at once if that was before.
    package mutating func atEnd(resume continuation: CheckedContinuation<Void, Never>) {
        if end == nil { waiting = continuation } else { continuation.resume() }
    }
}
