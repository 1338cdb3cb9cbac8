import BlueZDBus
import CoreBlueZ
import GatewayProtocol
import Logging

/// A gateway, which shares this machine's Bluetooth adapter with applications over an MQTT broker.
///
/// It publishes advertisements, and performs the requests of clients to connect, read, write and subscribe. Each link
/// is leased to one client. The lease ends unless the client renews it.
///
/// ```swift
/// let gateway = try Gateway(configuration: configuration, broker: broker)
/// let end = await gateway.run()
/// ```
@BluetoothActor public final class Gateway {
    /// The properties with which the gateway was created.
    public let configuration: GatewayConfiguration

    let broker: any Broker
    let topics: Topics
    let instance = Identifier.random()
    /// The zero point of the gateway's clock.
    let start = BootInstant.now
    let central: CentralManager
    let file: LeaseFile
    let warnings = RateLimitedLog(log, on: BluetoothActor.loop)
    var name: GatewayName { configuration.name }

    // The broker.
    var mailbox: BrokerMailbox?
    var session = BrokerSession<GatewayEnd>()
    var isOnline = false
    /// Whether the broker has delivered the online status. Before that, no fleet can use this gateway.
    var isAnnounced = false
    var lastStatus: GatewayStatus?
    var isStatusDue = false
    var statusRetry: ScheduledCall?
    var probes = NameProbes()

    // Requests.
    var ledger = RequestLedger()
    var users: [GatewayName: UserState] = [:]
    var pruning: ScheduledCall?

    // Links.
    var leases = LeaseTable()
    var links: [BluetoothAddress: GatewayLink] = [:]
    var lastLink: UInt64 = 0
    var expiry: ScheduledCall?

    // Advertisements.
    var policy: AdvertisementPolicy
    var publication: (time: BootInstant, call: ScheduledCall)?

    private var claim: PrivateFile.Claim?
    private var hasRun = false

    /// Creates a gateway. `run` starts it.
    ///
    /// - Throws: `BrokerError` with the code `configuration` if the prefix of the topics is invalid.
    public init(configuration: GatewayConfiguration, broker: any Broker) throws(BrokerError) {
        var configuration = configuration
        configuration.slots = min(max(configuration.slots, 0), GatewayLimits.links)
        self.configuration = configuration
        self.broker = broker
        topics = try Topics(prefix: configuration.prefix)
        central = CentralManager(bus: configuration.bus, adapter: configuration.adapter)
        central.disconnectsAtEnd = true
        file = LeaseFile(path: configuration.stateFile)
        policy = AdvertisementPolicy(configuration, now: start)
    }

    isolated deinit {
        expiry?.cancel()
        publication?.call.cancel()
        pruning?.cancel()
        statusRetry?.cancel()
        for link in links.values where link.isUp { link.peripheral.disconnect { _ in } }
    }

    /// Runs the gateway until it ends. Call it once; later calls return immediately.
    ///
    /// - Returns: the reason why the gateway has ended. By then, all its links have ended, and another gateway can use
    ///   its state file.
    public func run() async -> GatewayEnd {
        guard !hasRun else { return session.end ?? .ended }
        hasRun = true
        guard claimStateFile() else { return session.end ?? .ended }
        adoptLeases()
        central.stateHandler = { [weak self] _ in self?.bluetoothDidChange() }
        startScanning()
        startBroker()
        await withCheckedContinuation { session.atEnd(resume: $0) }
        await leave()
        return session.end ?? .ended
    }

    private func claimStateFile() -> Bool {
        let path = configuration.stateFile
        do throws(DBusError) {
            claim = try file.claim()
            guard claim == nil else { return true }
            session.finish(
                .stateFileUnusable("Another gateway uses the state file \(path); choose another file with --state"))
        } catch {
            session.finish(.stateFileUnusable("The state file \(path) cannot be written: \(error)"))
        }
        return false
    }

    /// Ends the gateway. `run` returns soon, after the links have ended and the status is offline.
    public func end() {
        session.finish(.ended)
    }

    var isConnected: Bool { session.isConnected }
    var isEnding: Bool { session.end != nil }

    /// Ends the links, then the connection to the broker.
    private func leave() async {
        central.stopScan()
        expiry?.cancel()
        publication?.call.cancel()
        pruning?.cancel()
        statusRetry?.cancel()
        for lease in leases.leases { endLink(to: lease.device, .disconnected) }
        // In parallel, because each may take its whole timeout if bluetoothd does not reply.
        let ends = leases.leases.compactMap { peripheral(at: $0.device) }.map { peripheral in
            Task { @BluetoothActor in
                do throws(BluetoothError) {
                    try await peripheral.disconnect()
                } catch {
                    log.warning("A link could not be ended: \(error)")
                }
            }
        }
        for end in ends { await end.value }
        leases = LeaseTable()
        saveLeases()
        await broker.stop(isOnline ? statusMessage(.offline) : nil)
        isOnline = false
        claim = nil
    }

    /// Returns the time of the gateway's clock in milliseconds.
    func clock(at now: BootInstant) -> UInt64 { UInt64(clamping: (now - start).wholeMilliseconds) }

    var isPowered: Bool { central.state == .poweredOn }

    private func bluetoothDidChange() {
        if let error = central.stateError { log.warning("Bluetooth cannot be used: \(error)") }
        statusDidChange()
        endExpiredLeases()
    }
}

/// The log for events without a caller to report to.
let log = Logger(escapingWithLabel: "CoreBlueZ.Gateway")

extension RateLimitedLog {
    /// Counts messages that were dropped.
    ///
    /// - Parameters:
    ///   - kind: the kind of messages, in the plural.
    ///   - topic: one of their topics.
    func dropped(_ kind: String, count: Int = 1, topic: String? = nil) {
        warn("Dropped \(kind)", count: count, details: topic.map { ["topic": String($0.prefix(128))] } ?? [:])
    }
}
