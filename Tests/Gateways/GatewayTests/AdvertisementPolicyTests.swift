import BlueZDBus
import BlueZValues
import FoundationEssentials
import GatewayProtocol
import Testing

@testable import Gateway

@Suite("Which advertisements are published")
struct AdvertisementPolicyTests {
    private let instance = Identifier.random()

    private func advertisement(_ byte: UInt8 = 0, rssi: Int = -60, device: String = "BC:6A:29:00:00:01")
        -> GatewayAdvertisement
    {
        var data = AdvertisementData()
        data.manufacturerData = [0x0499: Data([byte])]
        return GatewayAdvertisement(
            instance: instance, device: BluetoothAddress(device)!, kind: .public, rssi: rssi, data: data)
    }

    private func time(_ milliseconds: Int64) -> BootInstant { BootInstant(nanoseconds: milliseconds * 1_000_000) }

    private func policy(rate: Int = 100) -> AdvertisementPolicy {
        var configuration = GatewayConfiguration(name: GatewayName("kitchen")!, stateFile: "")
        configuration.advertisementRate = rate
        return AdvertisementPolicy(configuration, now: time(0))
    }

    /// When each advertisement is published, if the gateway looks every 100 ms.
    private func publications(
        _ heard: [(Int64, GatewayAdvertisement)], until end: Int64, rate: Int = 100
    ) -> [(Int64, GatewayAdvertisement)] {
        var policy = policy(rate: rate)
        var result: [(Int64, GatewayAdvertisement)] = []
        for now in stride(from: Int64(0), through: end, by: 100) {
            for (_, advertisement) in heard.filter({ $0.0 == now }) { policy.hear(advertisement, at: time(now)) }
            for advertisement in policy.take(at: time(now)) { result.append((now, advertisement)) }
        }
        return result
    }

    @Test("What does not change is published every ten seconds, if it is still heard")
    func repetition() {
        let heard = (0...250).map { (Int64($0 * 100), advertisement()) }
        #expect(publications(heard, until: 60_000).map(\.0) == [0, 10_000, 20_000])
    }

    @Test("Changed data is published once a second at most, and the newest is never lost")
    func changes() {
        let heard = (0...5).map { (Int64($0 * 200), advertisement(UInt8($0))) }
        let published = publications(heard, until: 20_000)
        #expect(published.map(\.0) == [0, 1000])
        #expect(published.last?.1 == advertisement(5))
        let burst = publications([(0, advertisement(0)), (100, advertisement(1))], until: 20_000)
        #expect(burst.map(\.0) == [0, 1000])
        #expect(burst.last?.1 == advertisement(1))
    }

    @Test("The signal strength is a change from 8 dB on", arguments: [(-67, 1), (-68, 2), (-53, 1), (-52, 2)])
    func rssi(rssi: Int, count: Int) {
        let heard = [(Int64(0), advertisement()), (Int64(2000), advertisement(rssi: rssi))]
        #expect(publications(heard, until: 5000).count == count)
    }

    @Test("A crowd is published at the rate that is allowed, each device once")
    func crowd() {
        let heard = (0..<300).map { number in
            (Int64(0), advertisement(device: "BC:6A:29:00:0\(number / 100):\(number % 100 + 100)".droppingDigit))
        }
        let published = publications(heard, until: 10_000, rate: 50)
        #expect(Set(published.map(\.1.device)).count == published.count)
        #expect(published.count == Set(heard.map(\.1.device)).count)
        #expect(published.filter { $0.0 == 0 }.count == 50)
        #expect(published.filter { $0.0 <= 1000 }.count <= 101)
    }

    @Test("After a request for it, what is heard next is published at once, and what is not heard is not")
    func heardAgain() {
        var policy = policy()
        policy.hear(advertisement(), at: time(0))
        #expect(policy.take(at: time(0)).count == 1)
        policy.forgetPublished(at: time(500))
        #expect(policy.take(at: time(500)) == [])
        policy.hear(advertisement(), at: time(600))
        #expect(policy.take(at: time(600)).count == 1)
    }
}

extension String {
    /// "100" to "199" as two digits.
    fileprivate var droppingDigit: String {
        let parts = split(separator: ":")
        return parts.dropLast().joined(separator: ":") + ":" + parts.last!.suffix(2)
    }
}
