import BlueZClient
import BlueZDBus
import BlueZPrintableText
import CoreBlueZ

/// One `openRFCOMMChannel`. bluetoothd makes the link, queries the device's services, connects the channel, passes it
/// on with NewConnection, and finally replies to ConnectProfile.
@BluetoothActor final class RFCOMMOpening {
    let peripheral: Peripheral
    private let uuid: BluetoothUUID
    private let client: BlueZClient
    private let operation: Operation<RFCOMMChannel>
    private let options: ConnectOptions
    private var channel: RFCOMMChannel?
    private var hasReply = false
    private var retriesLeft: Int
    /// Whether bluetoothd has just refused because the device is being connected.
    private var isConnectedElsewhere = false

    /// How long to wait for the channel after the reply to ConnectProfile.
    private static let channelWait = Duration.seconds(1)

    init(
        _ uuid: BluetoothUUID, _ peripheral: Peripheral, _ client: BlueZClient, _ operation: Operation<RFCOMMChannel>,
        _ options: ConnectOptions
    ) {
        self.uuid = uuid
        self.peripheral = peripheral
        self.client = client
        self.operation = operation
        self.options = options
        retriesLeft = max(0, options.retries)
    }

    func begin() {
        guard operation.isPending else { return }
        guard let registration = client.profiles.registration(of: RFCOMMProfile(uuid)) else {
            return fail(peripheral.goneError)
        }
        let device = peripheral.path
        guard registration.profile.role != .server else {
            let text = "\(operation.title): this program has registered the profile as a server only; use the role both"
            return fail(BluetoothError(.notSupported, text))
        }
        guard !registration.isBusy(with: device) else {
            let text = "\(operation.title): there is one already, or it is being opened"
            return fail(BluetoothError(.busy, text))
        }
        registration.begin(self, to: device)
        operation.whenEnded { [self] error in
            if error != nil { channel?.close() }
            registration.end(self, to: device)
        }
        // Only the operation and its registration retain this object, because an opening that has ended must not wait
        // for replies that may never arrive.
        let timer = BluetoothActor.after(options.timeout) { [weak self] in
            guard let self else { return }
            fail(
                .connectionTimedOut(
                    peripheral, within: options.timeout, isConnectedElsewhere: isConnectedElsewhere))
        }
        operation.whenEnded { _ in timer.cancel() }
        registration.ensure { [weak self] error in
            guard let self, self.operation.isPending else { return }
            if let error { fail(error) } else { pauseScan() }
        }
    }

    func fail(_ error: BluetoothError) { operation.fail(error) }

    private func pauseScan() {
        guard options.pausesScan, let adapter = peripheral.path.parent else { return connect() }
        let discovery = client.discovery(on: adapter)
        operation.whenEnded { _ in discovery.resume() }
        discovery.pause { [weak self] in self?.connect() }
    }

    private func connect() {
        guard operation.isPending else { return }
        hasReply = false
        isConnectedElsewhere = false
        client.call(
            peripheral.path, BlueZ.device, "ConnectProfile", in: .link, limit: options.timeout + .seconds(60),
            for: operation
        ) { [uuid] (writer) throws(DBusError) in
            try writer.append(uuid.fullString)
        } reply: { [weak self] result in
            guard let self, self.operation.isPending else { return }
            switch result {
            case .success: replied()
            case .failure(let error): refused(error)
            }
        }
    }

    /// Called when bluetoothd has passed on a channel.
    func receive(_ channel: RFCOMMChannel) {
        self.channel?.close()
        self.channel = channel
        if hasReply { operation.succeed(channel) }
    }

    /// Handles success, which bluetoothd also reports without a channel until it has noticed the end of an earlier one
    /// (src/profile.c: ext_connect_dev).
    private func replied() {
        hasReply = true
        if let channel { return operation.succeed(channel) }
        after(Self.channelWait) { opening in
            if opening.channel == nil { opening.connect() }
        }
    }

    private func refused(_ error: DBusError) {
        let reason = BluetoothError(error, in: .connect, operation.title)
        isConnectedElsewhere = error.bluezName == .inProgress
        switch error.bluezName {
        case .inProgress: after(.milliseconds(500)) { $0.connect() }
        case .notAvailable, .profileUnavailable:
            let text = "\(operation.title): the device does not offer the service"
            fail(BluetoothError(.notSupported, text, from: error))
        case .failed where reason.code == .connectionFailed && retriesLeft > 0:
            retriesLeft -= 1
            after(.milliseconds(300)) { $0.connect() }
        default: fail(Self.plain(reason, error))
        }
    }

    /// Replaces `wrongBearer`, which is an error only for LE.
    private static func plain(_ reason: BluetoothError, _ error: DBusError) -> BluetoothError {
        guard reason.code == .wrongBearer else { return reason }
        return BluetoothError(.connectionTimedOut, "The device did not respond; is it in range and on?", from: error)
    }

    private func after(_ time: Duration, _ body: @escaping @BluetoothActor (RFCOMMOpening) -> Void) {
        _ = BluetoothActor.after(time) { [weak self] in
            if let self, self.operation.isPending { body(self) }
        }
    }
}
