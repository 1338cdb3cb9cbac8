import CoreBlueZ
import FoundationEssentials

/// One attempt to open a serial service. It discovers, subscribes, and only then prepares for writing.
@BluetoothActor final class SerialOpening: Cancellable {
    /// Retained until the attempt has ended, because this may be the only reference.
    private let service: SerialService
    private let options: SerialOptions
    private var completion: (@BluetoothActor (Result<SerialChannel, BluetoothError>) -> Void)?
    private var notifications: AcquiredNotifications?
    /// Whether received bytes can belong to this opening.
    private(set) var hasBegun = false

    init(
        _ service: SerialService,
        _ options: SerialOptions,
        completion: @escaping @BluetoothActor (Result<SerialChannel, BluetoothError>) -> Void
    ) {
        self.service = service
        self.options = options
        self.completion = completion
    }

    func fail(_ error: BluetoothError) {
        guard let completion else { return }
        self.completion = nil
        notifications?.close()
        // Otherwise the attempt was refused, and the subscriptions belong to another one.
        if service.isOpening(by: self) {
            for characteristic in [notify, events] where characteristic?.isNotifying == true {
                characteristic?.setNotifyValue(false) { _ in }
            }
        }
        completion(.failure(error))
    }

    private func succeed(_ channel: SerialChannel) {
        guard let completion else { return channel.close() }
        self.completion = nil
        completion(.success(channel))
    }

    private var write: Characteristic { service.characteristic(service.profile.write) }
    private var notify: Characteristic { service.characteristic(service.profile.notify) }
    private var events: Characteristic? { service.profile.events.flatMap { service[$0] } }

    // MARK: Steps

    func begin() {
        hasBegun = true
        guard let peripheral = service.peripheral else {
            let advice = "keep its central manager, or its finder, for as long as you use the port"
            return fail(BluetoothError(.notConnected, "The serial port's peripheral is gone; \(advice)"))
        }
        peripheral.discoverServices { [self] _, error in
            if let error { return fail(error) }
            guard service.profile.isOffered(by: peripheral) else {
                return fail(
                    BluetoothError(
                        .profileNotRecognized, "\(service.title) does not have the profile \(service.profile.name)"))
            }
            subscribe()
        }
    }

    private func subscribe() {
        guard completion != nil else { return }
        guard options.reading == .acquired, notify.properties.contains(.notify) else { return subscribeBySignals() }
        notify.acquireNotify { [weak service] in
            service?.receive($0)
        } ended: { [weak service] error in
            if let error { service?.end(error) }
        } completion: { [self] notifications, error in
            if let notifications {
                guard completion != nil else { return notifications.close() }
                self.notifications = notifications
                subscribeToEvents()
            } else if let error, [.disconnected, .notConnected, .cancelled].contains(error.code) {
                fail(error)
            } else {
                // Usually another program has subscribed, or bluetoothd has no sockets.
                subscribeBySignals()
            }
        }
    }

    private func subscribeBySignals() {
        guard completion != nil else { return }
        notify.setNotifyValue(true) { [self] error in
            if let error { return fail(error) }
            guard completion != nil else { return leave(notify) }
            subscribeToEvents()
        }
    }

    private func subscribeToEvents() {
        guard let events, events.isDiscovered else { return prepareWriting() }
        events.setNotifyValue(true) { [self] error in
            if let error { service.eventHandler?(nil, error) }
            prepareWriting()
        }
    }

    /// Ends a subscription that was made too late, unless the next opening uses it.
    private func leave(_ characteristic: Characteristic) {
        if service.isClosed { characteristic.setNotifyValue(false) { _ in } }
    }

    private func prepareWriting() {
        guard completion != nil else { return }
        let writing =
            options.writing
            ?? (write.properties.contains(.write) ? .requests : .commands(interval: SerialOptions.commandInterval))
        guard writing == .acquired else { return finish(writing, nil) }
        write.acquireWrite { [weak service] error in
            if let error { service?.end(error) }
        } completion: { [self] writer, error in
            guard let writer else { return fail(error ?? .closed("a peripheral")) }
            finish(writing, writer)
        }
    }

    private func finish(_ writing: SerialOptions.Writing, _ writer: AcquiredWriter?) {
        guard completion != nil else { return writer?.close() ?? () }
        var manner = SerialOutput.Manner()
        manner.unconfirmedLimit = options.unconfirmedLimit
        manner.highWaterMark = options.highWaterMark
        manner.isConfirmed = writing == .requests
        var type = CharacteristicWriteType.withoutResponse
        switch writing {
        case .requests: type = .withResponse
        case .commands(let interval): manner.interval = interval
        case .acquired: manner.window = 16
        }
        let packetSize = service.profile.packetSize ?? 512
        let output = SerialOutput(manner) { [write, weak writer] in
            let link = writer?.maximumWriteValueLength ?? write.maximumWriteValueLength(for: .withoutResponse)
            return min(packetSize, link)
        } write: { [write] fragment, completion in
            if let writer {
                writer.write(fragment, completion: completion)
            } else {
                write.writeValue(fragment, type: type, completion: completion)
            }
        }
        succeed(SerialChannel(output, notify, events, notifications, writer))
    }
}

/// The state of an open serial service.
@BluetoothActor final class SerialChannel {
    let output: SerialOutput
    private let notify: Characteristic
    private let events: Characteristic?
    private let notifications: AcquiredNotifications?
    private let writer: AcquiredWriter?

    init(
        _ output: SerialOutput, _ notify: Characteristic, _ events: Characteristic?,
        _ notifications: AcquiredNotifications?, _ writer: AcquiredWriter?
    ) {
        self.output = output
        self.notify = notify
        self.events = events
        self.notifications = notifications
        self.writer = writer
    }

    /// Delivers the bytes that have already arrived on this machine.
    func deliverRest() {
        notifications?.deliverRest()
    }

    func close() {
        writer?.close()
        notifications?.close()
        for characteristic in [notify, events] where characteristic?.isNotifying == true {
            characteristic?.setNotifyValue(false) { _ in }
        }
    }
}
