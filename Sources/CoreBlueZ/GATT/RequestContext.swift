import DBus

/// What the requests to a manager's attributes need. A request whose answer is outstanding keeps this, but not the
/// manager, nor the client.
@BluetoothActor final class RequestContext {
    let operations: OperationRegistry
    let queues: RequestQueues
    let limiters: CallLimiters
    let mirror: Mirror
    /// False once the manager is gone.
    private(set) var isOpen = true
    private(set) weak var client: BlueZClient?
    var attributeLimit = TimeLimit(Timeouts.attribute)
    var queueLimit = TimeLimit(Timeouts.queue)

    init(_ client: BlueZClient, _ operations: OperationRegistry) {
        self.operations = operations
        self.client = client
        queues = client.queues
        limiters = client.limiters
        mirror = client.mirror
    }

    func close() { isOpen = false }
}
