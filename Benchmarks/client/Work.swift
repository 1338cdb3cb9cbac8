import CoreBlueZ

/// What is measured; the first number says how often it is done. What the others say, Benchmarks/README.md has.
enum Work: String, CaseIterable, Sendable {
    /// Notifications that a closure receives.
    case notifications
    /// Notifications that a `for await` receives.
    case sequence
    /// Notifications of many peripherals.
    case many
    /// Subscribing and unsubscribing.
    case subscription
    /// Notifications by an acquired socket.
    case acquired
    /// Reads, each begun by the completion of the one before.
    case reads
    /// Reads, one awaited after the other.
    case awaits
    /// Concurrent reads of sixteen characteristics.
    case readsAtOnce = "reads-at-once"
    /// Writes with response.
    case requests
    /// Writes without response.
    case commands
    /// Writes without response, one awaited after the other.
    case commandAwaits = "command-awaits"
    /// Writes by an acquired socket.
    case acquiredWrites = "acquired-writes"
    /// The same, each awaited.
    case acquiredAwaits = "acquired-awaits"
    /// Reads that are served to a central.
    case servedReads = "served-reads"
    /// Notifications that are sent to a central.
    case servedValues = "served-values"
    /// The same, each awaited.
    case servedAwaits = "served-awaits"
    /// Advertisements.
    case scan
    /// The same, decoded.
    case decodedScan = "decoded-scan"
    /// Advertisements of ever new addresses.
    case rotating
    /// Taking what BlueZ knows.
    case tree
    /// From nothing to the first peripheral found.
    case start
    /// The same, and an object for each known peripheral.
    case peripherals
    /// The same, and all of them connected and discovered.
    case discovered
    /// Connecting and discovering.
    case connections
    /// Finding, connecting and reading one value.
    case process
    /// Nothing, connected and subscribed.
    case idle

    /// Does it.
    @BluetoothActor func run(_ numbers: [UInt32]) async throws {
        let count = Int(numbers[0])
        switch self {
        case .notifications: try await Values.handled(numbers, devices: 1)
        case .sequence: try await Values.sequence(numbers)
        case .many: try await Values.handled(numbers, devices: Int(numbers[3]))
        case .subscription: try await Values.subscription(count, others: Int(numbers[1]))
        case .acquired: try await Values.acquired(numbers)
        case .reads: try await Requests.reads(count)
        case .awaits: try await Requests.awaits(count)
        case .readsAtOnce: try await Requests.readsAtOnce(count)
        case .requests: try await Requests.writes(count, .withResponse)
        case .commands: try await Requests.writes(count, .withoutResponse)
        case .commandAwaits: try await Requests.commandAwaits(count)
        case .acquiredWrites: try await Requests.acquiredWrites(count)
        case .acquiredAwaits: try await Requests.acquiredAwaits(count)
        case .servedReads: try await Serving.reads(count)
        case .servedValues: try await Serving.values(count)
        case .servedAwaits: try await Serving.awaits(count)
        case .scan: try await Starts.scan(count)
        case .decodedScan: try await Starts.decodedScan(count)
        case .rotating: try await Starts.rotating(count)
        case .tree: try await Starts.tree()
        case .start: try await Starts.start(.known)
        case .peripherals: try await Starts.start(.objects)
        case .discovered: try await Starts.start(.discovered)
        case .connections: try await Starts.connections(count)
        case .process: try await Starts.process()
        case .idle: try await Starts.idle()
        }
    }
}
