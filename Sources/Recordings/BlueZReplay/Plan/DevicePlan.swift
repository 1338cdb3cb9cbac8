import BlueZRecording
import BlueZServer
import BlueZValues

/// A device in a recording.
struct DevicePlan {
    /// The end of a call that made a link, or should have.
    enum Outcome {
        /// The link with this number came up.
        case link(Int)
        /// The link came up and was lost at once.
        case loss(Int, BlueZFailure)
        case failure(BlueZFailure)
        /// There was no response.
        case pending
    }

    /// An attempt to connect.
    struct Attempt {
        var outcome: Outcome = .pending
        let time: Int64
        /// How long it took, in microseconds.
        var latency: Int64 = 0
        /// Whether there was a response.
        var isOver = false
        /// Whether bluetoothd refused the call by itself. The server does so again.
        var isRefused = false
        /// The error of the response, if the link was up when it came.
        var failure: BlueZFailure?

        /// Whether a link or an error can still be its end.
        var isOpen: Bool {
            guard case .pending = outcome else { return false }
            return !isOver
        }
    }

    var identity: DeviceIdentity
    /// Whether bluetoothd knew the device before a client looked for devices.
    var isKnown = false
    /// The properties of a known device.
    var state = StoredDevice()
    var attempts: [Attempt] = []
    /// The attempt that is under way, or was the last one. bluetoothd refuses others in the meantime.
    private(set) var currentAttempt: Int?
    var links: [LinkPlan] = []
    /// The links that no client asked for, by their numbers.
    var incoming: [Int] = []
    /// The last database.
    private(set) var database: RecordedDatabase?
    /// The services of the last database, and those that bluetoothd listed.
    private(set) var discovery: Discovery?
    /// The last services that were all.
    private(set) var completeDiscovery: Discovery?
    /// Values that came in responses to requests by type, which no client of bluetoothd can make.
    var valuesByType: [UInt16: [UInt8]] = [:]
    /// The handles of characteristics' declarations by those of their values, of all databases, and the reverse.
    private(set) var declarations: [UInt16: UInt16] = [:]
    private(set) var valueHandles: [UInt16: UInt16] = [:]

    init(_ address: BluetoothAddress) {
        let isStatic = address.description.first.map { "CDEF".contains($0) } ?? false
        identity = DeviceIdentity(address: address.description, addressType: isStatic ? .random : .public)
    }
}

extension DevicePlan {
    /// The number of the attempt that is under way.
    var openAttempt: Int? { currentAttempt.flatMap { attempts[$0].isOpen ? $0 : nil } }

    /// Adds an attempt, and returns its number.
    mutating func addAttempt(_ time: Int64) -> Int {
        attempts.append(Attempt(time: time))
        let number = attempts.count - 1
        if openAttempt == nil { currentAttempt = number }
        return number
    }

    /// Adds an attempt for a link that the host made without naming the device, as phones do: the controller connects to
    /// whatever is in its filter accept list. A client can only ask for such a link.
    mutating func addAttempt(_ time: Int64, endingAs link: Int) {
        var attempt = Attempt(time: time)
        attempt.outcome = .link(link)
        attempt.isOver = true
        attempts.append(attempt)
        currentAttempt = attempts.count - 1
    }

    /// Uses a database's handles from now on.
    mutating func use(_ database: RecordedDatabase) {
        self.database = database
        let uuids = discovery?.uuids ?? []
        discovery = Discovery(services: database.services)
        if !uuids.isEmpty { discovery?.uuids = uuids }
        if database.isComplete { completeDiscovery = discovery }
        for characteristic in database.services.flatMap(\.characteristics) {
            declarations[characteristic.valueHandle] = characteristic.handle
            valueHandles[characteristic.handle] = characteristic.valueHandle
        }
    }

    /// Whether the last database has everything.
    var isComplete: Bool { database?.isComplete == true }

    /// Sets bluetoothd's list of services, which has those that it keeps to itself.
    mutating func setServices(_ uuids: [BluetoothUUID]) {
        if discovery == nil { discovery = Discovery(services: []) }
        discovery?.uuids = uuids
    }

    /// The last value that was read, or else that came, on any link, or else that came with others.
    func value(of handle: UInt16) -> [UInt8]? {
        for request in links.lazy.flatMap(\.requests).reversed()
        where request.key == RequestPlan.Key(kind: .read, handle: handle) {
            if case .success(let value)? = request.result { return value }
        }
        for step in links.lazy.flatMap(\.steps).reversed() {
            if case .value(handle, let value) = step.action { return value }
        }
        return valuesByType[handle]
    }
}

/// A report of a recording and its time, in microseconds since the recording began.
struct ReportPlan {
    var time: Int64
    var report: AdvertisingReport
}
