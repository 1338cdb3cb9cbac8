import BlueZDBus

/// The shared state of a manager's attribute requests. A request without a reply retains this object, but neither the
/// manager nor the client.
@BluetoothActor package final class RequestContext {
    let operations: OperationRegistry
    let queues: RequestQueues
    let limiters: CallLimiters
    package let mirror: Mirror
    /// False when the manager is gone.
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

    /// Sets how long later requests may take after they were sent.
    package func setAttributeLimit(_ limit: Duration) { attributeLimit = TimeLimit(limit) }

    /// Sets how long later requests may wait before they are sent.
    package func setQueueLimit(_ limit: Duration) { queueLimit = TimeLimit(limit) }

    package func close() { isOpen = false }
}
