extension SimulatedPeripheral {
    /// Whether the link is encrypted.
    public var isEncrypted: Bool { link?.isEncrypted == true }

    /// Discards what pairing showed to its user.
    public func forgetPairingRecord() {
        pairingRecord = PairingRecord()
    }

    /// The peripheral's user types the passkey; nil cancels.
    ///
    /// - Returns: false if no passkey is requested.
    @discardableResult
    public func enterPasskey(_ passkey: UInt32?) -> Bool {
        guard let procedure, pairingRecord.isAsked else { return false }
        procedure.enter(passkey)
        return true
    }

    /// The peripheral reports how many digits its user has typed so far.
    public func simulateTypedDigits(_ count: UInt16) {
        procedure?.display(digits: count)
    }

    /// The peripheral wants to pair (Security Request).
    public func simulateSecurityRequest() {
        link?.requestSecurity()
    }
}
