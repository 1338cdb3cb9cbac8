import CMosquitto
import GatewayProtocol
import Glibc

extension MosquittoClient {
    /// C functions that find the broker by the pointer passed to `mosquitto_new`.
    func setCallbacks(_ handle: OpaquePointer) {
        unsafe mosquitto_connect_v5_callback_set(handle) { _, context, reason, _, properties in
            let packetLimit = unsafe MosquittoClient.number(MQTT_PROP_MAXIMUM_PACKET_SIZE, of: properties)
            unsafe MosquittoClient.delegate(context)?.connected(reason, packetLimit: packetLimit)
        }
        unsafe mosquitto_disconnect_v5_callback_set(handle) { _, context, reason, _ in
            unsafe MosquittoClient.delegate(context)?.disconnected(reason)
        }
        unsafe mosquitto_subscribe_v5_callback_set(handle) { _, context, identifier, count, granted, _ in
            let reason = unsafe count > 0 ? granted?.pointee : nil
            unsafe MosquittoClient.delegate(context)?.subscribed(
                identifier, reason ?? CInt(MQTT_RC_UNSPECIFIED.rawValue))
        }
        unsafe mosquitto_publish_v5_callback_set(handle) { _, context, identifier, reason, _ in
            unsafe MosquittoClient.delegate(context)?.published(identifier, reason)
        }
        unsafe mosquitto_message_v5_callback_set(handle) { _, context, message, properties in
            guard let message = unsafe message.flatMap({ unsafe MosquittoClient.copy($0.pointee, properties) }) else {
                return
            }
            unsafe MosquittoClient.delegate(context)?.received(message)
        }
    }

    private static func delegate(_ context: UnsafeMutableRawPointer?) -> MosquittoBroker? {
        unsafe context.map { unsafe Unmanaged<MosquittoBroker>.fromOpaque($0).takeUnretainedValue() }
    }

    /// A copy of the message: the library releases its own when the callback returns.
    private static func copy(_ message: mosquitto_message, _ properties: OpaquePointer?) -> BrokerMessage? {
        guard let topic = unsafe message.topic, unsafe message.payloadlen >= 0,
            unsafe message.payloadlen <= GatewayLimits.packet
        else { return nil }
        let payload = unsafe UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
        return unsafe BrokerMessage(
            topic: unsafe String(cString: topic),
            payload: unsafe Array(payload),
            quality: message.qos == 0 ? .atMostOnce : .atLeastOnce,
            isRetained: message.retain,
            responseTopic: unsafe text(MQTT_PROP_RESPONSE_TOPIC, of: properties),
            correlation: unsafe bytes(MQTT_PROP_CORRELATION_DATA, of: properties),
            expiry: unsafe number(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, of: properties)
        )
    }

    private static func text(_ property: mqtt5_property, of properties: OpaquePointer?) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard unsafe mosquitto_property_read_string(properties, CInt(property.rawValue), &value, false) != nil else {
            return nil
        }
        defer { unsafe free(value) }
        return unsafe value.map { unsafe String(cString: $0) }
    }

    private static func bytes(_ property: mqtt5_property, of properties: OpaquePointer?) -> [UInt8]? {
        var value: UnsafeMutableRawPointer?
        var count: UInt16 = 0
        guard unsafe mosquitto_property_read_binary(properties, CInt(property.rawValue), &value, &count, false) != nil
        else { return nil }
        defer { unsafe free(value) }
        return unsafe Array(UnsafeRawBufferPointer(start: value, count: Int(count)))
    }

    private static func number(_ property: mqtt5_property, of properties: OpaquePointer?) -> UInt32? {
        var value: UInt32 = 0
        let found = unsafe mosquitto_property_read_int32(properties, CInt(property.rawValue), &value, false)
        return unsafe found == nil ? nil : value
    }
}
