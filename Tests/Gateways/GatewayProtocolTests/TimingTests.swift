import BlueZDBus
import BlueZValues
import Testing

@testable import GatewayProtocol

@Suite("Deadlines, limits and leases")
struct TimingTests {
    @Test("A deadline lies at or before the intended one, whatever the delays and however the clocks differ")
    func deadlines() throws {
        // The gateway's clock shows 5 s when the client's shows 900 s.
        for delay: Int64 in [0, 1, 30, 1500] {
            var clock = GatewayClock()
            clock.update(now: 5000, receivedAt: Sample.time(900_000 + delay))
            for later: Int64 in [0, 10, 3000] {
                let sent = 900_000 + delay + later
                let notAfter = try #require(clock.notAfter(timeout: .milliseconds(2000), at: Sample.time(sent)))
                let intended = UInt64(5000 + delay + later + 2000)
                #expect(notAfter <= intended)
                #expect(notAfter == intended - UInt64(delay))
            }
        }
    }

    @Test("Without a reading there is no deadline, and older readings change nothing")
    func readings() {
        var clock = GatewayClock()
        #expect(clock.notAfter(timeout: .seconds(1), at: Sample.time(0)) == nil)
        #expect(clock.age(at: Sample.time(0)) == nil)
        clock.update(now: 5000, receivedAt: Sample.time(1000))
        let known = clock
        clock.update(now: 5000, receivedAt: Sample.time(2000))
        clock.update(now: 4000, receivedAt: Sample.time(2000))
        #expect(clock == known)
        #expect(clock.age(at: Sample.time(3500)) == .milliseconds(2500))
        clock.update(now: .max, receivedAt: Sample.time(4000))
        _ = clock.notAfter(timeout: .seconds(Int64.max), at: Sample.time(5000))
    }

    @Test(
        "The expiry of a message is in whole seconds, rounded up, and at least one",
        arguments: [(0, 1), (1, 1), (999, 1), (1000, 1), (1001, 2), (-5, 1), (60_000, 60)] as [(Int64, UInt32)])
    func expiry(milliseconds: Int64, seconds: UInt32) {
        #expect(Duration.milliseconds(milliseconds).expirySeconds == seconds)
    }

    @Test("A bucket allows a burst, then its rate")
    func bucket() {
        var bucket = TokenBucket(rate: 10, burst: 3, now: Sample.time(0))
        func take(_ count: Int, at milliseconds: Int64) -> [Bool] {
            (0..<count).map { _ in bucket.take(at: Sample.time(milliseconds)) }
        }
        #expect(take(5, at: 0) == [true, true, true, false, false])
        #expect(take(1, at: 99) == [false])
        #expect(take(2, at: 101) == [true, false])
        // Time that goes back, and a long pause.
        #expect(take(1, at: 50) == [false])
        #expect(take(4, at: 1_000_000) == [true, true, true, false])
    }

    @Test("A request is admitted once; then its response is known until a minute after its deadline")
    func ledger() {
        var ledger = RequestLedger(limit: 4, bytes: 200)
        let key = RequestLedger.Key(client: Sample.client, id: Sample.id)
        #expect(ledger.knows(key) == nil)
        #expect(ledger.admit(key, notAfter: Sample.time(1000), at: Sample.time(1000)) == true)
        #expect(ledger.admit(key, notAfter: Sample.time(1000), at: Sample.time(1000)) == false)
        #expect(ledger.knows(key) == .underWay)
        ledger.complete(key, response: [1])
        ledger.complete(key, response: [2])
        #expect(ledger.knows(key) == .completed([1]))
        #expect(ledger.knows(RequestLedger.Key(client: Sample.other, id: Sample.id)) == nil)
        ledger.prune(at: Sample.time(61_000))
        #expect(ledger.knows(key) == .completed([1]))
        ledger.prune(at: Sample.time(61_001))
        #expect(ledger.count == 0)
        #expect(ledger.admit(key, notAfter: Sample.time(1000), at: Sample.time(1001)) == false)
    }

    @Test("A full ledger admits nothing until a deadline has passed")
    func fullLedger() {
        var ledger = RequestLedger(limit: 4, bytes: 200)
        let keys = (0..<4).map { _ in RequestLedger.Key(client: Sample.client, id: .random()) }
        #expect(ledger.admit(keys[0], notAfter: Sample.time(1000), at: Sample.time(0)) == true)
        #expect(ledger.admit(keys[1], notAfter: Sample.time(9000), at: Sample.time(0)) == true)
        #expect(ledger.admit(keys[2], notAfter: Sample.time(9000), at: Sample.time(500)) == false)
        #expect(ledger.admit(keys[2], notAfter: Sample.time(9000), at: Sample.time(2000)) == true)
        var small = RequestLedger(limit: 20, bytes: 200)
        #expect(small.admit(keys[0], notAfter: Sample.time(1000), at: Sample.time(0)) == true)
        small.complete(keys[0], response: .init(repeating: 0, count: 100))
        #expect(small.admit(keys[1], notAfter: Sample.time(1000), at: Sample.time(0)) == false)
        // Another user has space.
        let other = RequestLedger.Key(client: Sample.other, id: .random())
        #expect(small.admit(other, notAfter: Sample.time(1000), at: Sample.time(0)) == true)
    }

    @Test("Each has a fair share of a limit: one alone half of it, two a third each, and returned parts count again")
    func shares() {
        var share = FairShare<Int>(limit: 120)
        func fill(_ key: Int) -> Int {
            while share.take(for: key) {}
            return share.part(of: key)
        }
        #expect(fill(1) == 60)
        #expect(fill(2) == 30)
        #expect(fill(3) == 15)
        share.giveBack(60, for: 1)
        #expect(share.part(of: 1) == 0)
        #expect(fill(2) == 53)
        #expect(!share.hasRoom(53, for: 4))
        #expect(share.hasRoom(52, for: 4))
        #expect(share.used == 68)
    }

    @Test("A device has one client until its lease ends")
    func leases() {
        var table = LeaseTable()
        let grant = { (table: inout LeaseTable, device: BluetoothAddress, client: GatewayName, link: UInt64) in
            table.grant(device, to: client, link: link, duration: .seconds(15), slots: 2, at: Sample.time(0))
        }
        guard case .granted = grant(&table, Sample.device, Sample.client, 1) else { return #expect(Bool(false)) }
        #expect(grant(&table, Sample.device, Sample.other, 2) == .leased(to: Sample.client))
        guard case .granted(let again) = grant(&table, Sample.device, Sample.client, 3) else {
            return #expect(Bool(false))
        }
        #expect(again.link == 3)
        let old = LinkReference(device: Sample.device, link: 1)
        let new = LinkReference(device: Sample.device, link: 3)
        #expect(table.lease(old, of: Sample.client, at: Sample.time(1)) == nil)
        #expect(table.lease(new, of: Sample.other, at: Sample.time(1)) == nil)
        #expect(table.lease(new, of: Sample.client, at: Sample.time(14_999)) != nil)
        #expect(table.lease(new, of: Sample.client, at: Sample.time(15_000)) == nil)
        guard case .granted = grant(&table, Sample.second, Sample.other, 4) else { return #expect(Bool(false)) }
        let third = BluetoothAddress("00:00:00:00:00:01")!
        #expect(grant(&table, third, Sample.client, 5) == .full)
        #expect(table.expire(at: Sample.time(14_999)) == [])
        #expect(table.expire(at: Sample.time(15_000)).count == 2)
        #expect(table.nextExpiry == nil)
    }

    @Test("Renewing extends what it names, leaves the rest, and revives nothing")
    func renewal() {
        var table = LeaseTable()
        for (device, link) in [(Sample.device, 1), (Sample.second, 2)] as [(BluetoothAddress, UInt64)] {
            _ = table.grant(
                device, to: Sample.client, link: link, duration: .seconds(15), slots: 5, at: Sample.time(0))
        }
        let first = LinkReference(device: Sample.device, link: 1)
        let second = LinkReference(device: Sample.second, link: 2)
        let wrong = LinkReference(device: Sample.second, link: 9)
        let kept = table.renew([first, wrong], of: Sample.client, duration: .seconds(15), at: Sample.time(5000))
        #expect(kept.map(\.device) == [Sample.device])
        #expect(table[Sample.device]?.expiry == Sample.time(20_000))
        #expect(table[Sample.second]?.expiry == Sample.time(15_000))
        #expect(table.renew([second], of: Sample.other, duration: .seconds(15), at: Sample.time(5000)) == [])
        #expect(table.renew([second], of: Sample.client, duration: .seconds(15), at: Sample.time(15_000)) == [])
        #expect(table.nextExpiry == Sample.time(15_000))
    }

    @Test("An unclaimed lease of an earlier start can be claimed by its client only")
    func unclaimed() {
        let lease = LeaseTable.Lease(
            device: Sample.device, client: Sample.client, link: nil, expiry: Sample.time(15_000))
        var table = LeaseTable([lease])
        let refused = table.grant(
            Sample.device, to: Sample.other, link: 1, duration: .seconds(15), slots: 5, at: Sample.time(0))
        #expect(refused == .leased(to: Sample.client))
        guard
            case .granted(let claimed) = table.grant(
                Sample.device, to: Sample.client, link: 1, duration: .seconds(15), slots: 5, at: Sample.time(1))
        else { return #expect(Bool(false)) }
        #expect(claimed.link == 1)
    }
}
