import BlueZValues

/// The result of an ATT request.
package typealias ATTResult = Result<[UInt8], ATTError>

extension ATTError {
    /// Whether bluetoothd pairs and repeats the request.
    var needsPairing: Bool { self == .insufficientAuthentication || self == .insufficientEncryption }
}
