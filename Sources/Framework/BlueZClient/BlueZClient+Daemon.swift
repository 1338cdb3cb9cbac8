import BlueZDBus

/// The starts and stops of bluetoothd, which the bus reports.
extension BlueZClient {
    /// Called with bluetoothd's unique name, at the start and each time it changes.
    ///
    /// - Parameter hasSnapshot: whether a snapshot is already in progress.
    func ownerIs(_ newOwner: String?, hasSnapshot: Bool = false) {
        guard newOwner != owner || newOwner == nil else { return }
        let hadOwner = owner != nil
        owner = newOwner
        if newOwner != nil, case .unavailable = availability {
            availability = .unknown
            announce()
        }
        if hadOwner || newOwner == nil {
            let suggestion = hadOwner ? BluetoothError.daemonStoppedSuggestion : BluetoothError.daemonSuggestion
            lose(BluetoothError(.daemonUnavailable, BluetoothError.unavailable(suggestion)))
        }
        if newOwner != nil, !hasSnapshot { takeSnapshot() }
    }

    func takeSnapshot() {
        let generation = generation
        refresh { [weak self] error in
            guard let self, generation == self.generation, !self.availability.isReady else { return }
            self.loss?.cancel()
            self.loss = nil
            if let error {
                self.availability = .unavailable(error)
                self.announce()
                self.retryLater { $0.takeSnapshot() }
            } else {
                self.retries = 0
                self.availability = .ready
                for observer in self.presentObservers { observer.releaseGone() }
                for registration in self.registrations { registration.daemonStarted() }
                self.announce()
            }
        }
    }

    /// Ends everything that depended on this instance of bluetoothd or on the connection to the bus.
    func lose(_ error: BluetoothError) {
        generation += 1
        if connection == nil { owner = nil }
        retry?.cancel()
        retry = nil
        noteLoss(error)
        let devices = mirror.devices.filter(\.value.isConnected).map(\.key)
        mirror.removeAll()
        channels.removeAll()
        for registration in registrations { registration.daemonEnded() }
        let waiters = servicesWaiters
        servicesWaiters = [:]
        for waiter in waiters.values.joined() { waiter(error) }
        let discoveries = discoveries
        self.discoveries = [:]
        for discovery in discoveries.values { discovery.end(error) }
        for monitor in monitors.values { monitor.fail(error) }
        for observer in presentObservers { observer.clientWasLost(devices, error) }
        announce()
    }

    /// Notes a loss, which counts as temporary at first, because bluetoothd is usually back within a moment.
    private func noteLoss(_ error: BluetoothError) {
        if availability.isReady {
            loss?.cancel()
            loss = BluetoothActor.after(timeouts.loss) { [weak self] in
                guard let self, case .lost(let error) = self.availability else { return }
                self.availability = .unavailable(error)
                self.announce()
            }
            availability = .lost(error)
        } else {
            availability = availability.isLost ? .lost(error) : .unavailable(error)
        }
    }

    func announce() {
        for observer in presentObservers { observer.updateState() }
    }
}

extension BlueZClient.Availability {
    package var isReady: Bool { if case .ready = self { true } else { false } }
    var isLost: Bool { if case .lost = self { true } else { false } }
}
