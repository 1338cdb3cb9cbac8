import CoreBlueZ

/// An error of an exchange, with a number of the MPOS Communication API.
public enum ExchangeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The exchange did not begin, for this reason.
    case refused(ExchangeStartCode)
    /// The exchange began and failed. The text says what happened and what to do.
    case failed(ExchangeErrorCode, String)

    /// The code of `failed`; nil for `refused`.
    public var code: ExchangeErrorCode? {
        if case .failed(let code, _) = self { code } else { nil }
    }

    /// The text for users: what happened and what to do.
    public var description: String {
        switch self {
        case .refused(.notFinished): "Another exchange has not ended: wait for its result, or cancel it"
        case .refused(.noDevice): "The device is gone: open it again"
        case .refused: "The device is not open: open it first"
        case .failed(let code, let text): [text, code.recovery.advice].compactMap { $0 }.joined(separator: "; ")
        }
    }

    init(_ error: FramingError) {
        let code: ExchangeErrorCode =
            switch error.reason {
            case .garbage: .byteFormat
            case .impossibleLength, .cutOff: .frameFormat
            case .wrongChecksum: .decodeFailed
            case .tooLong: .outOfMemory
            }
        self = .failed(code, error.description)
    }

    /// - Parameter otherwise: the code for errors that have no code of their own.
    init(_ error: BluetoothError, otherwise: ExchangeErrorCode) {
        let code: ExchangeErrorCode =
            switch error.code {
            case .disconnected, .notConnected, .peripheralGone, .adapterOff, .adapterGone: .disconnected
            case .valueTooLong, .invalidArguments: .byteFormat
            case .failed: .unknown
            default: otherwise
            }
        self = .failed(code, error.description)
    }
}

extension ExchangeRecovery {
    fileprivate var advice: String? {
        switch self {
        case .sendAgain: "send the message again"
        case .closeAndOpenAgain: "close the device and open it again"
        case .openAgain: "open the device again"
        case .checkPower: "see that the device is on and near"
        case .none: nil
        }
    }
}
