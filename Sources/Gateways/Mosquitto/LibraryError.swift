import CMosquitto
import GatewayProtocol
import Glibc

/// An error of libmosquitto (`enum mosq_err_t`).
struct LibraryError: Error {
    let code: CInt

    init(_ code: CInt) { self.code = code }

    /// The library's text. For wrong arguments it has one that says nothing about them.
    static func text(_ code: CInt) -> String {
        if mosq_err_t(code) == MOSQ_ERR_INVAL { return "libmosquitto does not accept it" }
        return unsafe String(cString: mosquitto_strerror(code))
    }

    /// The error for a connection that could not be established, or was lost.
    ///
    /// - Parameters:
    ///   - systemError: errno right after the call.
    ///   - isReady: whether the connection was up.
    func connection(_ configuration: BrokerConfiguration, systemError: CInt, isReady: Bool) -> BrokerError {
        let place = configuration.place
        // OpenSSL's failures (net__handle_ssl in the library's lib/net_mosq.c), from 2.0.15 on those of the handshake too.
        let isTLS = mosq_err_t(code) == MOSQ_ERR_ERRNO && systemError == EPROTO
        let error = isTLS ? (isReady ? MOSQ_ERR_CONN_LOST : MOSQ_ERR_TLS) : mosq_err_t(code)
        switch error {
        case MOSQ_ERR_EAI, MOSQ_ERR_LOOKUP:
            return BrokerError(.unreachable, "The name of \(place) cannot be looked up")
        case MOSQ_ERR_TLS, MOSQ_ERR_TLS_HANDSHAKE:
            return BrokerError(
                .tls,
                "TLS with \(place) failed: check --cafile, and that the certificate has this host's name")
        case MOSQ_ERR_ERRNO:
            return BrokerError(
                .unreachable, "Cannot reach \(place): \(unsafe String(cString: strerror(systemError)))")
        case MOSQ_ERR_KEEPALIVE:
            return BrokerError(.notConnected, "There is no longer a response from \(place)")
        case MOSQ_ERR_CONN_LOST, MOSQ_ERR_NO_CONN:
            return BrokerError(.notConnected, "The connection to \(place) is lost")
        case MOSQ_ERR_MALFORMED_PACKET where !isReady:
            // From 2.0.12 on, the CONNACK of MQTT 3: it has no properties (lib/packet_datatypes.c).
            return ReasonCode(CInt(MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION.rawValue)).error(place)
        case MOSQ_ERR_PROTOCOL where isReady:
            return BrokerError(
                .other,
                "The connection to \(place) ended: it sent what is not MQTT 5. Perhaps a message was over its limit "
                    + "(Mosquitto: message_size_limit)")
        case MOSQ_ERR_INVAL:
            // An impossible host, or a descriptor beyond the limit of select() (lib/connect.c, lib/loop.c).
            return BrokerError(
                .other,
                "Cannot use \(place): check the host and the port of --broker, and that fewer than 1024 files are open")
        default:
            return BrokerError(.other, "Cannot use \(place): \(Self.text(code))")
        }
    }

    /// Whether the end of a connection may be due to a message: from 2.0.12 on, the library ends a connection in which a
    /// message is refused for a reason that MQTT 5 does not list, such as Mosquitto's for one over its
    /// message_size_limit (lib/handle_pubackcomp.c, src/handle_publish.c).
    var isDueToMessage: Bool { mosq_err_t(code) == MOSQ_ERR_PROTOCOL }

    /// Why a message could not be passed to the library.
    var publishing: BrokerError {
        switch mosq_err_t(code) {
        case MOSQ_ERR_NO_CONN, MOSQ_ERR_CONN_LOST: BrokerError(.notConnected, "There is no connection to the broker")
        case MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_PAYLOAD_SIZE:
            BrokerError(.tooLarge, "The message is larger than the broker accepts")
        case MOSQ_ERR_RETAIN_NOT_SUPPORTED:
            BrokerError(.other, "The broker keeps no messages; allow it (Mosquitto: retain_available true)")
        default: BrokerError(.other, "The message cannot be published: \(Self.text(code))")
        }
    }
}

/// A reason code of MQTT 5 (2.4).
struct ReasonCode {
    let code: CInt

    init(_ code: CInt) { self.code = code }

    var isError: Bool { code >= MQTT_RC_UNSPECIFIED.rawValue }

    /// Whether another attempt would fail in the same way, so that a person has to act.
    var isFinal: Bool {
        switch error().code {
        case .unsupportedVersion, .badCredentials, .notAuthorized: true
        default: false
        }
    }

    /// Whether the broker may have ended the connection because of a message, so that it would do so again.
    var isDueToMessage: Bool {
        switch mqtt5_return_codes(UInt32(bitPattern: code)) {
        case MQTT_RC_SERVER_BUSY, MQTT_RC_SERVER_SHUTTING_DOWN, MQTT_RC_KEEP_ALIVE_TIMEOUT,
            MQTT_RC_SESSION_TAKEN_OVER, MQTT_RC_ADMINISTRATIVE_ACTION, MQTT_RC_USE_ANOTHER_SERVER,
            MQTT_RC_SERVER_MOVED, MQTT_RC_MAXIMUM_CONNECT_TIME:
            false
        default: isError
        }
    }

    /// The error for a message (PUBACK, MQTT 5, 3.4.2.1).
    var publishing: BrokerError {
        switch mqtt5_return_codes(UInt32(bitPattern: code)) {
        case MQTT_RC_NOT_AUTHORIZED:
            BrokerError(.notAuthorized, "The broker's access control list does not allow this topic")
        default:
            error().code == .other ? BrokerError(.other, "The broker does not accept the message (\(name))") : error()
        }
    }

    /// The error for a connection or a subscription.
    ///
    /// - Parameter place: the broker with its place, if the error is about the connection.
    func error(_ place: String = "the broker") -> BrokerError {
        let broker = "T" + place.dropFirst()
        return switch mqtt5_return_codes(UInt32(bitPattern: code)) {
        case MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION:
            BrokerError(
                .unsupportedVersion,
                "\(broker) does not speak MQTT 5. Gateways need a broker that does, such as Mosquitto 1.6 or newer")
        case MQTT_RC_BAD_USERNAME_OR_PASSWORD:
            BrokerError(.badCredentials, "\(broker) refuses the user name or password")
        case MQTT_RC_NOT_AUTHORIZED, MQTT_RC_BANNED, MQTT_RC_BAD_AUTHENTICATION_METHOD:
            BrokerError(
                .notAuthorized,
                "\(broker) refuses this client: check the user name, the password and the broker's access control list"
            )
        case MQTT_RC_SESSION_TAKEN_OVER:
            BrokerError(
                .takenOver, "Another client has taken over the connection to \(place) with the same client identifier")
        case MQTT_RC_RETAIN_NOT_SUPPORTED:
            BrokerError(.other, "\(broker) keeps no messages; allow it (Mosquitto: retain_available true)")
        case MQTT_RC_QUOTA_EXCEEDED, MQTT_RC_RECEIVE_MAXIMUM_EXCEEDED, MQTT_RC_MESSAGE_RATE_TOO_HIGH,
            MQTT_RC_CONNECTION_RATE_EXCEEDED, MQTT_RC_SERVER_BUSY:
            BrokerError(.quotaExceeded, "\(broker) is full or limits this client (\(name))")
        case MQTT_RC_PACKET_TOO_LARGE:
            BrokerError(.tooLarge, "A message is larger than \(place) accepts")
        default: BrokerError(.other, "\(broker) returned the reason code \(name)")
        }
    }

    private var name: String { unsafe "\(code), \(String(cString: mosquitto_reason_string(code)))" }
}
