import BlueZScript
import SensorTagProgram
import Testing

@testable import sensortag

@Suite("The monitor's screen is a function of its state and size") struct MonitorScreenTests {
    private static func state(_ link: TagLink = .connected(since: 0)) -> MonitorState {
        var state = MonitorState()
        state.device = "BC:6A:29:AB:AB:50"
        state.generation = "CC2541"
        state.firmware = "1.5"
        state.rssi = -71
        state.link = link
        state.rows = [
            MonitorState.Row(key: "1", sensor: "temperature", name: "temperature"),
            MonitorState.Row(key: "2", sensor: "gyroscope", name: "gyroscope", canBeCalibrated: true),
            MonitorState.Row(key: "3", sensor: "humidity", name: "humidity"),
            MonitorState.Row(key: "4", sensor: "keys", name: "keys"),
        ]
        for second in 0..<60 {
            let fields: [Report.Field] = [
                .number("object_celsius", "object", 20 + Double(second) / 3, "°C"),
                .number("ambient_celsius", "ambient", -5, "°C"),
            ]
            state.add(fields, Double(second), to: "temperature", at: Double(second))
        }
        state.add(
            [.number("x", "x", 1, "°/s"), .number("y", "y", -200.5, "°/s"), .number("z", "z", nil, "°/s")], 200,
            to: "gyroscope", at: 50)
        state.set(.off, of: "humidity")
        state.add([.flag("left", true), .flag("right", false)], 1, to: "keys", at: 57)
        return state
    }

    private static func text(_ state: MonitorState, _ columns: Int, _ rows: Int) -> [String] {
        MonitorScreen.lines(state, now: 59.5, size: ScreenSize(columns: columns, rows: rows)).map { line in
            String(line.text.reversed().drop { $0 == " " }.reversed())
        }
    }

    @Test("At 80 columns and 11 rows everything is there")
    func narrow() {
        let expected = [
            " SensorTag CC2541  BC:6A:29:AB:AB:50  firmware 1.5          signal ▂▄·· -71 dBm",
            " ● Connected for 0:59",
            "",
            "   SENSOR         VALUE                                  LAST MINUTE        AGE",
            " 1 temperature    object   39.67 °C  ambient   -5.00 °C  ▁▂▂▃▃▄▄▅▅▆▆▇▇██  0.5 s",
            " 2 gyroscope      x    1.00  y -200.50  z -                          ▄▄   9.5 s",
            " 3 humidity       off",
            " 4 keys           [left]   right                                       ▄  2.5 s",
            "",
            "",
            " 1-4 switch on or off   c calibrate   q quit",
        ]
        #expect(Self.text(Self.state(), 80, 11) == expected)
    }

    @Test("If there is no room, the firmware gives way to the signal", arguments: [(72, true), (71, false)])
    func title(columns: Int, hasFirmware: Bool) {
        let title = Self.text(Self.state(), columns, 11)[0]
        #expect(title.contains("firmware 1.5") == hasFirmware)
        #expect(title.hasSuffix("  signal ▂▄·· -71 dBm") && title.count == columns - 1)
    }

    @Test("If there is room, rows have blank lines between them")
    func airy() {
        let lines = Self.text(Self.state(), 120, 14)
        #expect(lines.count == 14)
        #expect(lines[4].hasPrefix(" 1 temperature") && lines[5].isEmpty && lines[6].hasPrefix(" 2 gyroscope"))
        #expect(lines[4].contains("▁▁▁▁"))
        #expect(lines.allSatisfy { $0.count <= 120 })
        #expect(lines[13].hasPrefix(" 1-4 switch"))
    }

    @Test("Below 73 columns there is no graph")
    func slim() {
        let lines = Self.text(Self.state(), 60, 12)
        #expect(lines[4] == " 1 temperature    object   39.67 °C  ambient   -5.00 °C")
        #expect(!lines[3].contains("AGE"))
    }

    @Test(
        "A small screen says what it hides, and the size that hides nothing",
        arguments: [
            (73, 10, ""), (200, 100, ""), (72, 10, " Hidden: graphs and ages; 73 x 10 shows all"),
            (80, 9, " Hidden: 1 row; 80 x 10 shows all"), (80, 6, " Hidden: 4 rows; 80 x 10 shows all"),
            (57, 8, " Hidden: 2 rows, graphs and ages; 73 x 10 shows all"),
            (55, 12, " Hidden: parts of values, graphs and ages; 73 x 12 show"),
        ])
    func hidden(columns: Int, rows: Int, text: String) {
        var state = Self.state()
        #expect(Self.text(state, columns, rows)[rows - 2] == text)
        state.notice = "News"
        #expect(Self.text(state, columns, rows)[rows - 2] == " News")
    }

    @Test("Only keys that do something are offered")
    func keys() {
        func keys(_ change: (inout MonitorState) -> Void) -> String? {
            var state = Self.state()
            change(&state)
            return Self.text(state, 80, 24).last
        }
        let all = " 1-4 switch on or off   c calibrate   q quit"
        let some = " 1-4 switch on or off   q quit"
        #expect(keys { _ in } == all)
        #expect(keys { $0.set(.off, of: "gyroscope") } == some)
        #expect(keys { $0.set(.waiting, of: "gyroscope") } == some)
        #expect(keys { $0.rows[1].canBeCalibrated = false } == some)
        #expect(keys { $0.link = .lost("Gone", since: 0) } == some)
        #expect(keys { $0.link = .ending } == "")
        #expect(keys { $0.rows = [] } == " q quit")
    }

    @Test("It never leaves the screen, whatever its size", arguments: [0, 1, 2, 5, 7, 20, 40, 79, 80, 81, 200, 1000])
    func fits(columns: Int) {
        for rows in [0, 1, 2, 3, 5, 6, 7, 10, 24, 100] {
            let lines = MonitorScreen.lines(Self.state(), now: 60, size: ScreenSize(columns: columns, rows: rows))
            #expect(lines.count == rows)
            #expect(lines.allSatisfy { $0.width <= columns })
        }
    }

    static let links: [(TagLink, String)] = [
        (.connecting, " ○ Connecting..."),
        (.connected(since: -3600), " ● Connected for 1:00:59"),
        (.lost("The link was lost", since: 50), " ✗ The link was lost; reconnecting for 0:09"),
        (.ending, " ○ Switching off..."),
    ]

    @Test("The second line says how the link is", arguments: links.indices)
    func link(index: Int) {
        #expect(Self.text(Self.state(Self.links[index].0), 80, 24)[1] == Self.links[index].1)
    }

    @Test("Without a link, old values are shown faintly")
    func faint() throws {
        let size = ScreenSize(columns: 80, rows: 24)
        let lines = MonitorScreen.lines(Self.state(.lost("Gone", since: 58)), now: 59, size: size)
        #expect(lines[4].text.contains("39.67"))
        #expect(lines[4].pieces.allSatisfy { $0.style == .faint || $0.text.allSatisfy { $0 == " " } })
    }

    @Test("A pressed key stands out with and without colours")
    func pressed() throws {
        let line = MonitorScreen.lines(Self.state(), now: 59, size: ScreenSize(columns: 80, rows: 11))[7]
        #expect(line.rendered(isColoured: true).contains("\u{1B}[30;42m[left]\u{1B}[0m"))
        #expect(line.rendered(isColoured: false).contains("[left]   right"))
        #expect(!line.rendered(isColoured: false).contains("\u{1B}"))
    }

    @Test(
        "Ages are short",
        arguments: [
            (-1, "0.0 s"), (0.04, "0.0 s"), (9.94, "9.9 s"), (9.95, "10 s"), (99.4, "99 s"), (99.6, "1 min"),
            (3600, "60 min"), (1e300, "16666666 min"),
        ])
    func age(seconds: Double, text: String) {
        #expect(MonitorScreen.age(seconds) == text)
    }

    @Test("Old samples are forgotten, except for the last of them")
    func memory() {
        var state = Self.state()
        state.add([], 1, to: "temperature", at: 1000)
        #expect(state.rows[0].samples.map(\.time) == [59, 1000])
    }
}

@Suite("The list of a scan") struct ScanEntryTests {
    @Test("It has address, name, generation and signal of each tag")
    func list() {
        var table = ScanEntry.table
        #expect(table.lines(now: 0, size: ScreenSize(columns: 80, rows: 8))[0].text == " Looking for SensorTags...")
        func add(_ entry: ScanEntry, at time: Double) {
            table.add(entry.texts, rssi: entry.rssi, of: entry.address, at: time)
        }
        add(ScanEntry(address: "BC:6A:29:AB:AB:50", name: "SensorTag", generation: "CC2541", rssi: -92), at: 0)
        add(ScanEntry(address: "B0:B4:48:AB:AB:50", name: nil, generation: nil, rssi: nil), at: 1)
        add(ScanEntry(address: "BC:6A:29:AB:AB:50", name: "S\u{1B}[2J", generation: "CC2541", rssi: -62), at: 2)
        let lines = table.lines(now: 20, size: ScreenSize(columns: 80, rows: 8)).map(\.text)
        #expect(
            lines == [
                " 2 devices", "",
                " ADDRESS            NAME                          GENERATION     AGE  SIGNAL",
                " BC:6A:29:AB:AB:50  S\\u{1b}[2J                    CC2541        18 s  ▂▄▆·  -62",
                " B0:B4:48:AB:AB:50  -                             -             19 s  ····     ",
                "", "", " q quit",
            ])
    }
}
