import BlueZValues

/// Reads the packets of a capture and makes events of a recording of them, in memory that does not grow with the file.
///
/// It keeps the most recently used 4096 devices and 256 links.
package struct CaptureImporter {
    /// A whole packet of the Attribute Protocol.
    package struct ATTPacket: Equatable, Sendable {
        /// The number of the capture's packet with which it ends.
        package var number: Int
        /// The connection handle.
        package var link: UInt16
        package var isReceived: Bool
        package var bytes: [UInt8]
    }

    static let mostDevices = 4096
    static let mostLinks = 256
    /// The most attributes of all databases.
    static let mostAttributes = 100_000

    private var file: CaptureFile
    private var queue: [RecordedEvent] = []
    private var queued = 0
    private var isFinished = false
    /// Called for each whole packet of the Attribute Protocol.
    package var packetHandler: ((ATTPacket) -> Void)?

    /// The first line of the recording.
    package private(set) var header: RecordingHeader
    /// The packet that is read.
    private(set) var packet: CapturedPacket
    private var first: CapturedPacket?
    private var lastDropped: [UInt16: UInt32] = [:]
    var links: [LinkKey: CapturedLink] = [:]
    var devices: [BluetoothAddress: CapturedDevice] = [:]
    private(set) var growth = OutputGrowth()
    /// Requests to connect, by controller.
    var connecting: [UInt16: Int64] = [:]
    /// Whether there was anything but adapters and notes.
    private var hasLowEnergy = false
    private var hasNotedTooLong = false
    private var lastNumber: Int64 = 0
    private var uses = 0
    private var time: Int64 = 0

    /// Reads the first HCI packet.
    ///
    /// - Throws: `CaptureError`, also if there is none, or an error of the source.
    package init(_ source: ByteSource) throws {
        var file = try CaptureFile(source)
        var first: CapturedPacket?
        repeat { first = try file.next() } while first?.kind == .other
        guard let packet = first else {
            throw CaptureError(offset: file.source.offset, message: file.emptiness)
        }
        self.file = file
        self.first = packet
        self.packet = packet
        header = RecordingHeader(origin: .capture, began: packet.time)
    }

    /// Returns the next event; nil at the end.
    ///
    /// - Throws: `CaptureError`, or an error of the source.
    package mutating func next() throws -> RecordedEvent? {
        while queued == queue.count {
            queue.removeAll(keepingCapacity: true)
            queued = 0
            if isFinished { return nil }
            if let next = try first.take() ?? file.next() {
                packet = next
                handlePacket()
            } else {
                finish()
                isFinished = true
            }
        }
        defer { queued += 1 }
        return queue[queued]
    }

    private mutating func handlePacket() {
        growth.read(to: file.source.offset)
        if packet.dropped > lastDropped[packet.adapter] ?? 0 {
            lastDropped[packet.adapter] = packet.dropped
            let text = "Packets before this were lost: \(packet.dropped)"
            add(.note(RecordedNote(kind: RecordedNote.dropped, text: text)))
        }
        switch packet.kind {
        case .event: handleEvent()
        case .command: handleCommand()
        case .acl: handleData()
        case .adapterAdded, .adapterRemoved, .adapterPowered: handleAdapter()
        case .other: break
        }
    }

    private mutating func finish() {
        for key in links.keys.sorted(by: { ($0.adapter, $0.handle) < ($1.adapter, $1.handle) }) { finishRequests(key) }
        if !hasLowEnergy {
            let text = "The capture contains no advertisement and no link of Bluetooth Low Energy"
            add(.note(RecordedNote(kind: "nothing", text: text)))
        }
        guard file.isCutOff else { return }
        let text = "The capture ends within a packet, at byte \(file.source.offset)"
        add(.note(RecordedNote(kind: "cut off", text: text)))
    }

    // MARK: Events

    /// Adds an event at the time of the packet. A clock that was set back is held.
    mutating func add(_ content: RecordedEvent.Content) {
        let passed = packet.time.subtractingReportingOverflow(header.began).partialValue
        time = min(max(time, passed), RecordedEvent.latest)
        let event = RecordedEvent(time: time, content)
        growth.add(event)
        queue.append(event)
        switch content {
        case .adapter, .note: break
        default: hasLowEnergy = true
        }
    }

    /// Adds a note about a frame that is longer than the packet in it. Linux drops such frames too
    /// (net/bluetooth/l2cap_core.c: l2cap_recv_acldata).
    mutating func noteTooLong(_ device: BluetoothAddress?) {
        let text = "Frames are longer than the packets in them, and are left out, the first at packet \(packet.number)"
        if let device { return addNote(device, "malformed", text) }
        guard !hasNotedTooLong else { return }
        hasNotedTooLong = true
        add(.note(RecordedNote(kind: "malformed", text: text)))
    }

    /// Adds a note about a device, once per kind.
    mutating func addNote(_ device: BluetoothAddress, _ kind: String, _ text: String) {
        guard growth.allows(text.utf8.count), devices[device, default: CapturedDevice()].notes.insert(kind).inserted
        else { return }
        add(.note(RecordedNote(kind: kind, text: text, device: device)))
    }

    /// The number of a new request.
    mutating func nextNumber() -> Int64 {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Limits

    /// Notes that a device is in use, and forgets the ones that are not.
    mutating func use(_ device: BluetoothAddress) {
        uses += 1
        devices[device, default: CapturedDevice()].lastUse = uses
        guard devices.count > Self.mostDevices else { return }
        let linked = Set(links.values.map(\.device))
        let unused = devices.filter { !linked.contains($0.key) && $0.key != device }.sorted {
            $0.value.lastUse < $1.value.lastUse
        }
        for (address, _) in unused.prefix(Self.mostDevices / 4) { devices[address] = nil }
    }

    /// Notes that a link is in use, and forgets the least recently used if there are too many.
    mutating func use(_ key: LinkKey) {
        uses += 1
        links[key]?.lastUse = uses
        guard links.count > Self.mostLinks, let oldest = links.min(by: { $0.value.lastUse < $1.value.lastUse })
        else { return }
        finishRequests(oldest.key)
        links[oldest.key] = nil
    }

    /// Changes a database. If all together have too many attributes, the devices that are not in use are forgotten.
    mutating func changeDatabase(
        _ device: BluetoothAddress, isServedHere: Bool, _ change: (inout DiscoveredDatabase) -> Void
    ) {
        let path = isServedHere ? \CapturedDevice.databaseHere : \CapturedDevice.database
        change(&devices[device, default: CapturedDevice()][keyPath: path])
        attributeChanges += 1
        guard attributeChanges % 1024 == 0 else { return }
        let count = devices.values.reduce(0) { $0 + $1.attributes }
        guard count > Self.mostAttributes else { return }
        for address in devices.keys where address != device { devices[address]?.forgetAttributes() }
    }

    private var attributeChanges = 0
}
