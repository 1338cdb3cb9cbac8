import BlueZClient
import BlueZDBus
import BlueZPrintableText

/// One `connect`, with its retries. BlueZ's reply to Connect is unreliable: it may report success without a link, never
/// arrive, or report a failure although another try would succeed.
///
/// The steps run from top to bottom. Each step registers its own cleanup, which runs when the operation ends, for
/// whatever reason. Later steps then do not run.
@BluetoothActor final class ConnectionAttempt {
    /// The meaning of Connect's reply.
    private enum ConnectReply {
        case connected
        case failed(BluetoothError)
        /// Another try may succeed.
        case brokeOff(BluetoothError)
        /// bluetoothd refuses because another connect of this device is in progress, usually another program's. Its
        /// link will serve this attempt too, but is not this program's.
        case busy
        /// BlueZ used BR/EDR for a device that has both transports.
        case wrongBearer(BluetoothError)
    }

    private let peripheral: Peripheral
    private let link: Link
    private let client: BlueZClient
    private let operation: Operation<Void>
    private let options: ConnectOptions
    /// Whether bluetoothd has refused Connect because the device is being connected.
    private var wasRefused = false
    /// Whether bluetoothd has not refused it for that reason.
    private var wasAccepted = false
    /// Continues the waiting step when the operation has ended.
    private var interrupt: (@BluetoothActor () -> Void)?

    /// The attempt begins: `disconnect` cancels it, even before `run`.
    init(_ peripheral: Peripheral, _ client: BlueZClient, _ operation: Operation<Void>, _ options: ConnectOptions) {
        self.peripheral = peripheral
        link = peripheral.link
        self.client = client
        self.operation = operation
        self.options = options
        link.begin(operation)
        operation.whenEnded { [self] error in
            interrupt?()
            let path = peripheral.path
            let isLinkOwn = client.isLinkOwn(path)
            let mayConnect = isLinkOwn || client.isPending(.connect, at: path)
            let isGivenUp = link.end(operation, error, mayConnect: mayConnect, isLinkOwn: isLinkOwn)
            // With resolved services, the attempt may succeed before bluetoothd has received Connect. If the link is
            // lost in between, Connect makes another one.
            if isGivenUp || error == nil { withdraw() }
        }
    }

    func run() async {
        do throws(BluetoothError) {
            try await connect()
            operation.succeed(())
        } catch {
            operation.fail(error)
        }
    }

    private func connect() async throws(BluetoothError) {
        guard operation.isPending else { return }
        guard peripheral.properties != nil else { throw peripheral.goneError }
        guard isAdapterOn else { throw powerError }
        // Resolved services prove that there is a link, even if Connect never gets a reply. A classic link lasts only
        // if Connect then connects a profile.
        link.observe(during: operation) { [self] news in
            if news == .resolved, hasLink, !isClassic { operation.succeed(()) }
        }

        let adapter = hasLink ? nil : peripheral.path.parent
        if let adapter {
            operation.wait(atMost: TimeLimit(peripheral.central?.queueTimeout ?? Timeouts.queue))
            try await step { [client, operation] ready in
                client.connectQueue.enqueue(on: adapter, during: operation, forAtMost: client.timeouts.connectSlot) {
                    ready(())
                }
            }
            operation.stopWaiting()
        }

        let start = MonotonicInstant.now
        let timer = BluetoothActor.after(options.timeout) { [weak self] in
            if let self { self.operation.fail(self.timeout) }
        }
        operation.whenEnded { _ in timer.cancel() }

        if let adapter, options.pausesScan {
            let discovery = client.discovery(on: adapter)
            operation.whenEnded { _ in discovery.resume() }
            try await step { paused in discovery.pause { paused(()) } }
        }
        if options.transport == .bredr { _ = try await prefer("bredr") }
        try await callUntilConnected(since: start)
    }

    // MARK: Steps

    private func callUntilConnected(since start: MonotonicInstant) async throws(BluetoothError) {
        var retriesLeft = max(0, options.retries)
        var hasTriedLE = false
        while true {
            // Waits until `Connected` is false: within two seconds of a disconnection bluetoothd takes the old link for
            // the new one (src/device.c: DISCONNECT_TIMER).
            if peripheral.properties?.isLinkEnding == true {
                try await step { [link, operation] gone in
                    link.observe(during: operation) { if $0 == .disconnected { gone(()) } }
                }
            }
            link.handle(.attempt)
            switch try await call(since: start) {
            case .connected: return
            case .failed(let error): throw error
            case .busy: try await wait(.milliseconds(500))
            case .brokeOff(let error):
                guard retriesLeft > 0 else { throw error }
                retriesLeft -= 1
                log.debug("Trying to connect again", metadata: ["error": "\(error)", "left": "\(retriesLeft)"])
                try await wait(.milliseconds(300))
            case .wrongBearer(let error):
                guard options.transport == .le else { throw classicError(error) }
                guard !hasTriedLE else { throw error }
                hasTriedLE = true
                if try await takeLE() == false { throw error }
            }
            if hasLink { return }
        }
    }

    private func call(since start: MonotonicInstant) async throws(BluetoothError) -> ConnectReply {
        let reply = try await reply(to: connect(BlueZ.device), since: start)
        if case .busy = reply { wasRefused = true } else { wasAccepted = true }
        return reply
    }

    private func reply(
        to failure: DBusError?, since start: MonotonicInstant
    ) async throws(BluetoothError) -> ConnectReply {
        guard let failure else {
            let error = BluetoothError(.connectionFailed, "\(operation.title): the link broke at once")
            return hasLink ? .connected : .brokeOff(error)
        }
        let error = BluetoothError(failure, in: .connect, operation.title)
        switch (failure.bluezName, failure.message) {
        case (.alreadyConnected, _) where hasLink: return .connected
        // bluetoothd reports only "Input/output error".
        case (.failed, _) where !isAdapterOn: return .failed(powerError)
        case (.inProgress, _), (.failed, "Operation already in progress"): return .busy
        case _ where error.code == .wrongBearer: return .wrongBearer(error)
        case (.failed, _) where error.code == .connectionFailed:
            guard MonotonicInstant.now - start >= client.timeouts.advertisement else { return .brokeOff(error) }
            var late = error
            late.code = .connectionTimedOut
            return .failed(late)
        default: return .failed(error)
        }
    }

    /// Makes bluetoothd use LE, which is possible with `--experimental`: through the device's LE interface (which is
    /// older than its Connect), otherwise through a property. Returns whether that worked: the link is up, or Connect
    /// will make one.
    private func takeLE() async throws(BluetoothError) -> Bool {
        if peripheral.properties?.hasLEBearer == true, try await connect(BlueZ.leBearer) == nil, hasLink {
            return true
        }
        return try await prefer("le")
    }

    /// Sets the bearer that bluetoothd prefers. Returns false if bluetoothd has no such setting, already prefers the
    /// bearer, or refuses.
    private func prefer(_ bearer: String) async throws(BluetoothError) -> Bool {
        guard let preferred = peripheral.properties?.preferredBearer, preferred != bearer else { return false }
        let failure: DBusError? = try await step { [client, operation, limit, peripheral] completion in
            client.call(peripheral.path, BlueZ.properties, "Set", in: .link, limit: limit, for: operation) {
                (writer) throws(DBusError) in
                try writer.append(BlueZ.device)
                try writer.append("PreferredBearer")
                try writer.append(.variant(.string(bearer)))
            } reply: {
                completion($0.failure)
            }
        }
        return failure == nil
    }

    /// Calls Connect, and returns its error or nil.
    private func connect(_ interface: String) async throws(BluetoothError) -> DBusError? {
        try await step { [client, operation, limit, peripheral] completion in
            client.call(
                .connect, of: interface, at: peripheral.path, limit: limit, for: operation, reply: completion)
        }
    }

    /// The limit of a call, which is a backstop; the operation has its own.
    private var limit: Duration { options.timeout + .seconds(60) }

    /// Calls Disconnect if bluetoothd is connecting for this program although nothing wants the link now. Otherwise, the
    /// link would come up later, and nothing would end it. If bluetoothd has refused Connect, Disconnect would end
    /// another program's attempt or link.
    private func withdraw() {
        let path = peripheral.path
        client.whenLinkCallsAreReceived(at: path) {
            [client, link, manager = peripheral.central.map(ObjectIdentifier.init)] in
            // The program may connect again by now. After the manager's release, nothing tells the link of its end.
            guard !link.isBeingMade, !link.state.isKnown || !client.isConnected(path) else { return }
            // bluetoothd knows only the program, whose other managers lose what they share with this one.
            guard !Self.isWanted(path, in: client, besides: manager) else { return link.handle(.refusal) }
            guard client.isPending(.connect, at: path) || client.isLinkOwn(path) else { return link.handle(.refusal) }
            // If there was a link when the attempt ended, bluetoothd has received the call after its end.
            link.handle(.withdrawal)
            client.disconnect(path) { error in link.handle(error == nil ? .disconnected : .refusal) }
        }
    }

    /// Whether another manager of the program makes the link to a device, or has made it.
    private static func isWanted(_ device: ObjectPath, in client: BlueZClient, besides manager: ObjectIdentifier?)
        -> Bool
    {
        client.presentObservers.contains { observer in
            guard let other = observer as? CentralManager, ObjectIdentifier(other) != manager else { return false }
            guard let link = other.existingPeripheral(at: device)?.link else { return false }
            return link.isBeingMade || link.isOurs
        }
    }

    // MARK: Waiting

    private func wait(_ time: Duration) async throws(BluetoothError) {
        try await step { over in _ = BluetoothActor.after(time) { over(()) } }
    }

    /// Waits for the operation that `begin` starts. Throws if this attempt has ended first; its result is then ignored.
    private func step<Value: Sendable>(
        _ begin: (@escaping @BluetoothActor (Value) -> Void) -> Void
    ) async throws(BluetoothError) -> Value {
        let value = await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
            guard operation.isPending else { return continuation.resume(returning: nil) }
            var waiting = Optional(continuation)
            let resume: @BluetoothActor (Value?) -> Void = { value in
                waiting?.resume(returning: value)
                waiting = nil
            }
            interrupt = { resume(nil) }
            begin { resume($0) }
        }
        interrupt = nil
        guard let value, operation.isPending else { throw .cancelled(operation.title) }
        return value
    }

    // MARK: State

    /// Whether there is a lasting link.
    private var hasLink: Bool { peripheral.isConnected && peripheral.properties?.isLinkEnding != true }

    /// Whether BR/EDR was requested or is used.
    private var isClassic: Bool {
        options.transport == .bredr || options.transport == .auto && peripheral.deviceClass != nil
    }

    private var isAdapterOn: Bool {
        peripheral.path.parent.flatMap { client.mirror.adapters[$0] }?.isPowered ?? true
    }

    /// Rewords an error if BR/EDR was requested: the device did not respond, or there is no profile to connect.
    private func classicError(_ error: BluetoothError) -> BluetoothError {
        var error = error
        let isSilent = error.bluezMessage == "br-connection-page-timeout"
        error.code = isSilent ? .connectionTimedOut : .notSupported
        error.message =
            isSilent
            ? "\(operation.title): it did not respond; is it in range and on?"
            : "\(operation.title): over BR/EDR the device and bluetoothd have no profile in common; open an RFCOMM channel"
        return error
    }

    private var powerError: BluetoothError {
        let text = "\(operation.title): the adapter is off; switch it on: bluetoothctl power on"
        return BluetoothError(.adapterOff, text)
    }

    private var timeout: BluetoothError {
        let isElsewhere = wasRefused && !wasAccepted && !client.isPending(.connect, at: peripheral.path)
        return .connectionTimedOut(peripheral, within: options.timeout, isConnectedElsewhere: isElsewhere)
    }
}

extension BluetoothError {
    /// The error of an attempt to connect whose timeout has expired.
    ///
    /// - Parameter isConnectedElsewhere: whether bluetoothd has refused to connect because it was connecting the device
    ///   for another program.
    @BluetoothActor package static func connectionTimedOut(
        _ peripheral: Peripheral, within timeout: Duration, isConnectedElsewhere: Bool
    ) -> BluetoothError {
        let (name, time) = (peripheral.displayName, timeout.roundedText)
        let text =
            isConnectedElsewhere
            ? "\(name) could not be connected within \(time): another program is connecting it; try again after that"
            : "\(name) could not be connected within \(time); is it in range and on?"
        return BluetoothError(.connectionTimedOut, text)
    }
}
