import CoreBlueZ
import GatewayProtocol

extension GatewayFailure {
    static let gone = GatewayFailure(.notConnected, text: "The gateway has ended")

    /// bluetoothd's reply to Pair after CancelPairing.
    static let pairingCancelled = GatewayFailure(
        .bluez, name: BlueZErrorName.authenticationCanceled.rawValue, text: "Authentication Canceled")

    /// bluetoothd's error if the device requires pairing.
    static let notPaired = GatewayFailure(.bluez, name: BlueZErrorName.notPermitted.rawValue, text: "Not paired")

    static let unknownHandle = GatewayFailure(
        .bluez, name: "org.freedesktop.DBus.Error.UnknownObject",
        text: "There is no attribute with this handle; discover the services")

    /// Creates the failure of an operation. bluetoothd's error is unchanged. For an error that CoreBlueZ has found
    /// itself, it is the one that bluetoothd would have returned.
    ///
    /// If a device requires pairing and there is no agent for it, bluetoothd ends the link. Up to 5.66, it does so 30 s
    /// later, when it removes the device. The request itself gets no reply.
    ///
    /// - Parameters:
    ///   - error: a `GatewayFailure` or a `BluetoothError`.
    ///   - wasPaired: whether the device was paired, or pairing makes no difference.
    ///   - mayHaveChanged: whether the operation changes something, so that without a reply the outcome is
    ///     unknown.
    init(any error: any Error, wasPaired: Bool, mayHaveChanged: Bool) {
        if let failure = error as? GatewayFailure {
            self = failure
            return
        }
        let error = error as? BluetoothError ?? BluetoothError(.failed, "\(error)")
        let isRemoved = error.code == .peripheralGone || error.code == .attributeGone
        let hasBluetoothdLeft = error.code == .disconnected && error.bluezName == "org.bluez.Reason.Local"
        if !wasPaired, isRemoved || hasBluetoothdLeft {
            self = .notPaired
            return
        }
        // In that case the name is a reason, not an error.
        if let name = error.bluezName, error.code != .disconnected {
            self.init(.bluez, name: name, text: error.bluezMessage ?? "")
            return
        }
        switch error.code {
        case .timedOut, .cancelled, .daemonUnavailable, .busUnavailable:
            let isLate = error.code == .timedOut || error.code == .cancelled
            let name = "org.freedesktop.DBus.Error." + (isLate ? "Timeout" : "NoReply")
            if mayHaveChanged {
                self.init(.unknown, name: name, text: "\(error.message); whether it was carried out is not known")
            } else {
                self.init(.bluez, name: name, text: error.message)
            }
        default:
            let (name, text) = Self.nameAndText(of: error)
            self.init(.bluez, name: name, text: text)
        }
    }

    /// Returns the name and the text of src/error.c and src/gatt-client.c for an error.
    private static func nameAndText(of error: BluetoothError) -> (name: String, text: String) {
        switch error.code {
        // Requests pending when a link is lost get this error (src/shared/gatt-client.c: notify_cb).
        case .disconnected: (BlueZErrorName.failed.rawValue, "Operation failed with ATT error: 0x0e")
        case .notConnected: (BlueZErrorName.failed.rawValue, "Not connected")
        case .connectionFailed, .connectionTimedOut: (BlueZErrorName.failed.rawValue, "le-connection-abort-by-local")
        case .busy: (BlueZErrorName.inProgress.rawValue, "In Progress")
        case .notSupported: (BlueZErrorName.notSupported.rawValue, "Operation is not supported")
        case .notPermitted: (BlueZErrorName.notPermitted.rawValue, "Write not permitted")
        case .invalidArguments: (BlueZErrorName.invalidArguments.rawValue, "Invalid arguments in method call")
        case .valueTooLong: (BlueZErrorName.failed.rawValue, "Failed to initiate write")
        case .adapterOff: (BlueZErrorName.notReady.rawValue, "Resource Not Ready")
        case .attributeGone, .notDiscovered, .peripheralGone, .adapterGone:
            ("org.freedesktop.DBus.Error.UnknownObject", error.message)
        default: (BlueZErrorName.failed.rawValue, error.message)
        }
    }
}
