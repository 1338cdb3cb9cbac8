import CoreBlueZ

/// What failed, for errors with several meanings.
enum BridgedOperation {
    case link, read, write, notify, discovery, rssi
}

extension BluetoothError {
    /// Whether the adapter has no room for another link.
    var isConnectionLimit: Bool { bluezMessage?.hasSuffix("-connection-limit") == true }

    /// The error with Apple's domain and code, whose underlying error is this one.
    func bridged(_ operation: BridgedOperation) -> any Error {
        let information: [String: Any] = [NSLocalizedDescriptionKey: message, NSUnderlyingErrorKey: self]
        if let code = attCode(operation) { return CBATTError(code, userInfo: information) }
        return CBError(code(operation), userInfo: information)
    }

    /// The code of the Attribute Protocol: the one that the peripheral has returned, or would have, where bluetoothd
    /// refuses for it.
    private func attCode(_ operation: BridgedOperation) -> CBATTError.Code? {
        if let attError { return CBATTError.Code(rawValue: Int(attError.rawValue)) }
        switch (code, operation) {
        case (.notPermitted, .read): return .readNotPermitted
        case (.notPermitted, .write): return .writeNotPermitted
        case (.notPermitted, .notify), (.notSupported, .read), (.notSupported, .write), (.notSupported, .notify):
            return .requestNotSupported
        case (.insufficientSecurity, .read), (.insufficientSecurity, .write), (.insufficientSecurity, .notify):
            return .insufficientEncryption
        case (.notAuthorized, .read), (.notAuthorized, .write), (.notAuthorized, .notify):
            return .insufficientAuthorization
        case (.valueTooLong, .write): return .invalidAttributeValueLength
        default: return nil
        }
    }

    private func code(_ operation: BridgedOperation) -> CBError.Code {
        switch code {
        case .disconnected: endOfLink
        case .notConnected, .adapterOff, .adapterGone, .daemonUnavailable, .busUnavailable: .notConnected
        case .connectionTimedOut, .timedOut: .connectionTimeout
        case .connectionFailed where isConnectionLimit: .connectionLimitReached
        case .connectionFailed, .wrongBearer, .discoveryFailed: .connectionFailed
        case .bondLost: .peerRemovedPairingInformation
        case .insufficientSecurity: .encryptionTimedOut
        case .notSupported: .operationNotSupported
        case .invalidArguments, .valueTooLong: .invalidParameters
        case .attributeGone, .notDiscovered: .invalidHandle
        case .peripheralGone: .unknownDevice
        case .cancelled: .operationCancelled
        default: .unknown
        }
    }

    /// Who has ended the link. bluetoothd says so from 5.83 on (doc/org.bluez.Device.rst: Disconnected). Before, it
    /// reports only that the link has ended, so the peripheral counts as having ended it.
    private var endOfLink: CBError.Code {
        bluezName == "org.bluez.Reason.Timeout" ? .connectionTimeout : .peripheralDisconnected
    }
}
