import BlueZSimulator
import DequeModule

/// A simulated serial device. The responses of its script are sent as notifications, with configurable splitting and
/// timing.
///
/// Keep a reference to it for as long as its peripheral exists, because the peripheral does not retain its delegate.
@SimulatorActor public final class SimulatedSerialDevice: SimulatedPeripheralDelegate {
    /// The way in which data are split into notifications.
    public enum Cutting: Hashable, Sendable {
        /// Each piece in one notification, or in several if the link's limit is lower.
        case pieces
        /// In notifications of at most this many bytes. Pieces are not joined.
        case length(Int)
        /// In notifications of a random length from 1 to this many bytes. Pieces are joined.
        case random(upTo: Int)
        /// In notifications as long as the link allows. Waiting pieces are joined.
        case joined
    }

    /// The simulated peripheral that has the serial service.
    public let peripheral: SimulatedPeripheral
    /// The profile, whose characteristics the device uses.
    public let profile: SerialProfile
    /// The script that determines the responses.
    public var script: any SerialScript
    /// The way in which responses are split; by default, `pieces`.
    public var cutting = Cutting.pieces
    /// The delay of a response; zero by default.
    public var delay = Duration.zero
    /// The time between two notifications; zero by default.
    public var interval = Duration.zero
    /// The number of bytes that the device has received.
    public private(set) var receivedCount = 0
    /// The modes that were written, in order.
    public private(set) var modes: [UInt8] = []
    /// The delegate for everything that the script does not handle: requests of other characteristics, and the events
    /// of the link. It is not retained.
    public weak var next: (any SimulatedPeripheralDelegate)?

    private var waiting: Deque<ArraySlice<UInt8>> = []
    /// The number of the link. A response that is too late for its link is dropped.
    private var links = 0
    private var timer: SimulatorActor.ScheduledCall?
    private var random: any RandomNumberGenerator = SystemRandomNumberGenerator()

    /// Creates a serial device from a peripheral with the profile's service.
    public init(_ peripheral: SimulatedPeripheral, _ profile: SerialProfile, script: any SerialScript) {
        self.peripheral = peripheral
        self.profile = profile
        self.script = script
        peripheral.delegate = self
    }

    /// Creates a serial device, and adds it in range of the adapters.
    ///
    /// - Throws: `DBusError` if the address is invalid or in use.
    public convenience init(
        in bluez: SimulatedBlueZ,
        _ profile: SerialProfile = .nordic,
        name: String = "UART",
        address: String = "00:AA:02:00:00:77",
        maximumMTU: UInt16 = 517,
        writing: CharacteristicProperties = [.write, .writeWithoutResponse],
        notifying: CharacteristicProperties = [.notify],
        services: [ServiceSpecification] = [],
        script: any SerialScript = EchoScript()
    ) throws {
        let peripheral = try bluez.add(
            PeripheralSpecification(
                name: name, address: address, maximumMTU: maximumMTU,
                services: profile.specifications(writing: writing, notifying: notifying) + services))
        self.init(peripheral, profile, script: script)
    }

    /// Sets the generator of the random splitting, to make it reproducible.
    public func seed(_ generator: any RandomNumberGenerator) {
        random = generator
    }

    /// Whether a central has subscribed to the stream.
    public var isSubscribed: Bool { notify?.isSubscribed == true }

    /// The characteristic that notifies; another one may have the same UUID.
    private var notify: SimulatedCharacteristic? {
        peripheral.services.lazy.flatMap(\.characteristics).first { [profile] in
            $0.uuid == profile.notify && !$0.properties.isDisjoint(with: [.notify, .indicate])
        }
    }

    /// Sends bytes after those that are waiting. They are lost if no central has subscribed.
    public func send(_ bytes: [UInt8]) {
        enqueue([bytes])
    }

    /// Notifies an event, if the profile has a characteristic for events.
    public func sendEvent(_ bytes: [UInt8]) {
        guard let uuid = profile.events, let events = peripheral.characteristic(uuid) else { return }
        peripheral.notify(bytes, from: events)
    }

    private func enqueue(_ pieces: [[UInt8]]) {
        waiting += pieces.lazy.filter { !$0.isEmpty }.map { $0[...] }
        if timer == nil { sendNext() }
    }

    private func sendNext() {
        timer = nil
        guard let notify, notify.isSubscribed else { return waiting.removeAll() }
        while !waiting.isEmpty {
            peripheral.notify(nextNotification(), from: notify)
            guard interval > .zero, !waiting.isEmpty else { continue }
            timer = SimulatorActor.schedule(after: interval) { [weak self] in self?.sendNext() }
            return
        }
    }

    private func nextNotification() -> [UInt8] {
        let room = Int(min(max(peripheral.specification.maximumMTU, 23), 517)) - 3
        let length =
            switch cutting {
            case .pieces, .joined: room
            case .length(let length): min(room, max(1, length))
            case .random(let limit): Int.random(in: 1...min(room, max(1, limit)), using: &random)
            }
        switch cutting {
        case .random, .joined: join(length)
        case .pieces, .length: break
        }
        let piece = waiting.removeFirst()
        if piece.count > length { waiting.prepend(piece.dropFirst(length)) }
        return Array(piece.prefix(length))
    }

    /// Joins pieces until the first is as long as requested, if there are enough bytes.
    private func join(_ length: Int) {
        while waiting[0].count < length, waiting.count > 1 { waiting[0] += waiting.remove(at: 1) }
    }

    // MARK: Requests of a central

    /// Calls `next`.
    public func peripheralDidConnect(_ peripheral: SimulatedPeripheral) {
        next?.peripheralDidConnect(peripheral)
    }

    /// Discards waiting bytes.
    public func peripheralDidDisconnect(_ peripheral: SimulatedPeripheral) {
        timer?.cancel()
        timer = nil
        waiting.removeAll()
        links += 1
        script.disconnected()
        next?.peripheralDidDisconnect(peripheral)
    }

    /// Calls `next`.
    public func peripheral(
        _ peripheral: SimulatedPeripheral, read characteristic: SimulatedCharacteristic, request: AttributeRequest
    ) {
        if let next { return next.peripheral(peripheral, read: characteristic, request: request) }
        request.respond(with: characteristic.value)
    }

    /// Passes the stream's bytes to the script, and records modes.
    public func peripheral(
        _ peripheral: SimulatedPeripheral, write value: [UInt8], to characteristic: SimulatedCharacteristic,
        request: AttributeRequest
    ) {
        switch characteristic.uuid {
        case profile.write:
            request.respond()
            receive(value)
        case profile.mode:
            characteristic.value = value
            modes += value.prefix(1)
            request.respond()
            peripheral.notify(value, from: characteristic)
        default:
            if let next { return next.peripheral(peripheral, write: value, to: characteristic, request: request) }
            characteristic.value = value
            request.respond()
        }
    }

    private func receive(_ bytes: [UInt8]) {
        receivedCount += bytes.count
        let pieces = script.received(bytes)
        guard delay > .zero else { return enqueue(pieces) }
        SimulatorActor.schedule(after: delay) { [weak self, links] in
            if self?.links == links { self?.enqueue(pieces) }
        }
    }

    /// Sends the script's pieces for a subscription.
    public func peripheral(_ peripheral: SimulatedPeripheral, didSubscribeTo characteristic: SimulatedCharacteristic) {
        if characteristic.uuid == profile.notify { enqueue(script.subscribed()) }
        next?.peripheral(peripheral, didSubscribeTo: characteristic)
    }

    /// Calls `next`.
    public func peripheral(
        _ peripheral: SimulatedPeripheral, didUnsubscribeFrom characteristic: SimulatedCharacteristic
    ) {
        next?.peripheral(peripheral, didUnsubscribeFrom: characteristic)
    }
}
