import BlueZScript
import Testing

@testable import sensortag

@Suite("Graphs of one line") struct SparklineTests {
    private static func samples(_ values: [(Double, Double)]) -> [Sparkline.Sample] {
        values.map { Sparkline.Sample(time: $0.0, value: $0.1) }
    }

    /// Ten columns for ten seconds, now at 9.5: a column a second.
    static let measured: [([(Double, Double)], String)] = [
        ([], "          "),
        ((0..<8).map { (Double($0) + 2, Double($0)) }, "  ▁▂▃▄▅▆▇█"),
        ([(2, 5), (3, 5)], "  ▄▄▄▄▄   "),
        ([(9, 0)], "         ▁"),
        ([(1, 0), (1.5, 2), (5, 0), (9, 8)], " ▂▂▂▂▁▁▁▁█"),
        ([(-5, 100), (8, 1), (9, 2)], "        ▁█"),
        ([(8, .nan), (8.5, .infinity), (9, 2)], "         ▄"),
        ([(8, -1e308), (9, 1e308)], "        ▄▄"),
        ([(20, 5)], "          "),
    ]

    @Test("Measurements are means, held for three seconds", arguments: measured.indices)
    func means(index: Int) {
        let (values, text) = Self.measured[index]
        #expect(Sparkline.text(Self.samples(values), now: 9.5, seconds: 10, width: 10) == text)
    }

    static let told: [([(Double, Double)], String)] = [
        ([], "          "),
        ([(1, 1), (1.2, 0), (5, 2), (5.5, 1), (8, 0)], " █▁▁▁█▅▅▁▁".replacing("█▁▁▁█", with: "▅▁▁▁█")),
        ([(-60, 1), (4, 0)], "████▁▁▁▁▁▁"),
        ([(0, 91)], "▄▄▄▄▄▄▄▄▄▄"),
    ]

    @Test("Changes are held until the next", arguments: told.indices)
    func changes(index: Int) {
        let (values, text) = Self.told[index]
        #expect(Sparkline.text(Self.samples(values), .told, now: 9.5, seconds: 10, width: 10) == text)
    }

    @Test("Bars move and do not change while time goes on")
    func moves() {
        let samples = Self.samples([(1, 0), (1.9, 4), (2.1, 8), (6, 3)])
        let early = Sparkline.text(samples, now: 6.1, seconds: 10, width: 10)
        #expect(Sparkline.text(samples, now: 6.9, seconds: 10, width: 10) == early)
        #expect(Sparkline.text(samples, now: 7.0, seconds: 10, width: 10).dropLast() == early.dropFirst())
    }

    @Test("No width is no text", arguments: [0, -1])
    func empty(width: Int) {
        #expect(Sparkline.text(Self.samples([(1, 1)]), now: 1, width: width) == "")
    }

    @Test(
        "Signal strength has up to four bars",
        arguments: [
            (nil, "····"), (-127, "····"), (-91, "····"), (-90, "▂···"), (-80, "▂▄··"), (-70, "▂▄▆·"), (-60, "▂▄▆█"),
            (20, "▂▄▆█"),
        ] as [(Int?, String)])
    func signal(rssi: Int?, bars: String) {
        #expect(SignalBars.text(rssi) == bars)
    }
}
