import BlueZDBus

extension InMemoryBroker.State {
    mutating func connect(_ name: String, at now: BootInstant) {
        guard isUp, let client = clients[name], !connected.contains(name) else { return }
        if let error = refused[name] {
            clients[name] = nil
            queue.append((client, .refused(error)))
            return
        }
        connected.insert(name)
        queue.append((client, .connected))
        for (topic, kept) in retained.sorted(by: { $0.key < $1.key }) {
            var stored = kept
            guard let quality = client.quality(of: kept.message.quality, for: TopicLevels(topic)) else { continue }
            stored.message.quality = quality
            stored.message.isRetained = true
            deliver(stored, to: name, at: now)
        }
    }

    mutating func publish(_ message: BrokerMessage, at now: BootInstant) {
        var stored = InMemoryBroker.Stored(message: message, published: now)
        if message.isRetained { retained[message.topic] = message.payload.isEmpty ? nil : stored }
        stored.message.isRetained = false
        let topic = TopicLevels(message.topic)
        for name in connected.sorted() {
            guard let quality = clients[name]?.quality(of: message.quality, for: topic) else { continue }
            stored.message.quality = quality
            deliver(stored, to: name, at: now)
        }
    }

    private mutating func deliver(_ stored: InMemoryBroker.Stored, to name: String, at now: BootInstant) {
        switch disposition(stored.message, name) {
        case .deliver: enqueue(stored, to: name, at: now)
        case .duplicate:
            enqueue(stored, to: name, at: now)
            enqueue(stored, to: name, at: now)
        case .hold: held.append((name, stored))
        case .drop: break
        }
    }

    /// Queues a message for a client, unless it has expired or is larger than the client accepts.
    mutating func enqueue(_ stored: InMemoryBroker.Stored, to name: String, at now: BootInstant) {
        guard let client = clients[name], connected.contains(name), stored.message.size <= GatewayLimits.packet else {
            return
        }
        var message = stored.message
        if let expiry = message.expiry {
            let passed = (now - stored.published).components.seconds
            guard passed < expiry else { return }
            message.expiry = expiry - UInt32(clamping: passed)
        }
        queue.append((client, .message(message)))
    }
}
