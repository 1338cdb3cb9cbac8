/// The numbers of the MPOS Communication API 1.2.4 for payment terminals, as in messages and logs of programs written
/// for it.

/// The immediate result of starting an exchange.
public enum ExchangeStartCode: Int, Hashable, Sendable, CaseIterable {
    /// It has begun.
    case accepted = 0
    /// Another has not ended.
    case notFinished = -1
    /// The device was not opened, or was closed.
    case notOpened = -2
    /// The device is gone, or the channel does not exist here: the audio channel.
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

/// The result of opening a device. The audio channel's codes from -1 to -3 (output, input, handshake) mean something
/// else; that channel does not exist here.
public enum ExchangeOpenCode: Int, Hashable, Sendable, CaseIterable {
    /// It is open.
    case opened = 0
    /// The identifier is not an address.
    case illegalAddress = -1
    /// The link did not come up, or the device has none of the serial profiles; or a device is being opened, or
    /// exchanges.
    case failed = -2
    /// There is no Bluetooth: no adapter or no bluetoothd. On the audio channel, "no device detected".
    case notSupported = -4
    /// The adapter is off.
    case poweredOff = -5
    /// Something else.
    case unknown = -6
}

/// The result of starting a search.
public enum ExchangeSearchCode: Int, Hashable, Sendable, CaseIterable {
    /// It has begun.
    case begun = 0
    /// There is no Bluetooth: no adapter or no bluetoothd; or only audio devices were to be found.
    case noBluetooth = -1
    /// The adapter is off.
    case poweredOff = -2
    /// It cannot begin: another is in progress, or BlueZ refuses it.
    case cannotStart = -3
}

/// Why an exchange that had begun has failed.
public enum ExchangeErrorCode: Int, Hashable, Sendable, CaseIterable {
    /// A reply could not be decoded: its checksum is wrong.
    case decodeFailed = 3
    /// A reply is longer than there is room for.
    case outOfMemory = 4
    /// No reply came in time.
    case timedOut = 5
    /// Bytes arrived that belong to no reply, or the message cannot be encoded.
    case byteFormat = 6
    /// A reply has an impossible length or is incomplete.
    case frameFormat = 7
    /// Something else.
    case unknown = 8
    /// The message could not be written.
    case write = 9
    /// Nothing can be read from the device.
    case read = 10
    /// An exchange is not possible in this state, such as in duplex mode.
    case exchangeState = 11
    /// It was cancelled.
    case cancelSucceeded = 12
    /// It was cancelled here, but the device could not be informed.
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
    /// Send the message again: codes 3, 6, 7 and 11. First correct it if it could not be encoded, or, in duplex mode,
    /// use `Exchange.send`.
    case sendAgain
    /// Close the device and open it again: codes 4 and 8. Also after a reset of the PIN pad.
    case closeAndOpenAgain
    /// Open the device again: codes 9 and 10, and 20, which the manual does not mention. `ExchangeTerminal` and the
    /// facade close it if necessary; close a stream of your own first, because code 9 may leave it open.
    case openAgain
    /// See that the device is on: code 5. It is still open.
    case checkPower
    /// Nothing: codes 12 and 13 are the results of cancelling. The device is still open.
    case none
}

/// How messages and replies follow one another.
public enum ExchangeMode: Hashable, Sendable {
    /// Each message has a reply, one at a time.
    case masterSlave
    /// Messages are sent without waiting for a reply, and the device may send at any time.
    case duplex
}

/// The state of the computer that exchanges; "the phone" in the interface.
public enum ExchangeHostState: Hashable, Sendable {
    /// No device is found or connected, or Bluetooth is off.
    case waitingForDevice
    /// A device was found, or is connected but not open.
    case deviceDetected
    /// A device is open and no exchange is in progress.
    case idle
    /// An exchange is in progress.
    case exchanging
}

/// The state of the device.
public enum ExchangeDeviceState: Hashable, Sendable {
    /// Its Bluetooth is not on, as far as is known: it was not found, its link was lost, or it was switched off.
    case notReady
    /// Its Bluetooth is on: it was found, is connected but not open, or was closed.
    case ready
    /// It is open and has nothing to do.
    case idle
    /// It works on an exchange.
    case processing
}
