import BlueZJSONLine
import BlueZValues

/// A request of a client to a gateway. `id` is also the MQTT correlation data.
package struct GatewayRequest: GatewayMessage {
    package static let limit = GatewayLimits.request

    package var version = Topics.version
    package var id: Identifier
    /// The instance for which the request is meant. `hello` may omit it.
    package var instance: Identifier?
    package var client: GatewayName
    /// The request's deadline, in milliseconds of the gateway's clock. `hello` needs none.
    package var notAfter: UInt64?
    package var operation: GatewayOperation

    package init(
        id: Identifier, instance: Identifier?, client: GatewayName, notAfter: UInt64?, operation: GatewayOperation
    ) {
        self.id = id
        self.instance = instance
        self.client = client
        self.notAfter = notAfter
        self.operation = operation
    }
}

extension GatewayRequest {
    package init() { self.init(id: .unread, instance: nil, client: .unread, notAfter: nil, operation: .hello) }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("version", required: &version, .number())
        keys.add("id", required: &id, .identifier)
        keys.add("instance", &instance, .identifier)
        keys.add("client", required: &client, .gatewayName)
        keys.add("notAfter", &notAfter, .number())
        var parameters = operation.parameters
        parameters.code(&keys)
        operation = GatewayOperation(parameters)
    }
}

extension GatewayOperation {
    /// The parameters of all operations. Each has some of them; the values of the others mean nothing.
    fileprivate struct Parameters {
        var code = Code.hello
        var device = BluetoothAddress.unread
        var link: UInt64 = 0
        var addressType: BluetoothAddress.Kind?
        var handle: UInt16 = 0
        var value: [UInt8] = []
        var type = WriteType.request
        var offset: UInt16 = 0
        /// In milliseconds.
        var lease = 0
        var timeout = 0
        var links: [LinkReference] = []

        var reference: LinkReference { LinkReference(device: device, link: link) }
    }

    fileprivate var parameters: Parameters {
        var parameters = Parameters()
        parameters.code = code
        if let device { parameters.device = device }
        if let reference { parameters.link = reference.link }
        switch self {
        case .hello, .heard, .cancelPairing, .disconnect, .unpair: break
        case .connect(_, let kind, let lease, let timeout):
            (parameters.addressType, parameters.lease, parameters.timeout) = (kind, lease, timeout)
        case .discover(_, let timeout), .pair(_, let timeout): parameters.timeout = timeout
        case .read(_, let handle, let offset):
            (parameters.handle, parameters.offset) = (handle, UInt16(clamping: offset))
        case .write(_, let handle, let value, let type, let offset):
            (parameters.handle, parameters.offset) = (handle, UInt16(clamping: offset))
            (parameters.value, parameters.type) = (value, type)
        case .subscribe(_, let handle), .unsubscribe(_, let handle): parameters.handle = handle
        case .renew(let links, let lease): (parameters.links, parameters.lease) = (links, lease)
        }
        return parameters
    }

    fileprivate init(_ parameters: Parameters) {
        let (link, handle, offset) = (parameters.reference, parameters.handle, Int(parameters.offset))
        let (device, lease, timeout) = (parameters.device, parameters.lease, parameters.timeout)
        self =
            switch parameters.code {
            case .hello: .hello
            case .heard: .heard
            case .connect: .connect(device, parameters.addressType, lease: lease, timeout: timeout)
            case .discover: .discover(link, timeout: timeout)
            case .read: .read(link, handle: handle, offset: offset)
            case .write: .write(link, handle: handle, value: parameters.value, parameters.type, offset: offset)
            case .subscribe: .subscribe(link, handle: handle)
            case .unsubscribe: .unsubscribe(link, handle: handle)
            case .pair: .pair(link, timeout: timeout)
            case .cancelPairing: .cancelPairing(link)
            case .unpair: .unpair(device)
            case .disconnect: .disconnect(link)
            case .renew: .renew(parameters.links, lease: lease)
            }
    }
}

extension GatewayOperation.Parameters {
    fileprivate mutating func code(_ keys: inout JSONKeys) {
        keys.add("op", required: &code, .choice())
        if ![.hello, .heard, .renew].contains(code) { keys.add("device", required: &device, .address) }
        if ![.hello, .heard, .renew, .connect, .unpair].contains(code) {
            keys.add("link", required: &link, .number())
        }
        if code == .connect { keys.add("addressType", &addressType, .addressType) }
        if [.read, .write, .subscribe, .unsubscribe].contains(code) {
            keys.add("handle", required: &handle, .number())
        }
        if code == .write {
            keys.add("value", required: &value, .bytes(limit: GatewayLimits.value))
            keys.add("type", orElse: &type, .choice())
        }
        if code == .read || code == .write { keys.add("offset", &offset, unless: 0, .number()) }
        if code == .renew {
            keys.add(
                "links", required: &links,
                .list(.object("a link")).checked { $0.count > GatewayLimits.links ? "There are too many" : nil })
        }
        if code == .connect || code == .renew { keys.add("lease", required: &lease, .milliseconds) }
        if [.connect, .discover, .pair].contains(code) { keys.add("timeout", required: &timeout, .milliseconds) }
    }
}

extension JSONField<Int> {
    fileprivate static var milliseconds: JSONField { .number(from: 0, to: 86_400_000) }
}
