import BlueZValues

/// How many bytes of events a capture may become, so that what a few bytes repeat doesn't grow without limit.
struct OutputGrowth {
    /// How many bytes of events each byte of the capture allows. Packets of real captures become two to eight.
    private static let factor = 16
    /// For short captures, whose notes are longer than the captures.
    private static let least = 1 << 14

    private var allowed = Self.least
    private var offset = 0

    /// Notes that the capture was read up to this offset.
    mutating func read(to offset: Int) {
        allowed += (offset - self.offset) * Self.factor
        self.offset = offset
    }

    /// Whether an event of this size is allowed.
    func allows(_ bytes: Int) -> Bool { bytes <= allowed }

    /// Counts an event.
    mutating func add(_ event: RecordedEvent) { allowed -= event.size }
}

extension RecordedEvent {
    /// The bytes of the line, exactly or a few more.
    fileprivate var size: Int {
        switch content {
        case .heard(let report): report.size
        case .database: line.count
        case .value(let value): 128 + 2 * value.value.count
        case .request(let request): 192 + 2 * (request.value?.count ?? 0) + 6 * (request.handles?.count ?? 0)
        case .response(let response):
            (response.values ?? []).reduce(64 + 2 * (response.value?.count ?? 0)) { $0 + 30 + 2 * $1.value.count }
        case .note(let note): 128 + note.text.utf8.count
        case .adapter, .device, .connected, .disconnected, .mtu, .pairing, .other: 160
        }
    }
}

extension RecordedAdvertisement {
    /// The bytes of the line, exactly or a few more.
    var size: Int {
        let lists = [data.manufacturerData.values.map(\.count), data.structures.values.map(\.count)]
        let entries = lists.joined().reduce(0) { $0 + 12 + 2 * $1 }
        let services = data.serviceData.values.reduce(0) { $0 + 44 + 2 * $1.count } + 40 * data.serviceUUIDs.count
        return 240 + 6 * (data.localName?.utf8.count ?? 0) + 2 * (data.flags?.count ?? 0) + entries + services
    }
}
