import BlueZDBus
import BlueZServer
import BlueZValues
import GatewayProtocol

/// The reason why a request to a gateway failed.
enum RequestFailure: Error, Hashable {
    /// The deadline passed before the request could be sent. It was not performed.
    case unsent
    /// The broker did not accept the request. It was not performed.
    case notTaken(BrokerError)
    /// The request was sent, but whether it was performed is unknown.
    case unknown
    /// The link that the request needs is gone.
    case lost
    /// The gateway refused the request.
    case refused(GatewayFailure)

    /// Whether the gateway had no free link. The request was then not performed.
    var isBusy: Bool {
        if case .refused(let failure) = self { failure.code == .busy } else { false }
    }

    /// Returns the error of the client's call. Errors of the gateway's bluetoothd are passed on. The reason why a link
    /// did not come up is preceded by the gateway's name, because clients read its end.
    func error(of operation: GatewayOperation, on gateway: GatewayName) -> DBusError {
        switch self {
        case .unsent:
            BlueZError.failed("The gateway \(gateway) cannot be reached: \(operation.name) was not sent")
        case .notTaken(let error):
            BlueZError.failed(
                "The broker does not take \(operation.name) for the gateway \(gateway); it was not sent: \(error)")
        case .unknown: Self.timeout(operation, gateway)
        case .lost: BlueZError.failed("Not connected")
        case .refused(let failure): Self.error(failure, operation, gateway)
        }
    }

    /// Returns the error of a timeout. It is not NoReply, with which a bus reports that bluetoothd is gone.
    private static func timeout(_ operation: GatewayOperation, _ gateway: GatewayName) -> DBusError {
        DBusError(
            name: DBusError.Name.timeout,
            message: "The gateway \(gateway) did not respond: whether \(operation.name) was carried out is not known")
    }

    private static func bluez(
        _ failure: GatewayFailure, _ operation: GatewayOperation, _ gateway: GatewayName
    ) -> DBusError {
        let failed = BlueZErrorName.failed.rawValue
        let name = failure.name ?? failed
        // The other texts of src/error.h are whole sentences, which clients compare.
        guard case .connect = operation, name == failed, failure.text != "Operation already in progress" else {
            return DBusError(name: name, message: failure.text)
        }
        return DBusError(name: name, message: "The gateway \(gateway): \(failure.text)")
    }

    private static func error(
        _ failure: GatewayFailure, _ operation: GatewayOperation, _ gateway: GatewayName
    ) -> DBusError {
        switch failure.code {
        case .bluez: bluez(failure, operation, gateway)
        // Another instance responded, and an earlier one may have performed the request.
        case .instance, .unknown: timeout(operation, gateway)
        case .notConnected: BlueZError.failed("Not connected")
        case .leased: BlueZError.failed("Another application uses the device on the gateway \(gateway)")
        case .notAllowed: BlueZError.named(.notAuthorized, "The gateway \(gateway): \(failure.text)")
        case .expired, .busy, .malformed, .version:
            BlueZError.failed("The gateway \(gateway) did not do it: \(failure.code.rawValue): \(failure.text)")
        }
    }
}
