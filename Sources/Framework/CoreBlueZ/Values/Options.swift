/// Options for scanning.
public struct ScanOptions: Hashable, Codable, Sendable {
    /// Whether to report every advertisement, not only those that contain something new. False by default. Reporting
    /// all takes energy and time.
    public var allowDuplicates = false
    /// The weakest signal to report, in dBm, such as -70. Nil, the default, reports all.
    public var minimumRSSI: Int?
    /// The time after which the scan ends without an error. Nil, the default, means no limit.
    public var duration: Duration?
    /// Whether to wait for Bluetooth at the start, and to scan again after bluetoothd, the adapter or its power was
    /// lost. False by default: the scan fails instead.
    public var resumes = false
    /// The patterns for a passive scan, which only listens and sends nothing. bluetoothd, or the controller if it can,
    /// selects the advertisements that match one of the patterns. That takes the least energy, wakes the program least
    /// often, and omits scan responses. Nil, the default, scans actively.
    ///
    /// bluetoothd supports passive scans with `--experimental` (BlueZ 5.56 or newer, Linux 5.10 or newer). The scan
    /// fails with `BluetoothError.Code.notSupported` if bluetoothd does not support it or refuses, and with `timedOut`
    /// if it does not begin within 10 s.
    public var passivePatterns: [AdvertisementPattern]?
    /// The kind of devices to look for; by default LE. All scans of a program share one discovery session, so a scan
    /// for LE may also report classic devices while another scan looks for these. A scan for BR/EDR then reports only
    /// devices with a `Peripheral.deviceClass`. Passive scans find only LE devices.
    public var transport: BluetoothTransport

    /// Creates options. By default, the scan is an active one for LE devices, without duplicates, limits or resuming.
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
    /// How long to try; 45 s by default. bluetoothd itself waits up to 20 s for an advertisement and 40 s for the link,
    /// so a shorter timeout may expire before bluetoothd's.
    public var timeout: Duration
    /// How often to retry, within the timeout, if the link fails to come up; 3 by default. A link that breaks
    /// immediately is the most common failure of LE connections, and usually temporary.
    public var retries: Int
    /// Whether to pause this program's scans while connecting; true by default. Many controllers do not do both well.
    public var pausesScan: Bool
    /// The transport to use for a device that has both; by default LE. bluetoothd can be made to use one only with
    /// `--experimental` (BlueZ 5.80 or newer). Otherwise bluetoothd decides, and `le` fails with
    /// `BluetoothError.Code.wrongBearer` if it uses BR/EDR. `auto` leaves the choice to bluetoothd.
    public var transport: BluetoothTransport

    /// Creates options. By default, the timeout is 45 s, there are three retries, scans are paused, and the transport
    /// is LE.
    public init(
        timeout: Duration = .seconds(45), retries: Int = 3, pausesScan: Bool = true, transport: BluetoothTransport = .le
    ) {
        self.timeout = timeout
        self.retries = retries
        self.pausesScan = pausesScan
        self.transport = transport
    }
}

/// The type of a write, which decides whether the peripheral confirms it.
public enum CharacteristicWriteType: String, Codable, Sendable {
    /// A write request, which the peripheral confirms.
    case withResponse
    /// A write command, which completes when bluetoothd has queued it. Nothing confirms that it arrives.
    case withoutResponse
    /// A reliable write. bluetoothd sends the value in prepared parts, compares what the peripheral has received, and
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
