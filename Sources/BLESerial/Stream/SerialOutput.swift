import CoreBlueZ
import DequeModule
import FoundationEssentials

/// Bytes to send, in order, in fragments, with the progress of sending.
@BluetoothActor final class SerialOutput {
    /// Writes one fragment; the completion runs later, in the fragments' order.
    typealias Write = @BluetoothActor (Data, @escaping @BluetoothActor (BluetoothError?) -> Void) -> Void

    /// How fragments are written.
    struct Manner {
        /// How many may be in progress.
        var window = 1
        /// Whether a completion means that the peer has the fragment.
        var isConfirmed = true
        /// The time between two fragments.
        var interval = Duration.zero
        /// How many bytes may be unconfirmed.
        var unconfirmedLimit: Int?
        /// How many bytes may wait before there is no space.
        var highWaterMark = 1
    }

    /// Called with the error of a write after which it is unknown what the peer has.
    var failed: (@BluetoothActor (BluetoothError) -> Void)?
    /// Called when there is space again.
    var spaceHandler: (@BluetoothActor () -> Void)?
    /// How many bytes were handed over.
    private(set) var handedOver = 0
    /// How many bytes the peer has, as far as that is known.
    private(set) var confirmed = 0
    /// How many bytes wait to be handed over.
    private(set) var waiting = 0

    private let manner: Manner
    private let fragmentLength: @BluetoothActor () -> Int
    private let write: Write
    private var pending: Deque<SerialSend> = []
    private var inFlight = 0
    private var pause: ScheduledCall?
    private var isPumpDue = false
    private var isFull = false
    private var isOpen = true

    init(_ manner: Manner, fragmentLength: @escaping @BluetoothActor () -> Int, write: @escaping Write) {
        self.manner = manner
        self.fragmentLength = fragmentLength
        self.write = write
    }

    isolated deinit {
        guard !pending.isEmpty else { return }
        BluetoothActor.later { [pending] in
            for send in pending { send.finish(BluetoothError(.cancelled, "The stream of the bytes is gone")) }
        }
    }

    var hasSpace: Bool { waiting < manner.highWaterMark }

    func send(
        _ bytes: Data,
        handedOver: @escaping @BluetoothActor () -> Void,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) -> SerialSend {
        let send = SerialSend(bytes, self, handedOver: handedOver, completion: completion)
        pending.append(send)
        waiting += bytes.count
        if !hasSpace { isFull = true }
        pumpSoon()
        return send
    }

    /// The peer has all bytes up to a position.
    func confirm(through position: Int) {
        guard !manner.isConfirmed, position > confirmed else { return }
        confirmed = min(position, handedOver)
        pumpSoon()
    }

    func didCancel(_ send: SerialSend, unsent: Int) {
        waiting -= unsent
        if send.isIdle { pending.removeAll { $0 === send } }
        reportSpace()
        pumpSoon()
    }

    /// Fails everything that is pending.
    func end(_ error: BluetoothError) {
        guard isOpen else { return }
        isOpen = false
        pause?.cancel()
        waiting = 0
        failAll(error)
    }

    private func failAll(_ error: BluetoothError) {
        let failing = pending
        pending.removeAll()
        for send in failing { send.finish(error) }
    }

    // MARK: Sending

    /// Later, so that nothing is called before the call that requested it has returned.
    private func pumpSoon() {
        guard !isPumpDue, isOpen else { return }
        isPumpDue = true
        BluetoothActor.later { [weak self] in
            self?.isPumpDue = false
            self?.pump()
        }
    }

    private func pump() {
        while isOpen, pause == nil, inFlight < manner.window, !isHeldBack,
            let send = pending.first(where: { $0.remaining > 0 })
        {
            let fragment = send.next(max(1, fragmentLength()), at: handedOver)
            handedOver += fragment.count
            waiting -= fragment.count
            inFlight += 1
            write(fragment) { [weak self] error in self?.finished(send, fragment.count, error) }
            if manner.interval > .zero { startPause() }
            send.wasHandedOver()
            reportSpace()
        }
    }

    private var isHeldBack: Bool {
        guard !manner.isConfirmed, let limit = manner.unconfirmedLimit else { return false }
        return handedOver - confirmed >= limit
    }

    private func startPause() {
        pause = BluetoothActor.after(manner.interval) { [weak self] in
            self?.pause = nil
            self?.pump()
        }
    }

    private func reportSpace() {
        guard isFull, hasSpace else { return }
        isFull = false
        spaceHandler?()
    }

    private func finished(_ send: SerialSend, _ count: Int, _ error: BluetoothError?) {
        guard isOpen else { return }
        inFlight -= 1
        if let error { return refused(error, count) }
        if manner.isConfirmed { confirmed += count }
        send.advance(count)
        if send.isIdle, send.remaining == 0, let index = pending.firstIndex(where: { $0 === send }) {
            pending.remove(at: index)
        }
        pump()
    }

    /// A fragment that the peer or bluetoothd refused was never part of the stream. Bytes waiting behind it fail too,
    /// so that none are sent without those before them. After other errors it is unknown whether it arrived.
    private func refused(_ error: BluetoothError, _ count: Int) {
        guard error.isRefusal, manner.window == 1 else {
            failed?(error)
            return
        }
        handedOver -= count
        waiting = 0
        failAll(error)
        reportSpace()
    }
}

extension BluetoothError {
    /// Whether a write that failed with this error has certainly not arrived. bluetoothd also reports the peer's
    /// "unlikely error" for a lost link (src/shared/gatt-client.c).
    fileprivate var isRefusal: Bool {
        let refusals: [Code] = [
            .att, .insufficientSecurity, .notPermitted, .notAuthorized, .notSupported, .invalidArguments, .valueTooLong,
            .busy,
        ]
        return refusals.contains(code) && attError != .unlikelyError
    }
}
