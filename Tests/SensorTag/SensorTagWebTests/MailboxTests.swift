import Testing

@testable import sensortag_web

@Suite("Each browser has a mailbox with a bound") struct MailboxTests {
    @Test("Readings come in their order, once") func order() throws {
        let mailbox = Mailbox(capacity: 10)
        for number in 0..<10 { mailbox.put(reading: "\(number)") }
        #expect(mailbox.fetch() == Mailbox.Contents(readings: (0..<10).map(String.init)))
        #expect(mailbox.fetch() == Mailbox.Contents())
    }

    @Test("A slow browser gets the newest readings and the number of those it missed", arguments: [11, 15, 20, 1003])
    func overflow(_ count: Int) throws {
        let mailbox = Mailbox(capacity: 10)
        for number in 0..<count { mailbox.put(reading: "\(number)") }
        let contents = try #require(mailbox.fetch())
        #expect(contents.readings == (count - 10..<count).map(String.init))
        #expect(contents.skipped == count - 10)
        mailbox.put(reading: "next")
        #expect(mailbox.fetch() == Mailbox.Contents(readings: ["next"]))
    }

    @Test("Many readings come in pieces") func pieces() {
        let mailbox = Mailbox(capacity: 1000)
        for number in 0..<600 { mailbox.put(reading: "\(number)") }
        var pieces: [[String]] = []
        while let readings = mailbox.fetch()?.readings, !readings.isEmpty { pieces.append(readings) }
        #expect(pieces.map(\.count) == [Mailbox.piece, Mailbox.piece, 600 - 2 * Mailbox.piece])
        #expect(pieces.flatMap(\.self) == (0..<600).map(String.init))
    }

    @Test("Only the newest state waits") func snapshot() {
        let mailbox = Mailbox(capacity: 1)
        mailbox.put(snapshot: "old")
        mailbox.put(snapshot: "new")
        #expect(mailbox.fetch() == Mailbox.Contents(snapshot: "new"))
    }

    @Test("A waiting task is woken by a reading, by the end, and by its own cancellation") func waking() async {
        let mailbox = Mailbox(capacity: 1)
        async let woken: Void = mailbox.wait(atMost: .seconds(60))
        mailbox.put(reading: "1")
        await woken
        #expect(mailbox.fetch()?.readings == ["1"])

        let cancelled = Task { await mailbox.wait(atMost: .seconds(60)) }
        cancelled.cancel()
        await cancelled.value

        async let ended: Void = mailbox.wait(atMost: .seconds(60))
        mailbox.close()
        await ended
        #expect(mailbox.fetch() == nil)
    }

    @Test("Waiting ends after its time") func time() async {
        let mailbox = Mailbox(capacity: 1)
        await mailbox.wait(atMost: .milliseconds(10))
        #expect(mailbox.fetch() == Mailbox.Contents())
    }

    @Test("One slow browser takes nothing from another") func independence() throws {
        let hub = EventHub()
        let slow = try #require(hub.subscribe(capacity: 2))
        let quick = try #require(hub.subscribe(capacity: 100))
        for number in 0..<50 { hub.send(reading: "\(number)") }
        #expect(slow.fetch()?.readings == ["48", "49"])
        #expect(quick.fetch()?.readings == (0..<50).map(String.init))
    }

    @Test("A browser that comes later gets the present state at once") func late() throws {
        let hub = EventHub()
        hub.send(snapshot: "state")
        let mailbox = try #require(hub.subscribe())
        #expect(mailbox.fetch()?.snapshot == "state")
    }

    @Test("There is a limit of browsers, and room again when one leaves") func limit() throws {
        let hub = EventHub()
        let mailboxes = try (0..<EventHub.limit).map { _ in try #require(hub.subscribe(isOwner: true)) }
        #expect(hub.subscribe(isOwner: true) == nil)
        hub.unsubscribe(mailboxes[0])
        #expect(hub.subscribe(isOwner: true) != nil)
    }

    @Test("Some places are kept for the owner") func reserve() throws {
        let hub = EventHub()
        let visitors = (0..<EventHub.limit).compactMap { _ in hub.subscribe() }
        #expect(visitors.count == EventHub.limit - EventHub.reserve)
        let owners = (0..<EventHub.limit).compactMap { _ in hub.subscribe(isOwner: true) }
        #expect(owners.count == EventHub.reserve)
        hub.unsubscribe(visitors[0])
        #expect(hub.subscribe(isOwner: true) != nil, "the owner may have all places")
    }

    @Test("The stream gives its mailbox back when nobody reads it any longer") func vanished() async throws {
        let hub = EventHub()
        do {
            let events = EventStream(try #require(hub.subscribe()), of: hub)
            let first = try #require(try await events.next())
            #expect(first.hasPrefix("event: state\ndata: {"))
            #expect(hub.count == 1)
        }
        #expect(hub.count == 0)
    }

    @Test("The stream ends with the hub") func end() async throws {
        let hub = EventHub()
        let events = EventStream(try #require(hub.subscribe()), of: hub)
        _ = try await events.next()
        hub.close()
        #expect(try await events.next() == nil)
        #expect(hub.subscribe() == nil)
    }
}
