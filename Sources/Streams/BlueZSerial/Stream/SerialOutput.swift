import CoreBlueZ
import DequeModule
import FoundationEssentials

/// A queue of bytes that are sent in fragments, with the progress of sending.
@BluetoothActor final class SerialOutput {
    /// A closure that writes one fragment. The completions run later, in the order of the fragments.
    typealias Write = @BluetoothActor (Data, @escaping @BluetoothActor (BluetoothError?) -> Void) -> Void

    /// The way in which fragments are written.
    struct Manner {
        /// The maximum number of fragments in progress.
        var window = 1
        /// Whether a completion means that the peer has received the fragment.
        var isConfirmed = true
        /// The time between two fragments.
        var interval = Duration.zero
        /// The maximum number of unconfirmed bytes.
        var unconfirmedLimit: Int?
        /// The number of waiting bytes at which there is no space.
        var highWaterMark = 1
    }

    /// Called with the error of a write after which it is unknown what the peer has received.
    var failed: (@BluetoothActor (BluetoothError) -> Void)?
    /// Called when there is space again.
    var spaceHandler: (@BluetoothActor () -> Void)?
    /// The number of bytes that were handed over.
    private(set) var handedOver = 0
    /// The number of bytes that the peer has received, as far as is known.
    private(set) var confirmed = 0
    /// The number of bytes that wait to be handed over.
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
        BluetoothActor.perform { [pending] in
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

    /// Notes that the peer has received all bytes up to a position.
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

    /// Sends later, so that no closure is called before the call that requested it has returned.
    private func pumpSoon() {
        guard !isPumpDue, isOpen else { return }
        isPumpDue = true
        BluetoothActor.perform { [weak self] in
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

    /// Handles a refused fragment, which never became part of the stream. Bytes that wait behind it fail too, so that
    /// none are sent without those before them. After other errors, it is unknown whether the fragment arrived.
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
    /// Whether a write that failed with this error has certainly not arrived. bluetoothd also reports the "unlikely
    /// error" of a peer for a lost link (src/shared/gatt-client.c).
    fileprivate var isRefusal: Bool {
        let refusals: [Code] = [
            .att, .insufficientSecurity, .notPermitted, .notAuthorized, .notSupported, .invalidArguments, .valueTooLong,
            .busy,
        ]
        return refusals.contains(code) && attError != .unlikelyError
    }
}
