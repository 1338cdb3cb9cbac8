import BlueZJSONLine
import BlueZValues

/// An event of a link, for the client that holds the lease. The events of a link are numbered from 1.
package struct GatewayEvent: GatewayMessage {
    package enum Content: Hashable, Sendable {
        /// The link is gone. This is the last event of the link.
        case disconnected
        /// The services have changed. Discover them again.
        case services
        /// The device's properties have changed.
        case changed(DeviceState)
        /// A notification or an indication of a characteristic.
        case value(handle: UInt16, [UInt8])
        /// Notifications of a characteristic have ended without a request.
        case ended(handle: UInt16)
    }

    package static let limit = GatewayLimits.report

    package var version = Topics.version
    package var instance: Identifier
    package var device: BluetoothAddress
    package var link: UInt64
    package var sequence: UInt64
    package var content: Content

    package init(instance: Identifier, device: BluetoothAddress, link: UInt64, sequence: UInt64, content: Content) {
        self.instance = instance
        self.device = device
        self.link = link
        self.sequence = sequence
        self.content = content
    }

    private enum Code: String, CaseIterable {
        case disconnected, services, changed, value, ended
    }

    package init() { self.init(instance: .unread, device: .unread, link: 0, sequence: 0, content: .disconnected) }

    package mutating func code(_ keys: inout JSONKeys) {
        var (code, state, handle, value) = (Code.disconnected, DeviceState(), UInt16(0), [UInt8]())
        switch content {
        case .disconnected: break
        case .services: code = .services
        case .changed(let known): (code, state) = (.changed, known)
        case .value(let known, let bytes): (code, handle, value) = (.value, known, bytes)
        case .ended(let known): (code, handle) = (.ended, known)
        }
        keys.add("version", required: &version, .number())
        keys.add("instance", required: &instance, .identifier)
        keys.add("device", required: &device, .address)
        keys.add("link", required: &link, .number())
        keys.add("sequence", required: &sequence, .number())
        keys.add("event", required: &code, .choice())
        if code == .changed { keys.add("state", required: &state, .object("a state")) }
        if code == .value || code == .ended { keys.add("handle", required: &handle, .number()) }
        if code == .value { keys.add("value", required: &value, .bytes(limit: GatewayLimits.value)) }
        content =
            switch code {
            case .disconnected: .disconnected
            case .services: .services
            case .changed: .changed(state)
            case .value: .value(handle: handle, value)
            case .ended: .ended(handle: handle)
            }
    }
}
