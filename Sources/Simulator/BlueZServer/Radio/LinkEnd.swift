import BlueZValues

/// Why a link ended, as bluetoothd reports it (src/device.c: device_disconnected, from BlueZ 5.83 on).
package enum LinkEnd: String, Sendable {
    case unknown = "Unknown"
    /// The other side no longer responds.
    case timeout = "Timeout"
    /// This side ended it.
    case local = "Local"
    /// The other side ended it.
    case remote = "Remote"
    /// Pairing failed, or a key is wrong.
    case authentication = "Authentication"

    /// The name in the signal.
    var name: String { BlueZReason.prefix + rawValue }

    /// The text in the signal.
    var text: String {
        switch self {
        case .unknown: "Unspecified"
        case .timeout: "Connection timeout"
        case .local: "Connection terminated by local host"
        case .remote: "Connection terminated by remote user"
        case .authentication: "Connection terminated due to authentication failure"
        }
    }
}
