import CoreBlueZ

/// Why an exchange has no reply.
public enum ExchangeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It did not begin.
    case refused(ExchangeStartCode)
    /// It began and failed; the text is for people.
    case failed(ExchangeErrorCode, String)

    /// The code of an error after it began; nil if it did not begin.
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

    /// - Parameter otherwise: the code, unless the error has its own.
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
