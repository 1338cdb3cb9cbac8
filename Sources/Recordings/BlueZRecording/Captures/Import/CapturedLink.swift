import BlueZValues

/// A link, by the controller and its handle.
struct LinkKey: Hashable {
    var adapter: UInt16
    var handle: UInt16
}

/// A link, and what of it is unfinished.
struct CapturedLink {
    /// A request without a response.
    struct Request {
        var number: Int64
        var opcode: ATTOpcode
        var start: UInt16 = 0
        var end: UInt16 = 0
        var type: BluetoothUUID?
        /// The UUID for which Find By Type Value searches.
        var searched: BluetoothUUID?
        /// Of Exchange MTU.
        var mtu: UInt16 = 23
        /// Whether it is part of a discovery, which is one request of the recording.
        var isDiscovery = false
    }

    /// The requests of one side.
    struct Client {
        var request: Request?
        /// The number of the request for a discovery that goes on.
        var discovery: Int64?
        /// Whether there was a discovery.
        var hasDiscovered = false
    }

    /// A packet of L2CAP that has arrived in part.
    struct Fragments {
        var isStarted = false
        var bytes: [UInt8] = []
        /// How many bytes the packet has, with its header; 0 if that hasn't come.
        var length = 0
        /// How many bytes have come; more than `bytes` if the capture doesn't have all of them.
        var received = 0
    }

    var device: BluetoothAddress
    /// Links of classic Bluetooth are not imported.
    var isClassic = false
    /// Packets from the device, and to it.
    var incoming = Fragments()
    var outgoing = Fragments()
    /// Requests to the device, and from it.
    var here = Client()
    var there = Client()
    /// The pairing request, once it came, and the response.
    var pairingRequest: [UInt8]?
    var isPairing = false
    /// The identifier of a request for channels of Enhanced ATT.
    var enhancedRequest: UInt8?
    /// The number of the request to end the link.
    var disconnection: Int64?
    /// Rises with each use.
    var lastUse = 0
}

/// A device, as far as the capture shows it.
struct CapturedDevice {
    var advertisement: RecordedAdvertisement?
    /// Of an extended advertisement that has arrived in part.
    var partialData: [UInt8] = []
    var database = DiscoveredDatabase()
    /// This side's, as the device has discovered it.
    var databaseHere = DiscoveredDatabase()
    /// The complete ones of an earlier discovery, while another goes on.
    var earlier: DiscoveredDatabase?
    var earlierHere: DiscoveredDatabase?
    /// The ones that were recorded last.
    var recorded: RecordedDatabase?
    var recordedHere: RecordedDatabase?
    /// The kinds of notes that there are already.
    var notes: Set<String> = []
    /// Rises with each use.
    var lastUse = 0

    /// Forgets all attributes.
    mutating func forgetAttributes() {
        (database, databaseHere) = (DiscoveredDatabase(), DiscoveredDatabase())
        (earlier, earlierHere, recorded, recordedHere) = (nil, nil, nil, nil)
    }

    /// How many attributes are kept.
    var attributes: Int {
        database.count + databaseHere.count + (earlier?.count ?? 0) + (earlierHere?.count ?? 0)
            + (recorded?.attributes ?? 0) + (recordedHere?.attributes ?? 0)
    }
}

extension RecordedDatabase {
    /// How many attributes it describes.
    fileprivate var attributes: Int {
        services.reduce(unknownHandles.count) { $0 + $1.attributeCount }
    }
}
