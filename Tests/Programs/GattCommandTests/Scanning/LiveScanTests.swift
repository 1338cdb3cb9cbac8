import BlueZScript
import Testing

@testable import gatt

@Suite("The table of a live scan") struct LiveScanTests {
    private static let size = ScreenSize(columns: 80, rows: 10)

    private static func device(_ number: UInt8) -> DecodedDevices.Device {
        .identity("\(number)")
    }

    private static func row(_ name: String, _ rssi: Int? = -60, value: String = "") -> LiveScan.Row {
        LiveScan.Row(name: name, what: "BTHome v2", value: value, rssi: rssi)
    }

    @Test("A row has name, format, values, age and signal, and fits 80 columns")
    func row() {
        var table = LiveScan()
        table.add(Self.row("Kitchen", value: "25.06 °C  50.55 %"), of: Self.device(1), at: 0)
        table.add(
            LiveScan.Row(
                name: String(repeating: "n", count: 200), what: String(repeating: "w", count: 200),
                value: String(repeating: "v", count: 200), rssi: -100), of: Self.device(2), at: 0)
        let lines = table.lines(now: 3, size: Self.size)
        #expect(lines.count == 10 && lines.allSatisfy { $0.width <= 80 })
        #expect(lines[0].text == " 2 devices" && lines[9].text == " q quit")
        #expect(
            lines[2].text == " NAME                WHAT            VALUE                       AGE  SIGNAL")
        #expect(
            lines[3].text == " Kitchen             BTHome v2       25.06 °C  50.55 %           3 s  ▂▄▆█  -60")
        #expect(
            lines[4].text == " nnnnnnnnnnnnnnnnnn… wwwwwwwwwwwwww… vvvvvvvvvvvvvvvvvvvvvvv…    3 s  ···· -100")
    }

    @Test("Control characters of a name are escaped")
    func escape() {
        var table = LiveScan()
        table.add(Self.row("\u{1B}[2J"), of: Self.device(1), at: 0)
        #expect(!table.lines(now: 0, size: Self.size)[3].text.contains("\u{1B}"))
    }

    @Test("The rows are sorted by signal strength, every five seconds")
    func sorting() {
        var table = LiveScan()
        func names(_ now: Double) -> [Character?] {
            table.lines(now: now, size: Self.size)[3...5].map { $0.text.dropFirst().first }
        }
        table.add(Self.row("a", -80), of: Self.device(1), at: 0)
        table.add(Self.row("b", -40), of: Self.device(2), at: 0)
        #expect(names(0) == ["b", "a", nil])
        table.add(Self.row("c", -20), of: Self.device(3), at: 1)
        #expect(names(4.9) == ["b", "a", "c"])
        #expect(names(5) == ["c", "b", "a"])
        // One strong advertisement is not yet a near device.
        table.add(Self.row("a", -39), of: Self.device(1), at: 6)
        #expect(names(11) == ["c", "b", "a"])
        for second in 12..<30 { table.add(Self.row("a", -30), of: Self.device(1), at: Double(second)) }
        #expect(names(30) == ["c", "a", "b"])
    }

    @Test("The table keeps those of a thousand devices that were heard last")
    func limit() {
        var table = LiveScan()
        for number in 0..<2_000 { table.add(Self.row("\(number)"), of: .identity("\(number)"), at: Double(number)) }
        let lines = table.lines(now: 2_000, size: ScreenSize(columns: 80, rows: 2_000))
        let names = lines[3...].compactMap { Int($0.text.split(separator: " ").first ?? "") }
        #expect((900...1_000).contains(names.count) && names.min() == 2_000 - names.count)
        #expect(lines[0].text == " \(names.count) devices")
    }
}
