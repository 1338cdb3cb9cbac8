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
    private enum CodingKeys: String, CodingKey {
        case version, id, instance, client, notAfter, op, device, link, addressType, handle, value, type, offset, lease
        case timeout, links
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(Int.self, forKey: .version)
        id = try container.decode(Identifier.self, forKey: .id)
        instance = try container.decodeIfPresent(Identifier.self, forKey: .instance)
        client = try container.decode(GatewayName.self, forKey: .client)
        notAfter = try container.decodeIfPresent(UInt64.self, forKey: .notAfter)
        operation = try Self.operation(container)
    }

    private static func operation(_ container: KeyedDecodingContainer<CodingKeys>) throws -> GatewayOperation {
        switch try container.decode(GatewayOperation.Code.self, forKey: .op) {
        case .hello: return .hello
        case .heard: return .heard
        case .connect:
            return .connect(
                try container.decode(BluetoothAddress.self, forKey: .device),
                try container.decodeIfPresent(BluetoothAddress.Kind.self, forKey: .addressType),
                lease: try milliseconds(container, .lease), timeout: try milliseconds(container, .timeout))
        case .discover:
            return .discover(try reference(container), timeout: try milliseconds(container, .timeout))
        case .read:
            return .read(try reference(container), handle: try handle(container), offset: try offset(container))
        case .write:
            guard let value = try container.bytes(.value, limit: GatewayLimits.value) else {
                throw container.corrupted(.value, "a write needs a value")
            }
            return .write(
                try reference(container), handle: try handle(container), value: value,
                try container.decodeIfPresent(GatewayOperation.WriteType.self, forKey: .type) ?? .request,
                offset: try offset(container))
        case .subscribe: return .subscribe(try reference(container), handle: try handle(container))
        case .unsubscribe: return .unsubscribe(try reference(container), handle: try handle(container))
        case .pair: return .pair(try reference(container), timeout: try milliseconds(container, .timeout))
        case .cancelPairing: return .cancelPairing(try reference(container))
        case .unpair: return .unpair(try container.decode(BluetoothAddress.self, forKey: .device))
        case .disconnect: return .disconnect(try reference(container))
        case .renew:
            let links = try container.decode([LinkReference].self, forKey: .links)
            guard links.count <= GatewayLimits.links else { throw container.corrupted(.links, "too many links") }
            return .renew(links, lease: try milliseconds(container, .lease))
        }
    }

    private static func reference(_ container: KeyedDecodingContainer<CodingKeys>) throws -> LinkReference {
        LinkReference(
            device: try container.decode(BluetoothAddress.self, forKey: .device),
            link: try container.decode(UInt64.self, forKey: .link))
    }

    private static func handle(_ container: KeyedDecodingContainer<CodingKeys>) throws -> UInt16 {
        try container.decode(UInt16.self, forKey: .handle)
    }

    private static func offset(_ container: KeyedDecodingContainer<CodingKeys>) throws -> Int {
        let offset = try container.decodeIfPresent(UInt16.self, forKey: .offset) ?? 0
        return Int(offset)
    }

    private static func milliseconds(
        _ container: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys
    ) throws -> Int {
        let number = try container.decode(Int.self, forKey: key)
        guard (0...86_400_000).contains(number) else { throw container.corrupted(key, "the duration is out of range") }
        return number
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(id, forKey: .id)
        try container.encodeIfPresent(instance, forKey: .instance)
        try container.encode(client, forKey: .client)
        try container.encodeIfPresent(notAfter, forKey: .notAfter)
        try container.encode(operation.code, forKey: .op)
        try container.encodeIfPresent(operation.reference?.device, forKey: .device)
        try container.encodeIfPresent(operation.reference?.link, forKey: .link)
        switch operation {
        case .hello, .heard, .cancelPairing, .disconnect: break
        case .unpair(let device): try container.encode(device, forKey: .device)
        case .connect(let device, let kind, let lease, let timeout):
            try container.encode(device, forKey: .device)
            try container.encodeIfPresent(kind, forKey: .addressType)
            try container.encode(lease, forKey: .lease)
            try container.encode(timeout, forKey: .timeout)
        case .discover(_, let timeout), .pair(_, let timeout): try container.encode(timeout, forKey: .timeout)
        case .read(_, let handle, let offset):
            try container.encode(handle, forKey: .handle)
            if offset > 0 { try container.encode(offset, forKey: .offset) }
        case .write(_, let handle, let value, let type, let offset):
            try container.encode(handle, forKey: .handle)
            try container.encode(Hexadecimal(value), forKey: .value)
            try container.encode(type, forKey: .type)
            if offset > 0 { try container.encode(offset, forKey: .offset) }
        case .subscribe(_, let handle), .unsubscribe(_, let handle): try container.encode(handle, forKey: .handle)
        case .renew(let links, let lease):
            try container.encode(links, forKey: .links)
            try container.encode(lease, forKey: .lease)
        }
    }
}
