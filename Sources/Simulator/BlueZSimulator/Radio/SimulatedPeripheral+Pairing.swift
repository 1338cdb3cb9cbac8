extension SimulatedPeripheral {
    /// Whether the link is encrypted.
    public var isEncrypted: Bool { link?.isEncrypted == true }

    /// Discards the record of what pairing showed to the peripheral's user.
    public func forgetPairingRecord() {
        pairingRecord = PairingRecord()
    }

    /// Enters the passkey, as the peripheral's user does; nil cancels.
    ///
    /// - Returns: false if no passkey was requested.
    @discardableResult
    public func enterPasskey(_ passkey: UInt32?) -> Bool {
        guard let procedure, pairingRecord.isAsked else { return false }
        procedure.enter(passkey)
        return true
    }

    /// Reports how many digits the peripheral's user has typed so far.
    public func simulateTypedDigits(_ count: UInt16) {
        procedure?.display(digits: count)
    }

    /// Sends a Security Request, with which the peripheral requests pairing.
    public func simulateSecurityRequest() {
        link?.requestSecurity()
    }
}
