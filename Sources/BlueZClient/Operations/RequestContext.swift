import DBus

/// What the requests to a manager's attributes need. A request whose answer is outstanding keeps this, but not the
/// manager, nor the client.
@BluetoothActor package final class RequestContext {
    let operations: OperationRegistry
    let queues: RequestQueues
    let limiters: CallLimiters
    package let mirror: Mirror
    /// False once the manager is gone.
    private(set) var isOpen = true
    private(set) weak var client: BlueZClient?
    private(set) var attributeLimit = TimeLimit(Timeouts.attribute)
    private(set) var queueLimit = TimeLimit(Timeouts.queue)

    package init(_ client: BlueZClient, _ operations: OperationRegistry) {
        self.operations = operations
        self.client = client
        queues = client.queues
        limiters = client.limiters
        mirror = client.mirror
    }

    /// How long requests that begin from now on may take, once they are sent.
    package func setAttributeLimit(_ limit: Duration) { attributeLimit = TimeLimit(limit) }

    /// How long a request that begins to wait from now on may do so.
    package func setQueueLimit(_ limit: Duration) { queueLimit = TimeLimit(limit) }

    package func close() { isOpen = false }
}
