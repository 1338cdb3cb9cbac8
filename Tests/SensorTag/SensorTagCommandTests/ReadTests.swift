import BlueZSimulatedSensorTag
import Foundation
import TestSupport
import Testing

@Suite("Single readings and what a tag is") struct ReadTests {
    static let sensors: [(SensorTagModel, Set<String>)] = [
        (.cc2541, ["temperature", "humidity", "barometer", "accelerometer", "magnetometer", "gyroscope"]),
        (.cc2541Firmware1_3, ["temperature", "humidity", "barometer", "accelerometer", "magnetometer", "gyroscope"]),
        (.cc2650, ["temperature", "humidity", "barometer", "movement", "optical", "battery"]),
    ]

    @Test("Each sensor of a tag is read once", arguments: sensors)
    func read(model: SensorTagModel, sensors: Set<String>) async throws {
        let run = try Run(["read", "--simulate=\(model.rawValue)", "--json"])
        #expect(try await run.status() == 0)
        let objects = try run.lines.objects()
        #expect(objects.count == sensors.count)
        #expect(Set(objects.compactMap { $0["sensor"] as? String }) == sensors)
        let pressure = objects.first { $0["sensor"] as? String == "barometer" }?["pressure_hpa"] as? Double
        #expect((900...1100).contains(pressure ?? 0))
    }

    @Test("Only the sensors that were asked for are read")
    func chosen() async throws {
        let run = try Run(["read", "BC:6A:29:AB:AB:50", "--simulate", "--sensor", "humidity", "--sensor", "keys"])
        #expect(try await run.status() == 0)
        #expect(Set(run.lines.map { String($0.split(separator: " ")[1]) }) == ["humidity", "keys"])
    }

    @Test("A sensor without a reading in time is an error that names it")
    func late() async throws {
        let run = try Run(["read", "--simulate", "--sensor", "keys", "--timeout", "0.05"])
        #expect(try await run.status() == 75)
        #expect(run.errors.contains("There was no reading within 0.05 seconds of: keys"))
    }

    @Test(
        "A tag reports what it is",
        arguments: [(SensorTagModel.cc2541, "CC2541", "1.5 ("), (.cc2650, "CC2650", "1.50 (")])
    func info(model: SensorTagModel, generation: String, firmware: String) async throws {
        let run = try Run(["info", "--simulate=\(model.rawValue)", "--json"])
        #expect(try await run.status() == 0)
        let object = try #require(try run.lines.objects().first)
        #expect(object["generation"] as? String == generation)
        #expect((object["firmware"] as? String)?.hasPrefix(firmware) == true)
    }

    @Test(
        "A tag reports the periods at which its sensors measure, on the first link, too",
        arguments: [
            (SensorTagModel.cc2541Firmware1_3, ["accelerometer": 1000, "magnetometer": 2000]),
            (
                .cc2541,
                [
                    "temperature": 1000, "accelerometer": 1000, "humidity": 1000, "magnetometer": 2000,
                    "barometer": 1000, "gyroscope": 1000,
                ]
            ),
            (.cc2650, ["temperature": 1000, "humidity": 1000, "barometer": 1000, "movement": 1000, "optical": 800]),
        ])
    func periods(model: SensorTagModel, periods: [String: Int]) async throws {
        let fixture = try await TagFixture(model)
        for _ in 1...2 {
            let run = try Run(["info", "--json"], environment: fixture.environment)
            #expect(try await run.status() == 0)
            let object = try #require(try run.lines.objects().first)
            let shown = object.filter { $0.key.hasSuffix("_period_milliseconds") }.compactMapValues { $0 as? Int }
            #expect(shown == Dictionary(uniqueKeysWithValues: periods.map { ("\($0)_period_milliseconds", $1) }))
        }
    }

    /// A duration of an idle machine, longer on a slow one.
    private static func seconds(_ count: Int) -> String { "\(Patience.scaled(.seconds(count)).components.seconds)" }

    @Test("A scan finds both generations")
    func scan() async throws {
        let run = try Run(["scan", "--simulate", "--json", "--duration", Self.seconds(1)])
        #expect(try await run.status() == 0)
        let objects = try run.lines.objects()
        #expect(Set(objects.compactMap { $0["generation"] as? String }) == ["CC2541", "CC2650"])
        #expect(objects.allSatisfy { $0["rssi_dbm"] is Int && $0["name"] is String })
    }

    @Test("In a pipe, each line of a scan has the address")
    func scanLines() async throws {
        let run = try Run(["scan", "--simulate", "--duration", Self.seconds(1)])
        #expect(try await run.status() == 0)
        let line = /\d\d:\d\d:\d\d\.\d{3}Z  (BC:6A:29:AB:AB:50|B0:B4:48:AB:AB:50)  name .*SensorTag  signal .* dBm .*/
        #expect(run.lines.count >= 2 && run.lines.allSatisfy { $0.wholeMatch(of: line) != nil })
    }

    @Test(
        "print takes the tag as an argument, even if the word print is left out",
        arguments: [["print", "BC:6A:29:AB:AB:50"], ["BC:6A:29:AB:AB:50"], ["SensorTag", "--sensor", "barometer"]])
    func printed(arguments: [String]) async throws {
        let run = try Run(arguments + ["--simulate", "--json", "--duration", Self.seconds(2)])
        #expect(try await run.status() == 0)
        #expect(run.errors.contains("Looking for the SensorTag BC") == arguments.contains("BC:6A:29:AB:AB:50"))
        #expect(run.errors.contains("Looking for a SensorTag named SensorTag") == arguments.contains("SensorTag"))
        let objects = try run.lines.objects()
        #expect(objects.contains { $0["sensor"] as? String == "barometer" })
        #expect(objects.allSatisfy { $0["device"] as? String == "BC:6A:29:AB:AB:50" })
    }

    @Test("A CC2650 is identified in the order that does not erase its memory")
    func identify() async throws {
        let fixture = try await TagFixture(.cc2650)
        let run = try Run(["identify", "--duration", Self.seconds(1)], environment: fixture.environment)
        #expect(try await run.status() == 0)
        let writes = await fixture.log.filter { $0.operation == .write }
        let values = writes.map {
            ($0.uuid == .init("f000aa66-0451-4000-b000-000000000000") ? "mode" : "value", $0.value)
        }
        #expect(values.first.map { $0.0 == "value" && $0.1 == [0] } == true)
        #expect(values.dropFirst().first.map { $0.0 == "mode" && $0.1 == [1] } == true)
        #expect(values.suffix(2).map(\.1) == [[0], [0]])
        #expect(values.last?.0 == "mode")
        let outputs = Set(values.filter { $0.0 == "value" }.flatMap(\.1))
        #expect(outputs == [0, 0b001, 0b101, 0b010, 0b110])
    }
}
