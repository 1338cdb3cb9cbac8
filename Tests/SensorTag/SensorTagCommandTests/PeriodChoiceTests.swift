import Testing

@testable import sensortag

@Suite("Periods on the command line") struct PeriodChoiceTests {
    @Test(
        "A period is for all sensors or for one",
        arguments: [
            ("500", nil, 500), ("shortest", nil, nil), ("barometer=1000", "barometer", 1000),
            ("temperature=shortest", "temperature", nil), ("all=100", nil, 100),
        ] as [(String, String?, Int?)])
    func parses(text: String, sensor: String?, milliseconds: Int?) throws {
        let choice = try #require(PeriodChoice(argument: text))
        #expect(choice.sensor == sensor && choice.milliseconds == milliseconds)
        #expect(choice.isFor("barometer") == (sensor == nil || sensor == "barometer"))
    }

    @Test(
        "Anything else is none",
        arguments: ["", "=", "0", "-5", "2551", "1.5", "fast", "thermometer=100", "barometer=", "=100", "a=b=c", "9e9"])
    func refuses(text: String) {
        #expect(PeriodChoice(argument: text) == nil)
    }

    @Test(
        "A period is fitted to the sensor",
        arguments: [("1", 300), ("300", 300), ("1000", 1000), ("2550", 2550), ("shortest", 300)])
    func fits(text: String, milliseconds: Int) throws {
        #expect(try #require(PeriodChoice(argument: text)).milliseconds(within: 300...2550) == milliseconds)
    }
}
