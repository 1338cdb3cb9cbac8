import BlueZDBus

/// The connection to the bus: how it is made, lost, and made again.
extension BlueZClient {
    func connect() {
        retry = nil
        do throws(DBusError) {
            let connection = try Connection(to: address.server, loop: BluetoothActor.loop)
            self.connection = connection
            if log.logLevel <= .trace {
                connection.trafficHandler = { log.trace("\(BusTrace.line($0))") }
            }
            connection.signalHandler = { [weak self] message in self?.receive(message) }
            connection.disconnectHandler = { [weak self] error in self?.loseBus(error) }
            connection.hello(timeout: timeouts.bus) { [weak self, weak connection] result in
                guard let self, let connection, connection === self.connection else { return }
                switch result {
                case .success: self.channels.restoreRule()
                case .failure(let error): self.loseBus(error)
                }
            }
            BluetoothActor.perform { [weak self, weak connection] in
                if let self, let connection, connection === self.connection { self.introduce() }
            }
        } catch {
            loseBus(error)
        }
    }

    /// Adds the rules, and then requests the objects. The rules come first, so that every later signal is received,
    /// before or after the snapshot. Nothing waits for a reply, because a bus handles one message after another and
    /// replies in that order, as does bluetoothd.
    private func introduce() {
        guard let connection else { return }
        for rule in BlueZ.matchRules {
            connection.addMatch(rule, timeout: timeouts.bus) { [weak self, weak connection] error in
                guard let self, let error, let connection, connection === self.connection else { return }
                // The loss of the bus is reported separately.
                guard error.name != DBusError.Name.disconnected else { return }
                // Without the rule, the mirror would miss changes. No mirror is better than a wrong one.
                log.error("The bus refused a match rule", metadata: ["rule": "\(rule)", "error": "\(error)"])
                self.loseBus(error, suggestion: BluetoothError.rulesSuggestion)
            }
        }
        connection.getNameOwner(BlueZ.service, timeout: timeouts.bus) { [weak self, weak connection] result in
            guard let self, let connection, connection === self.connection else { return }
            switch result {
            case .success(let owner): self.ownerIs(owner, hasSnapshot: true)
            case .failure(let error): self.loseBus(error)
            }
        }
        takeSnapshot()
    }

    func loseBus(_ error: DBusError, suggestion: String? = nil) {
        // This comes first, because calls in progress end with the connection, and must not count as a second loss.
        let lost = connection.take()
        generation += 1
        lost?.close()
        let isDenied = error.name == DBusError.Name.authenticationFailed || error.name == DBusError.Name.accessDenied
        let busSuggestion =
            suggestion ?? (owner == nil ? BluetoothError.busSuggestion : BluetoothError.busLostSuggestion)
        let reason = BluetoothError(
            isDenied ? .accessDenied : .busUnavailable,
            BluetoothError.unavailable(isDenied ? BluetoothError.accessSuggestion : busSuggestion), from: error
        )
        // An invalid address stays invalid.
        guard error.name != DBusError.Name.notSupported else {
            return lose(BluetoothError(.busUnavailable, BluetoothError.unavailable(error.message)))
        }
        lose(reason)
        retryLater { $0.connect() }
    }

    func retryLater(_ body: @escaping @BluetoothActor (BlueZClient) -> Void) {
        retry?.cancel()
        let delay = Duration.delay(beforeAttempt: retries, first: timeouts.retry, longest: .seconds(30))
        retry = BluetoothActor.after(delay) { [weak self] in
            guard let self else { return }
            self.retry = nil
            body(self)
        }
        retries += 1
    }
}
