/// The side that has made a link, or is making it.
package enum LinkMaker: Hashable, Sendable {
    /// A client by its unique name, with `Connect` or with `Pair`.
    case client(String, isPairing: Bool)
    /// The device.
    case device
    /// The device, while a client's attempt was in progress.
    case both(client: String)
}

extension Device {
    /// The side that has made the link or is making it; nil if there is neither.
    package var linkMaker: LinkMaker? { isConnected ? madeBy : attempt == nil ? nil : attemptMaker }

    /// The client whose call of `Pair` is in progress.
    package var pairingClient: String? { pairing?.client }
}
