import BlueZServer
import DBus
import GatewayProtocol

/// Why a request to a gateway failed.
enum RequestFailure: Error, Hashable {
    /// Its deadline passed before it could be sent: it was not carried out.
    case unsent
    /// The broker did not take it: it was not carried out.
    case notTaken(BrokerError)
    /// It was sent, and whether it was carried out is not known.
    case unknown
    /// The link that it needs is gone.
    case lost
    /// The gateway refused it.
    case refused(GatewayFailure)

    /// Whether the gateway had no free link: then it was not carried out.
    var isBusy: Bool {
        if case .refused(let failure) = self { failure.code == .busy } else { false }
    }

    /// The error of the client's call. Errors of the gateway's bluetoothd are passed on; the reason why a link did not
    /// come up gets the gateway's name in front, because clients read its end.
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

    /// Not NoReply, with which a bus reports that bluetoothd has gone.
    private static func timeout(_ operation: GatewayOperation, _ gateway: GatewayName) -> DBusError {
        DBusError(
            name: DBusError.Name.timeout,
            message: "The gateway \(gateway) did not respond: whether \(operation.name) was carried out is not known")
    }

    private static func bluez(
        _ failure: GatewayFailure, _ operation: GatewayOperation, _ gateway: GatewayName
    ) -> DBusError {
        let failed = "org.bluez.Error.Failed"
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
        // Another instance responded: an earlier one may have carried it out.
        case .instance, .unknown: timeout(operation, gateway)
        case .notConnected: BlueZError.failed("Not connected")
        case .leased: BlueZError.failed("Another application uses the device on the gateway \(gateway)")
        case .notAllowed: BlueZError.named("NotAuthorized", "The gateway \(gateway): \(failure.text)")
        case .expired, .busy, .malformed, .version:
            BlueZError.failed("The gateway \(gateway) did not do it: \(failure.code.rawValue): \(failure.text)")
        }
    }
}
