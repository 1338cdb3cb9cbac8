import BlueZScript
import Testing

@Suite("The table of a scan is a function of what was heard") struct DeviceTableTests {
    private static let size = ScreenSize(columns: 80, rows: 10)

    private static func table() -> DeviceTable<Int> {
        DeviceTable([.init("NAME", width: 20, .strong), .init("WHAT", width: 16), .init("VALUE", .good)])
    }

    private static func row(_ name: String, value: String = "") -> [String] { [name, "BTHome v2", value] }

    @Test("A row has name, format, values, age and signal, and fits 80 columns")
    func row() {
        var table = Self.table()
        table.add(Self.row("Kitchen", value: "25.06 °C  50.55 %"), rssi: -60, of: 1, at: 0)
        table.add(
            ["n", "w", "v"].map { String(repeating: $0, count: 200) }, rssi: -100, of: 2, at: 0)
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
        var table = Self.table()
        table.add(Self.row("\u{1B}[2J"), rssi: nil, of: 1, at: 0)
        #expect(!table.lines(now: 0, size: Self.size)[3].text.contains("\u{1B}"))
    }

    @Test("The rows are sorted by signal strength, every five seconds")
    func sorting() {
        var table = Self.table()
        func names(_ now: Double) -> [Character?] {
            table.lines(now: now, size: Self.size)[3...5].map { $0.text.dropFirst().first }
        }
        table.add(Self.row("a"), rssi: -80, of: 1, at: 0)
        table.add(Self.row("b"), rssi: -40, of: 2, at: 0)
        #expect(names(0) == ["b", "a", nil])
        table.add(Self.row("c"), rssi: -20, of: 3, at: 1)
        #expect(names(4.9) == ["b", "a", "c"])
        #expect(names(5) == ["c", "b", "a"])
        // One strong advertisement is not yet a near device.
        table.add(Self.row("a"), rssi: -39, of: 1, at: 6)
        #expect(names(11) == ["c", "b", "a"])
        for second in 12..<30 { table.add(Self.row("a"), rssi: -30, of: 1, at: Double(second)) }
        #expect(names(30) == ["c", "a", "b"])
    }

    @Test("The table keeps those of a thousand devices that were heard last")
    func limit() {
        var table = Self.table()
        for number in 0..<2_000 { table.add(Self.row("\(number)"), rssi: -60, of: number, at: Double(number)) }
        let lines = table.lines(now: 2_000, size: ScreenSize(columns: 80, rows: 2_000))
        let names = lines[3...].compactMap { Int($0.text.split(separator: " ").first ?? "") }
        #expect((900...1_000).contains(names.count) && names.min() == 2_000 - names.count)
        #expect(lines[0].text == " \(names.count) devices")
    }

    @Test("A device that was not heard for 15 seconds is dim, and its age ends in minutes")
    func age() {
        var table = Self.table()
        table.add(Self.row("a"), rssi: nil, of: 1, at: 0)
        for (now, text, style) in [
            (14.9, "15 s", StyledLine.Style.strong), (15, "15 s", .faint), (99.4, "99 s", .faint),
            (99.5, "1 min", .faint), (1e30, "16666666 min", .faint),
        ] {
            let line = table.lines(now: now, size: Self.size)[3]
            #expect(line.text.contains(" \(text)  ····") && line.pieces[1].style == style, "\(now)")
        }
    }

    @Test("What does not fit is counted")
    func overflow() {
        var table = Self.table()
        for number in 0..<30 { table.add(Self.row("\(number)"), rssi: nil, of: number, at: 0) }
        for (columns, rows) in [(80, 24), (20, 6), (3, 1), (0, 0)] {
            let lines = table.lines(now: 0, size: ScreenSize(columns: columns, rows: rows))
            #expect(lines.count == rows && lines.allSatisfy { $0.width <= columns })
        }
        let last = table.lines(now: 0, size: ScreenSize(columns: 80, rows: 24)).last
        #expect(last?.text == " q quit   11 more do not fit")
    }
}
