import CoreBlueZ
import GatewayProtocol

extension GatewayFailure {
    static let gone = GatewayFailure(.notConnected, text: "The gateway has ended")

    /// bluetoothd's reply to Pair after CancelPairing.
    static let pairingCancelled = bluez(.authenticationCanceled, "Authentication Canceled")

    /// bluetoothd's error if the device requires pairing.
    static let notPaired = bluez(ATTError.insufficientAuthentication.bluezError)

    static let unknownHandle = GatewayFailure(
        .bluez, name: "org.freedesktop.DBus.Error.UnknownObject",
        text: "There is no attribute with this handle; discover the services")

    /// An error of bluetoothd.
    static func bluez(_ error: (name: BlueZErrorName, text: String)) -> GatewayFailure {
        GatewayFailure(.bluez, name: error.name.rawValue, text: error.text)
    }

    static func bluez(_ name: BlueZErrorName, _ text: String) -> GatewayFailure { bluez((name, text)) }

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
        let hasBluetoothdLeft = error.code == .disconnected && error.bluezName == BlueZReason.local
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
            self = Self.failure(for: error)
        }
    }

    /// Returns the failure with the name and the text that bluetoothd would send (src/error.c, src/gatt-client.c).
    private static func failure(for error: BluetoothError) -> GatewayFailure {
        switch error.code {
        // Requests pending when a link is lost get this error (src/shared/gatt-client.c: notify_cb).
        case .disconnected: bluez(ATTError.unlikelyError.bluezError)
        case .notConnected: bluez(.failed, "Not connected")
        case .connectionFailed, .connectionTimedOut: bluez(.failed, "le-connection-abort-by-local")
        case .busy: bluez(.inProgress, "In Progress")
        case .notSupported: bluez(ATTError.requestNotSupported.bluezError)
        case .notPermitted: bluez(ATTError.writeNotPermitted.bluezError)
        case .invalidArguments: bluez(.invalidArguments, "Invalid arguments in method call")
        case .valueTooLong: bluez(.failed, "Failed to initiate write")
        case .adapterOff: bluez(.notReady, "Resource Not Ready")
        case .attributeGone, .notDiscovered, .peripheralGone, .adapterGone:
            GatewayFailure(.bluez, name: "org.freedesktop.DBus.Error.UnknownObject", text: error.message)
        default: bluez(.failed, error.message)
        }
    }
}
