/// The numbers of the MPOS Communication API 1.2.4 for payment terminals, as in messages and logs of programs written
/// for it.

/// The immediate result of starting an exchange. The numbers are those of the MPOS Communication API.
public enum ExchangeStartCode: Int, Hashable, Sendable, CaseIterable {
    /// The exchange has begun.
    case accepted = 0
    /// Another exchange has not ended.
    case notFinished = -1
    /// The device was not opened, or was closed.
    case notOpened = -2
    /// The device is gone, or the channel is the audio channel, which does not exist here.
    case noDevice = -4
}

/// The immediate result of cancelling an exchange.
public enum ExchangeCancelCode: Int, Hashable, Sendable, CaseIterable {
    /// The result follows as the error of the exchange: `ExchangeErrorCode.cancelSucceeded` or `cancelFailed`.
    case accepted = 0
    /// There is no exchange.
    case nothingToCancel = -1
    /// The device was not opened, or was closed.
    case notOpened = -2
    /// The exchange is already being cancelled. The interface's own Bluetooth channel did not report this.
    case alreadyCancelling = -3
    /// There is no device: only the audio channel returns this.
    case noDevice = -4
}

/// The result of opening a device. The audio channel, which does not exist here, uses the codes from -1 to -3 for
/// output, input and handshake.
public enum ExchangeOpenCode: Int, Hashable, Sendable, CaseIterable {
    /// The device is open.
    case opened = 0
    /// The identifier is not an address.
    case illegalAddress = -1
    /// The link did not come up, the device has none of the serial profiles, a device is already being opened, or an
    /// exchange is in progress.
    case failed = -2
    /// Bluetooth cannot be used: there is no adapter, or bluetoothd is not running. On the audio channel, "no device
    /// detected".
    case notSupported = -4
    /// The adapter is off.
    case poweredOff = -5
    /// Another error occurred.
    case unknown = -6
}

/// The result of starting a search.
public enum ExchangeSearchCode: Int, Hashable, Sendable, CaseIterable {
    /// The search has begun.
    case begun = 0
    /// Bluetooth cannot be used, because there is no adapter or bluetoothd is not running, or the search was for audio
    /// devices only.
    case noBluetooth = -1
    /// The adapter is off.
    case poweredOff = -2
    /// The search cannot begin, because another is in progress or BlueZ refuses it.
    case cannotStart = -3
}

/// The reason why an exchange failed after it had begun.
public enum ExchangeErrorCode: Int, Hashable, Sendable, CaseIterable {
    /// A reply cannot be decoded, because its checksum is wrong.
    case decodeFailed = 3
    /// A reply is longer than the limit of the framing.
    case outOfMemory = 4
    /// No reply arrived in time.
    case timedOut = 5
    /// Bytes arrived that are not part of a reply, or the message cannot be encoded.
    case byteFormat = 6
    /// A reply has an impossible length or is incomplete.
    case frameFormat = 7
    /// Another error occurred.
    case unknown = 8
    /// The message could not be written.
    case write = 9
    /// Nothing could be read from the device.
    case read = 10
    /// An exchange is not possible in this state, such as in duplex mode.
    case exchangeState = 11
    /// The exchange was cancelled.
    case cancelSucceeded = 12
    /// The exchange was cancelled on this side, but `Exchange.cancelMessage` could not be sent.
    case cancelFailed = 13
    /// The link was lost.
    case disconnected = 20

    /// The remedy, according to the interface's manual.
    public var recovery: ExchangeRecovery {
        switch self {
        case .decodeFailed, .byteFormat, .frameFormat, .exchangeState: .sendAgain
        case .outOfMemory, .unknown: .closeAndOpenAgain
        case .write, .read, .disconnected: .openAgain
        case .timedOut: .checkPower
        case .cancelSucceeded, .cancelFailed: .none
        }
    }
}

/// The remedy after an error of an exchange.
public enum ExchangeRecovery: Hashable, Sendable, CaseIterable {
    /// Send the message again (codes 3, 6, 7 and 11). If it could not be encoded, correct it first. In duplex mode, use
    /// `Exchange.send`.
    case sendAgain
    /// Close the device, and open it again (codes 4 and 8). Also after a reset of the PIN pad.
    case closeAndOpenAgain
    /// Open the device again (codes 9 and 10, and 20, which the manual does not mention). `ExchangeTerminal` and the
    /// facade close it if necessary. Close your own stream first, because it may still be open after code 9.
    case openAgain
    /// Make sure that the device is on (code 5). It is still open.
    case checkPower
    /// Do nothing. Codes 12 and 13 are the results of cancelling. The device is still open.
    case none
}

/// The order in which the two sides may send.
public enum ExchangeMode: Hashable, Sendable {
    /// Each message has a reply, and there is one exchange at a time.
    case masterSlave
    /// Messages are sent without waiting for a reply, and the device may send at any time.
    case duplex
}

/// The state of this side, which the MPOS interface calls "the phone".
public enum ExchangeHostState: Hashable, Sendable {
    /// No device was found or is connected, or Bluetooth is off.
    case waitingForDevice
    /// A device was found, or is connected but not open.
    case deviceDetected
    /// A device is open and no exchange is in progress.
    case idle
    /// An exchange is in progress.
    case exchanging
}

/// The state of the device, as far as this side knows.
public enum ExchangeDeviceState: Hashable, Sendable {
    /// The device's Bluetooth is off, as far as is known: the device was not found, its link was lost, or it was
    /// switched off.
    case notReady
    /// The device's Bluetooth is on: the device was found, is connected but not open, or was closed.
    case ready
    /// The device is open, and no exchange is in progress.
    case idle
    /// The device is processing a request.
    case processing
}
