import CoreBlueZ
import FoundationEssentials

/// One attempt to open a serial service. It discovers, subscribes, and only then prepares for writing.
@BluetoothActor final class SerialOpening: Cancellable {
    /// Retained until the attempt has ended, because this may be the only reference.
    private let service: SerialService
    /// The characteristics that carry the bytes, once they are found.
    private(set) var roles: SerialRoles?
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
        guard let completion = self.completion.take() else { return }
        notifications?.close()
        // Otherwise the attempt was refused, and the subscriptions belong to another one.
        if service.isOpening(by: self) {
            for characteristic in [roles?.notify, events] where characteristic?.isNotifying == true {
                characteristic?.setNotifyValue(false) { _ in }
            }
        }
        completion(.failure(error))
    }

    private func succeed(_ channel: SerialChannel) {
        guard let completion = self.completion.take() else { return channel.close() }
        completion(.success(channel))
    }

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
            switch service.profile.roles(on: peripheral) {
            case .success(let roles):
                self.roles = roles
                subscribe(roles)
            case .failure(let mismatch):
                let profile = service.profile.name
                fail(
                    BluetoothError(
                        .profileNotRecognized,
                        "\(service.title) does not have the profile \(profile): \(mismatch.reason)"))
            }
        }
    }

    private func subscribe(_ roles: SerialRoles) {
        guard completion != nil else { return }
        let notify = roles.notify
        guard options.reading == .acquired, notify.properties.contains(.notify) else {
            return subscribeBySignals(roles)
        }
        notify.acquireNotify { [weak service] in
            service?.receive($0)
        } ended: { [weak service] error in
            if let error { service?.end(error) }
        } completion: { [self] notifications, error in
            if let notifications {
                guard completion != nil else { return notifications.close() }
                self.notifications = notifications
                subscribeToEvents(roles)
            } else if let error, [.disconnected, .notConnected, .cancelled].contains(error.code) {
                fail(error)
            } else {
                // Usually another program has subscribed, or bluetoothd has no sockets.
                subscribeBySignals(roles)
            }
        }
    }

    private func subscribeBySignals(_ roles: SerialRoles) {
        guard completion != nil else { return }
        let subscribed: @BluetoothActor (BluetoothError?) -> Void = { [self] error in
            if let error { return fail(error) }
            guard completion != nil else { return leave(roles.notify) }
            subscribeToEvents(roles)
        }
        if roles.notify.service === service { return roles.notify.setNotifyValue(true, completion: subscribed) }
        // Another service gets its notifications.
        let receive: Characteristic.ValueHandler = { [weak service] value, error in
            if let error { service?.end(error) } else if let value { service?.receive(value) }
        }
        roles.notify.startNotifying(receive, completion: subscribed)
    }

    private func subscribeToEvents(_ roles: SerialRoles) {
        guard let events, events.isDiscovered else { return prepareWriting(roles) }
        events.setNotifyValue(true) { [self] error in
            if let error { service.eventHandler?(nil, error) }
            prepareWriting(roles)
        }
    }

    /// Ends a subscription that was made too late, unless the next opening uses it.
    private func leave(_ characteristic: Characteristic) {
        if service.isClosed { characteristic.setNotifyValue(false) { _ in } }
    }

    private func prepareWriting(_ roles: SerialRoles) {
        guard completion != nil else { return }
        let write = roles.write
        let writing =
            options.writing
            ?? (write.properties.contains(.write) ? .requests : .commands(interval: SerialOptions.commandInterval))
        guard writing == .acquired else { return finish(roles, writing, nil) }
        write.acquireWrite { [weak service] error in
            if let error { service?.end(error) }
        } completion: { [self] writer, error in
            guard let writer else { return fail(error ?? .closed("a peripheral")) }
            finish(roles, writing, writer)
        }
    }

    private func finish(_ roles: SerialRoles, _ writing: SerialOptions.Writing, _ writer: AcquiredWriter?) {
        guard completion != nil else { return writer?.close() ?? () }
        let write = roles.write
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
        succeed(SerialChannel(output, roles.notify, events, notifications, writer))
    }
}

/// The state of an open serial service.
@BluetoothActor final class SerialChannel {
    let output: SerialOutput
    let notify: Characteristic
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
