/// The state of a peripheral's link, and the number of the last request to connect.
struct LinkState {
    var state = CBPeripheralState.disconnected
    private(set) var number = 0

    /// Begins a request unless there is one already.
    ///
    /// - Returns: the state before.
    mutating func begin(_ next: Int) -> CBPeripheralState {
        defer {
            if state == .disconnected || state == .disconnecting { (state, number) = (.connecting, next) }
        }
        return state
    }

    /// Handles a link that is up.
    ///
    /// - Returns: whether it is wanted.
    mutating func didBegin(_ number: Int) -> Bool {
        guard number == self.number, state != .disconnecting else { return false }
        state = .connected
        return true
    }

    /// Begins the end of the link, or of the attempts to connect.
    ///
    /// - Returns: the number of the request; nil if there is none.
    mutating func cancel() -> Int? {
        guard state == .connected || state == .connecting else { return nil }
        state = .disconnecting
        return number
    }

    /// Handles the end of a request.
    ///
    /// - Returns: whether it was the last one.
    mutating func didEnd(_ number: Int, isReconnecting: Bool = false) -> Bool {
        guard number == self.number else { return false }
        state = isReconnecting ? .connecting : .disconnected
        return true
    }
}
