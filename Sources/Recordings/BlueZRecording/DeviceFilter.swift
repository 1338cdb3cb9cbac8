import BlueZValues

/// Keeps the events of one device, and those of no device.
package struct DeviceFilter {
    private let device: BluetoothAddress
    /// The requests of other devices that wait for a response.
    private var others: Set<Int64> = []
    private static let mostRequests = 100_000

    /// Creates a filter for a device.
    package init(_ device: BluetoothAddress) {
        self.device = device
    }

    /// Whether to keep an event. Call it for every event, in their order.
    package mutating func keeps(_ event: RecordedEvent) -> Bool {
        switch event.content {
        case .request(let request):
            guard let other = request.device, other != device else { return true }
            if others.count < Self.mostRequests { others.insert(request.number) }
            return false
        case .response(let response): return others.remove(response.number) == nil
        // What this version doesn't know could be of any device.
        case .other: return false
        default: return event.device == nil || event.device == device
        }
    }
}
