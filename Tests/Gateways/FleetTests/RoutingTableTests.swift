import BlueZDBus
import BlueZValues
import GatewayProtocol
import Testing

@testable import Fleet

@Suite("Which gateway a device belongs to")
struct RoutingTableTests {
    private static let device = BluetoothAddress("BC:6A:29:00:00:01")!
    private static let attic = GatewayName("attic")!
    private static let cellar = GatewayName("cellar")!

    /// At a second, a gateway hears the device so strongly.
    struct Heard: Sendable, CustomTestStringConvertible {
        var time: Int
        var name: GatewayName
        var rssi: Int?
        var testDescription: String { "\(time) s \(name) \(rssi ?? 0) dBm" }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var heard: [Heard]
        var routes: [GatewayName]
        var time: Int
    }

    private static func heard(_ times: some Sequence<Int>, _ name: GatewayName, _ rssi: Int?) -> [Heard] {
        times.map { Heard(time: $0, name: name, rssi: rssi) }
    }

    private static let rows: [Row] = [
        Row(testDescription: "nobody", heard: [], routes: [], time: 0),
        Row(testDescription: "the only one", heard: heard([0], attic, nil), routes: [attic], time: 0),
        Row(
            testDescription: "the first one stays if another is a little better",
            heard: heard(0...10, attic, -60) + heard(0...10, cellar, -55), routes: [attic, cellar], time: 10),
        Row(
            testDescription: "one that is much better wins after 5 s",
            heard: heard(0...10, attic, -60) + heard(0...10, cellar, -50), routes: [cellar, attic], time: 10),
        Row(
            testDescription: "not before",
            heard: heard(0...4, attic, -60) + heard(0...4, cellar, -50), routes: [attic, cellar], time: 4),
        Row(
            testDescription: "a single strong value changes nothing",
            heard: heard(0...10, attic, -60) + heard(0...3, cellar, -65) + heard([4], cellar, -30)
                + heard(5...10, cellar, -65), routes: [attic, cellar], time: 10),
        Row(
            testDescription: "one that has not heard it for 25 s is left",
            heard: heard([0], attic, -50) + heard([20, 26], cellar, -90), routes: [cellar], time: 26),
        Row(
            testDescription: "nobody hears it any longer", heard: heard([0], attic, -50), routes: [], time: 26),
    ]

    @Test("The best one has it, with hysteresis", arguments: rows)
    func route(row: Row) {
        var table = RoutingTable()
        for heard in row.heard.sorted(by: { ($0.time, $0.name) < ($1.time, $1.name) }) {
            _ = table.heard(Self.device, by: heard.name, rssi: heard.rssi, at: Self.instant(heard.time))
        }
        #expect(table.routes(of: Self.device, at: Self.instant(row.time)) == row.routes)
    }

    @Test("Only the gateway that has a device reports it, with a smoothed strength")
    func reports() {
        var table = RoutingTable()
        #expect(table.heard(Self.device, by: Self.attic, rssi: -60, at: Self.instant(0)) == -60)
        #expect(table.heard(Self.device, by: Self.cellar, rssi: -59, at: Self.instant(0)) == nil)
        #expect(table.heard(Self.device, by: Self.attic, rssi: -70, at: Self.instant(1)) == -63)
        #expect(table.heard(Self.device, by: Self.attic, rssi: nil, at: Self.instant(1)) == -63)
    }

    @Test("A gateway that goes leaves its devices to the others")
    func removal() {
        var table = RoutingTable()
        _ = table.heard(Self.device, by: Self.attic, rssi: -60, at: Self.instant(0))
        _ = table.heard(Self.device, by: Self.cellar, rssi: -90, at: Self.instant(0))
        table.remove(Self.attic, at: Self.instant(1))
        #expect(table.routes(of: Self.device, at: Self.instant(1)) == [Self.cellar])
        table.remove(Self.cellar, at: Self.instant(1))
        #expect(table.routes(of: Self.device, at: Self.instant(1)).isEmpty)
    }

    private static func instant(_ second: Int) -> BootInstant {
        BootInstant(nanoseconds: Int64(second) * 1_000_000_000)
    }

    @Test("A flood of devices from one gateway takes half of the table; when they are gone, there is space again")
    func flood() {
        var table = RoutingTable()
        let start = BootInstant(nanoseconds: 100_000_000_000)
        let share = RoutingTable.limit / 2
        for number in 0..<share + 10 {
            let address = BluetoothAddress(compact: String(0x1000_0000_0000 + number, radix: 16))
            guard let address else { return #expect(Bool(false)) }
            let level = table.heard(address, by: Self.attic, rssi: -60, at: start)
            #expect((level == nil) == (number >= share))
        }
        #expect(table.count == share)
        let other = BluetoothAddress("BC:6A:29:00:00:02")!
        #expect(table.heard(other, by: Self.cellar, rssi: -60, at: start) == -60)
        #expect(table.heard(Self.device, by: Self.attic, rssi: -60, at: start.advanced(by: .seconds(30))) == -60)
        #expect(table.count == 1)
    }
}
