import BlueZDBus

/// A client that called `StartNotify` or `AcquireNotify`, by its unique bus name.
@BlueZServerActor package final class NotifySession {
    let owner: String
    /// Whether values are delivered, because the link is up and the session is registered on it.
    var isRegistered = false
    /// Whether the client configuration has been written or needs no writing.
    var isArmed = false
    var call: IncomingCall?
    var request: (any RadioOperation)?

    init(owner: String) {
        self.owner = owner
    }

    func drop() {
        request?.cancel()
        request = nil
        call?.abandon()
        call = nil
    }
}
