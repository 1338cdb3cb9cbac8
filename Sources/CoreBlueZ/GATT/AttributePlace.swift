import DBus

/// What the requests of a manager go through. A request whose answer is outstanding keeps this, but not the manager, nor
/// the client.
@BluetoothActor final class AttributeRoute {
    let operations: OperationRegistry
    let queue: OperationQueue
    let gate: CallGate
    let channels: ValueChannels
    let mirror: Mirror
    /// False once the manager is gone.
    private(set) var isOpen = true
    private(set) weak var client: BlueZClient?
    var attributeLimit = TimeLimit(Timeouts.attribute)
    var queueLimit = TimeLimit(Timeouts.queue)

    init(_ client: BlueZClient, _ operations: OperationRegistry) {
        self.operations = operations
        self.client = client
        queue = client.queue
        gate = client.gate
        channels = client.channels
        mirror = client.mirror
    }

    func close() { isOpen = false }
}

/// Where an attribute is when a request to it begins.
@BluetoothActor struct AttributePlace {
    /// Nil if its peripheral or its manager is gone.
    let route: AttributeRoute?
    let isConnected: Bool

    init(_ attribute: some Attribute) {
        guard let peripheral = attribute.peripheral, let route = peripheral.route, route.isOpen else {
            route = nil
            isConnected = false
            return
        }
        self.route = route
        // Copied first: so the compiler sees that nothing else happens meanwhile, and need not have it checked.
        let devices = route.mirror.devices
        isConnected = devices[peripheral.path]?.isConnected == true
    }
}
