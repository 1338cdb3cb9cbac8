import BlueZDBus
import CMosquitto
import GatewayProtocol

/// One `struct mosquitto` of libmosquitto, until it is released.
///
/// The library locks the state that its threads share, so `publish` may be called from any thread (mosquitto.h,
/// "Threads"), if the client knows that there are several (`mosquitto_threaded_set`).
@safe final class MosquittoClient: Sendable {
    /// The address of the `struct mosquitto`: a pointer that other threads may use.
    private let bits: UInt
    private let configuration: BrokerConfiguration
    /// The broker's Maximum Packet Size, or 0 for none.
    private let packetLimit = Lock(UInt32(0))

    var handle: OpaquePointer? { unsafe OpaquePointer(bitPattern: bits) }

    /// Creates a client; it does not connect. The delegate must outlive its connections.
    init(_ configuration: BrokerConfiguration, delegate: MosquittoBroker) throws(BrokerError) {
        self.configuration = configuration
        _ = Self.library
        // The library passes this pointer to the callbacks; the thread that calls them keeps the object.
        let context = unsafe Unmanaged.passUnretained(delegate).toOpaque()
        guard let handle = unsafe mosquitto_new(configuration.clientIdentifier, true, context) else {
            throw BrokerError(.configuration, "There is not enough memory for a connection to the broker")
        }
        bits = UInt(bitPattern: handle)
        unsafe mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5)
        // Requests are small and wait for one another: Nagle's algorithm would hold them back.
        unsafe mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1)
        unsafe mosquitto_threaded_set(handle, true)
        try unsafe identify(handle)
        if configuration.usesTLS { try unsafe secure(handle) }
        unsafe setCallbacks(handle)
    }

    deinit { unsafe mosquitto_destroy(handle) }

    private static let library: Void = { _ = mosquitto_lib_init() }()

    private func identify(_ handle: OpaquePointer) throws(BrokerError) {
        guard let user = configuration.user else {
            guard configuration.password == nil else {
                throw BrokerError(.configuration, "A password needs a user name: add --username")
            }
            return
        }
        // The longest text in MQTT (MQTT 5, 1.5.4).
        for (text, option) in [(user, "--username"), (configuration.password ?? "", "--password-file")]
        where text.utf8.count > UInt16.max {
            throw BrokerError(
                .configuration, "The text of \(option) has \(text.utf8.count) bytes; shorten it to 65,535 bytes")
        }
        try check(
            unsafe mosquitto_username_pw_set(handle, user, configuration.password),
            "The user name cannot be used; change --username")
    }

    /// The directory in which Linux distributions link the certificates that the system trusts. `mosquitto_tls_set`
    /// refuses a client's certificate without any authorities (lib/options.c), even if the system's are used.
    private static let systemAuthorities = "/etc/ssl/certs"

    private func secure(_ handle: OpaquePointer) throws(BrokerError) {
        if configuration.authorities == nil { unsafe mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1) }
        guard configuration.authorities != nil || configuration.certificate != nil else { return }
        // For a key with a passphrase, OpenSSL would ask on the terminal: an empty one is given instead.
        let result = unsafe mosquitto_tls_set(
            handle, configuration.authorities, configuration.authorities == nil ? Self.systemAuthorities : nil,
            configuration.certificate, configuration.privateKey
        ) { buffer, size, _, _ in
            if size > 0 { unsafe buffer?.pointee = 0 }
            return 0
        }
        try check(result, "A file of --cafile, --cert or --key cannot be read, or --cert lacks its --key")
    }

    private func check(_ result: CInt, _ text: String) throws(BrokerError) {
        if result != MOSQ_ERR_SUCCESS.rawValue {
            throw BrokerError(.configuration, "\(text): \(LibraryError.text(result))")
        }
    }

    /// Sets the message that the broker publishes if the connection ends without a disconnect.
    func setWill(_ will: BrokerMessage) throws(BrokerError) {
        let result = unsafe mosquitto_will_set_v5(
            handle, will.topic, CInt(will.payload.count), will.payload, CInt(will.quality.rawValue), will.isRetained,
            nil)
        try check(result, "The last will cannot be set; change the name or the prefix of the topics")
    }

    /// Looks the host up and connects. May take as long as the system's connection timeout.
    func connect() -> CInt {
        var properties: OpaquePointer?
        unsafe mosquitto_property_add_int32(
            &properties, CInt(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), UInt32(GatewayLimits.packet))
        defer { unsafe mosquitto_property_free_all(&properties) }
        return unsafe mosquitto_connect_bind_v5(
            handle, configuration.host, CInt(configuration.port), MosquittoBroker.keepAlive, nil, properties)
    }

    /// Waits for the network for at most `milliseconds`, and handles received packets. A publish ends the wait.
    func loop(milliseconds: CInt) -> CInt {
        unsafe mosquitto_loop(handle, milliseconds, 1)
    }

    /// Requests a subscription and returns its packet identifier, or nil without a connection.
    func subscribe(_ subscription: BrokerSubscription) -> CInt? {
        var identifier: CInt = 0
        let result = unsafe mosquitto_subscribe_v5(
            handle, &identifier, subscription.filter, CInt(subscription.quality.rawValue), 0, nil)
        return result == MOSQ_ERR_SUCCESS.rawValue ? identifier : nil
    }

    /// Sets the largest packet size, from the broker's CONNACK.
    func limitPackets(to size: UInt32) {
        packetLimit.withLock { $0 = size }
    }

    /// Passes a message to the library.
    ///
    /// - Returns: its packet identifier, or the library's error.
    func publish(_ message: BrokerMessage) -> Result<CInt, LibraryError> {
        // The library's own check counts too few bytes (mosquitto_publish_v5 in its lib/actions.c). A message that
        // passes it although it is too large ends the process: the library logs that without a client
        // (lib/send_publish.c).
        let limit = packetLimit.withLock { $0 }
        if limit > 0, message.packetSize > limit {
            return .failure(LibraryError(CInt(MOSQ_ERR_OVERSIZE_PACKET.rawValue)))
        }
        var properties: OpaquePointer?
        defer { unsafe mosquitto_property_free_all(&properties) }
        let added = unsafe Self.add(message, to: &properties)
        guard added == MOSQ_ERR_SUCCESS.rawValue else { return .failure(LibraryError(added)) }
        var identifier: CInt = 0
        let result = unsafe mosquitto_publish_v5(
            handle, &identifier, message.topic, CInt(message.payload.count), message.payload,
            CInt(message.quality.rawValue), message.isRetained, properties)
        // Without a connection the library keeps messages with quality of service 1 and sends them after the next
        // connect (message__queue in its lib/messages_mosq.c): so they count as accepted.
        let isKept = result == MOSQ_ERR_NO_CONN.rawValue && message.quality == .atLeastOnce && identifier != 0
        let isTaken = result == MOSQ_ERR_SUCCESS.rawValue || isKept
        return isTaken ? .success(identifier) : .failure(LibraryError(result))
    }

    /// Adds the properties that a message has in addition to its topic and its payload.
    ///
    /// - Returns: the library's result: it refuses text that is not UTF-8. It would accept text of 65,536 bytes, and
    ///   send it as empty (mosquitto_validate_utf8 in its lib/utf8_mosq.c).
    private static func add(_ message: BrokerMessage, to properties: inout OpaquePointer?) -> CInt {
        var result = CInt(MOSQ_ERR_SUCCESS.rawValue)
        if let topic = message.responseTopic {
            guard topic.utf8.count <= UInt16.max else { return CInt(MOSQ_ERR_OVERSIZE_PACKET.rawValue) }
            result = unsafe mosquitto_property_add_string(&properties, CInt(MQTT_PROP_RESPONSE_TOPIC.rawValue), topic)
        }
        if result == MOSQ_ERR_SUCCESS.rawValue, let correlation = message.correlation {
            guard let count = UInt16(exactly: correlation.count) else { return CInt(MOSQ_ERR_OVERSIZE_PACKET.rawValue) }
            result = unsafe mosquitto_property_add_binary(
                &properties, CInt(MQTT_PROP_CORRELATION_DATA.rawValue), correlation, count)
        }
        if result == MOSQ_ERR_SUCCESS.rawValue, let expiry = message.expiry {
            result = unsafe mosquitto_property_add_int32(
                &properties, CInt(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), expiry)
        }
        return result
    }

    /// Sends a DISCONNECT: the broker discards the will, or publishes it immediately (MQTT 5, 3.14.2.1).
    func disconnect(publishingWill: Bool) {
        let reason = publishingWill ? MQTT_RC_DISCONNECT_WITH_WILL_MSG : MQTT_RC_NORMAL_DISCONNECTION
        unsafe mosquitto_disconnect_v5(handle, CInt(reason.rawValue), nil)
    }
}
