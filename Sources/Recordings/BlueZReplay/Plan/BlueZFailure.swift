import BlueZDBus
import BlueZRecording
import BlueZServer
import BlueZValues

/// The error of a call of bluetoothd.
struct BlueZFailure {
    let error: DBusError

    /// Errors of bluetoothd's own state, by the beginnings of their texts (src/error.c, src/device.c and
    /// src/gatt-client.c). The server replies with them by itself, before it uses the link.
    private static let own = [
        "In Progress", "Operation already in progress", "Not connected", "Not Connected", "Notify acquired",
        "Write acquired", "Already Exists", "Already Connected", "Does Not Exist", "Resource Not Ready",
        "Invalid arguments in method call", "No notify session started", "Input/output error",
        "br-connection-canceled",
    ]

    /// Returns nil if the server replies with the error by itself, or the failure is that of a link's end.
    init?(_ failure: RecordedResponse.Failure) {
        switch failure {
        case .bus(let name, let text):
            guard name.hasPrefix(BlueZErrorName.prefix), !Self.own.contains(where: text.hasPrefix) else { return nil }
            error = DBusError(name: name, message: text)
        case .att(let code): error = BlueZError.link(.attribute(code.rawValue))
        case .hci: error = BlueZError.failed("le-connection-abort-by-local")
        case .noResponse: return nil
        }
    }
}

extension RecordedResponse {
    /// The response to a request on a link; nil without one.
    var result: Result<[UInt8], LinkError>? {
        switch failure {
        case nil: .success(value ?? values?.first?.value ?? [])
        case .att(let code): .failure(.attribute(code.rawValue))
        case .noResponse: nil
        case .some(let failure): BlueZFailure(failure).map { .failure(.bus($0.error)) }
        }
    }

    /// Whether bluetoothd or the bus refused the request without the link. A reply that never came is no refusal.
    var isRefusal: Bool {
        guard case .bus(let name, _)? = failure, name != "org.freedesktop.DBus.Error.NoReply" else { return false }
        return result == nil
    }
}
