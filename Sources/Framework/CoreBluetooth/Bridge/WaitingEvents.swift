import CoreBlueZ

/// The events that wait for a queue, in order.
///
/// What a program has asked for always stays. What devices send stays in part if more than 1,024 events wait: of each
/// peripheral the last discovery and the last name, and of each characteristic the last 1,024 values, as many as a
/// sequence of CoreBlueZ buffers.
struct WaitingEvents {
    /// How many events were dropped.
    struct Dropped {
        var values = 0
        var discoveries = 0
    }

    /// How many values of a characteristic stay, and how many peripherals have a discovery or a name that stays.
    static let limit = 1_024

    private struct Source: Hashable {
        let peripheral: UUID
        let token: Int
    }

    private(set) var events: [BridgeEvent] = []
    private var dropped = Dropped()
    /// The number of events from which some are dropped.
    private var threshold = limit

    var isEmpty: Bool { events.isEmpty }

    mutating func append(_ event: BridgeEvent) {
        if events.count >= threshold { drop() }
        events.append(event)
    }

    /// Takes all events, and what was dropped since they were last taken.
    mutating func take() -> ([BridgeEvent], Dropped) {
        defer { self = Self() }
        return (events, dropped)
    }

    /// Drops the oldest of what devices send, in one pass, and not again before the number has doubled: adding an event
    /// takes the same time on average, however many wait.
    private mutating func drop() {
        var values: [Source: Int] = [:]
        var found: Set<UUID> = []
        var named: Set<UUID> = []
        var modified: [UUID: Int] = [:]
        var kept: [BridgeEvent] = []
        for event in events.reversed() {
            switch event {
            case .value(let identifier, let token, _):
                let count = values[Source(peripheral: identifier, token: token), default: 0]
                values[Source(peripheral: identifier, token: token)] = count + 1
                guard count < Self.limit else { dropped.values += 1; continue }
            case .found(let report):
                guard found.count < Self.limit, found.insert(report.identifier).inserted else {
                    dropped.discoveries += 1
                    continue
                }
            case .peripheral(let identifier, .name):
                guard named.count < Self.limit, named.insert(identifier).inserted else { continue }
            case .peripheral(let identifier, .servicesModified(let tokens)):
                if let index = modified[identifier],
                    case .peripheral(_, .servicesModified(let later)) = kept[index]
                {
                    kept[index] = .peripheral(identifier, .servicesModified(tokens + later))
                    continue
                }
                modified[identifier] = kept.count
            default: break
            }
            kept.append(event)
        }
        events = kept.reversed()
        threshold = max(Self.limit, 2 * events.count)
    }
}
