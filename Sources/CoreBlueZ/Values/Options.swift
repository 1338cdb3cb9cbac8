/// Options for scanning.
public struct ScanOptions: Hashable, Codable, Sendable {
    /// Report every advertisement, not only those that contain something new. Costs energy and time.
    public var allowDuplicates = false
    /// Report only signals at least this strong, in dBm.
    public var minimumRSSI: Int?
    /// End the scan without an error after this time.
    public var duration: Duration?
    /// Wait for Bluetooth at the start, and whenever bluetoothd, the adapter or its power is lost, and scan again when
    /// it is back. Otherwise the scan ends with the error.
    public var resumes = false
    /// Scan passively: only listen, send nothing, and let bluetoothd, or the controller if it can, select the
    /// advertisements that match one of these patterns. That takes the least energy, wakes the program least often, and
    /// omits scan responses. nil, the default, scans actively.
    ///
    /// bluetoothd offers it with `--experimental` (BlueZ 5.56 or newer, Linux 5.10 or newer). The scan ends with
    /// `BluetoothError.Code.notSupported` if bluetoothd does not offer it or refuses, and with `timedOut` if it never
    /// begins.
    public var passivePatterns: [AdvertisementPattern]?
    /// The kind of devices to look for; by default Bluetooth LE. All scans of a program share one discovery session: a
    /// scan for LE may also report classic devices while another scan looks for these. A scan for BR/EDR then reports
    /// only devices with a `Peripheral.deviceClass`. Passive scans hear LE only.
    public var transport: BluetoothTransport

    /// The usual options: LE, active, no duplicates, no limits, no resuming.
    public init(
        allowDuplicates: Bool = false,
        minimumRSSI: Int? = nil,
        duration: Duration? = nil,
        resumes: Bool = false,
        passivePatterns: [AdvertisementPattern]? = nil,
        transport: BluetoothTransport = .le
    ) {
        self.allowDuplicates = allowDuplicates
        self.minimumRSSI = minimumRSSI
        self.duration = duration
        self.resumes = resumes
        self.passivePatterns = passivePatterns
        self.transport = transport
    }
}

/// Options for connecting.
public struct ConnectOptions: Hashable, Codable, Sendable {
    /// How long to try. bluetoothd itself waits up to 20 s for an advertisement and 40 s for the link, so less than 45
    /// s may time out before bluetoothd does.
    public var timeout: Duration
    /// How often to retry, within the timeout, if the link fails to come up. A link that breaks at once is the most
    /// common failure of LE connections, and usually temporary.
    public var retries: Int
    /// Stop this program's own scan while connecting. Many controllers do not do both well.
    public var pausesScan: Bool
    /// The link to make to a device that has both kinds; by default LE. Only with `--experimental` (BlueZ 5.80 or
    /// newer) can bluetoothd be told; otherwise it decides, and `le` fails with `BluetoothError.Code.wrongBearer` if it
    /// used BR/EDR. `auto` leaves it to bluetoothd.
    public var transport: BluetoothTransport

    /// The usual options: 45 s, three retries, the scan paused, LE.
    public init(
        timeout: Duration = .seconds(45), retries: Int = 3, pausesScan: Bool = true, transport: BluetoothTransport = .le
    ) {
        self.timeout = timeout
        self.retries = retries
        self.pausesScan = pausesScan
        self.transport = transport
    }
}

/// The type of a write.
public enum CharacteristicWriteType: String, Codable, Sendable {
    /// A write request: the peripheral confirms.
    case withResponse
    /// A write command: completes when bluetoothd has queued it; nothing confirms that it arrived.
    case withoutResponse
    /// Reliable write: bluetoothd sends the value in prepared parts, compares what the peripheral has received, and
    /// only then has it written (Core Specification, volume 3, part G, 4.9.5). For characteristics with
    /// `CharacteristicProperties.reliableWrite`.
    case reliable

    /// BlueZ's name (doc/org.bluez.GattCharacteristic.rst).
    var bluezName: String {
        switch self {
        case .withResponse: "request"
        case .withoutResponse: "command"
        case .reliable: "reliable"
        }
    }
}
