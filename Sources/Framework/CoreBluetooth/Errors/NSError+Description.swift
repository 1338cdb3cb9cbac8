import CoreBlueZ

extension NSError {
    /// The error with a description for users, if it has none, as Apple's systems have one for each code.
    func described(_ text: @autoclosure () -> String) -> NSError {
        guard userInfo[NSLocalizedDescriptionKey] == nil else { return self }
        let information = userInfo.merging([NSLocalizedDescriptionKey: text()]) { old, _ in old }
        return NSError(domain: domain, code: code, userInfo: information)
    }
}

extension CBATTError.Code {
    /// What a user is told.
    static func text(_ code: Int) -> String {
        UInt8(exactly: code).map { "The peripheral has returned \(ATTError(rawValue: $0))" } ?? "Unknown error \(code)"
    }
}

extension CBError.Code {
    /// What a user is told.
    static func text(_ code: Int) -> String {
        switch Self(rawValue: code) {
        case .unknown, nil: "Unknown error"
        case .invalidParameters: "A parameter is invalid"
        case .invalidHandle: "The attribute is no longer valid"
        case .notConnected: "The peripheral is not connected"
        case .outOfSpace: "There is no space left"
        case .operationCancelled: "The operation was cancelled"
        case .connectionTimeout: "The peripheral did not respond in time"
        case .peripheralDisconnected: "The peripheral has ended the link"
        case .uuidNotAllowed: "The UUID is not permitted"
        case .alreadyAdvertising: "The program is already advertising"
        case .connectionFailed: "The peripheral could not be connected"
        case .connectionLimitReached: "The adapter has no room for another link"
        case .unknownDevice: "The device is not known"
        case .operationNotSupported: "The operation is not supported"
        case .peerRemovedPairingInformation: "The peripheral has forgotten its pairing"
        case .encryptionTimedOut: "The link could not be encrypted in time"
        case .tooManyLEPairedDevices: "There are too many paired devices"
        case .leGattExceededBackgroundNotificationLimit: "A background application got too many notifications"
        case .leGattNearBackgroundNotificationLimit: "A background application soon has too many notifications"
        }
    }
}
