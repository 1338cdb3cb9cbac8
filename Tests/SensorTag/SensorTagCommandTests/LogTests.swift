import BlueZSensorTag
import BlueZSimulator
import Foundation
import SensorTagProgram
import TestSupport
import Testing

@testable import BlueZSimulatedSensorTag
@testable import sensortag

@Suite("Recordings") struct LogTests {
    private static func file() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("log-\(UUID().uuidString)").path
    }

    private static func lines(_ path: String) throws -> [Substring] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    }

    private static func count(_ path: String) -> Int { (try? lines(path).count) ?? 0 }

    @Test("A CSV file grows with each run and has one header")
    func appends() async throws {
        let path = Self.file()
        defer { try? FileManager.default.removeItem(atPath: path) }
        var counts: [Int] = []
        let seconds = Patience.scaled(.seconds(1)).components.seconds
        for _ in 0..<2 {
            let run = try Run(
                [
                    "log", "--simulate=cc2650", "--csv", path, "--sensor", "optical", "--period", "100", "--duration",
                    "\(seconds)",
                ])
            #expect(try await run.status() == 0)
            counts.append(try Self.lines(path).count)
            #expect(run.output.isEmpty)
            #expect(run.errors.contains(" written to \(path)."))
        }
        #expect(counts[0] > 2 && counts[1] > counts[0] + 1)
        let lines = try Self.lines(path)
        #expect(lines.filter { $0.hasPrefix("time,") }.count == 1)
        let sensors = ["temperature", "movement", "humidity", "barometer", "optical", "keys", "battery"]
        #expect(lines.first.map(String.init) == CSV.header(CSV.columns(of: sensors)))
        #expect(Set(lines.map { $0.count { $0 == "," } }).count == 1)
        let time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z,B0:B4:48:AB:AB:50,optical,.*/
        #expect(lines.dropFirst().allSatisfy { $0.wholeMatch(of: time) != nil })
    }

    @Test("A table of one tag takes no readings of another", arguments: ["time,device,sensor,lux", "", "x"])
    func otherColumns(header: String) async throws {
        let path = Self.file()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let old = header + "\nold\n"
        try old.write(toFile: path, atomically: true, encoding: .utf8)
        let run = try Run(["log", "--simulate", "--csv", path, "--duration", "0.5"])
        #expect(try await run.status() == 73)
        #expect(run.errors.contains("The columns of the file \(path) are not those of this tag; give another file"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == old)
    }

    @Test("A table has the columns of the tag alone", arguments: [("cc2541", false), ("cc2650", true)])
    func columns(model: String, hasLight: Bool) async throws {
        let run = try Run(["log", "--simulate=\(model)", "--csv", "--sensor", "humidity", "--duration", "0.5"])
        #expect(try await run.status() == 0)
        let header = try #require(run.lines.first).split(separator: ",")
        for column in ["lux", "accelerometer_x_g", "percent"] { #expect(header.contains { $0 == column } == hasLight) }
        for column in ["x_g", "z_microtesla"] { #expect(header.contains { $0 == column } != hasLight) }
    }

    @Test("A sensor's own period takes precedence over that of all, which is fitted to the sensor")
    func periods() async throws {
        let fixture = try await TagFixture(.cc2541)
        let arguments = ["--period", "shortest", "--period", "100", "--period", "humidity=700", "--duration", "0.3"]
        let run = try Run(["log", "--jsonl"] + arguments, environment: fixture.environment)
        #expect(try await run.status() == 0)
        #expect(run.errors.contains("The period of the temperature sensor is 300 ms; it does not support 100 ms"))
        let log = await fixture.log
        func written(_ number: UInt16) -> [UInt8]? {
            log.first { $0.operation == .write && $0.uuid == .ti(number) }?.value
        }
        #expect(written(0xAA03) == [30])
        #expect(written(0xAA23) == [70])
        #expect(written(0xAA13) == [10])
    }

    @Test("After a lost link, a recording goes on: the sensors and periods of before, in the same file")
    func reconnecting() async throws {
        let fixture = try await TagFixture(.cc2541)
        let path = Self.file()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let run = try Run(
            ["log", "--csv", path, "--sensor", "humidity", "--period", "200"], environment: fixture.environment)
        for round in 1...3 {
            let count = Self.count(path)
            try await run.wait(for: "readings of link \(round)") { Self.count(path) > count + 1 }
            await fixture.disconnect()
            try await run.wait(for: "the loss to be told") {
                run.errors.split(separator: "\n").count { $0.hasSuffix("reconnecting...") } == round
            }
        }
        let count = Self.count(path)
        try await run.wait(for: "readings of the last link") { Self.count(path) > count + 1 }
        run.signal(SIGINT)
        #expect(try await run.status() == 128 + SIGINT)
        let lines = try Self.lines(path)
        #expect(lines.count { $0.hasPrefix("time,") } == 1)
        #expect(lines.dropFirst().allSatisfy { $0.contains(",humidity,") })
        let log = await fixture.log
        // On each of four links it is set, and written once more when the sensor is switched on.
        #expect(log.count { $0.operation == .write && $0.uuid == .ti(0xAA23) && $0.value == [20] } == 8)
        #expect(run.errors.contains("\(lines.count - 1) readings were written to \(path)."))
    }

    @Test("A sensor that can't be switched on at first ends a recording, with the status of the error")
    func notSwitchedOn() async throws {
        let fixture = try await TagFixture(.cc2541)
        await fixture.spoil("aa22", error: 0x80)
        let run = try Run(["log", "--jsonl"], environment: fixture.environment)
        #expect(try await run.status() == 76)
        #expect(run.errors.contains("0x80"), "\(run.errors)")
    }

    /// Foundation's parser of JSON is a few units off in the last place.
    private static func areEqual(_ one: [String: Double], _ other: [String: Double]) -> Bool {
        one.keys == other.keys && one.allSatisfy { key, value in abs(value - (other[key] ?? .nan)) < 1e-9 }
    }

    /// Seconds of the loss test; SENSORTAG_LOG_SECONDS=60 makes it a long one.
    static var seconds: String {
        ProcessInfo.processInfo.environment["SENSORTAG_LOG_SECONDS"]
            ?? "\(Patience.scaled(.seconds(3)).components.seconds)"
    }

    @Test("All notifications of all sensors at the shortest period are written", arguments: SensorTagModel.allCases)
    func loss(model: SensorTagModel) async throws {
        let fixture = try await TagFixture(model)
        let path = Self.file()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let run = try Run(
            ["log", "--jsonl", path, "--period", "shortest", "--duration", Self.seconds],
            environment: fixture.environment)
        let status = try await run.status(within: .seconds(180))
        #expect(status == 0, "\(run.errors)")
        let sent = try await SentReports.make(from: fixture.log, of: model)
        var written: [String: [[String: Double]]] = [:]
        for object in try Self.lines(path).objects() {
            let sensor = try #require(object["sensor"] as? String)
            let values = object.compactMapValues { ($0 as? NSNumber)?.doubleValue }
            written[sensor, default: []].append(values)
        }
        // A CC2650 reports the level of its battery every 15 s, and it is read first.
        #expect(Set(written.keys) == Set(sent.keys).union(model == .cc2650 ? ["battery"] : []))
        for (sensor, all) in sent {
            let ours = (written[sensor] ?? []).dropFirst(sensor == "battery" ? 1 : 0)
            // One may be sent after the recording has ended, before the tag has noticed.
            #expect(ours.count == all.count || ours.count == all.count - 1, "\(sensor)")
            let isSame = zip(ours, all).allSatisfy { Self.areEqual($0, $1) }
            #expect(isSame, "\(sensor)")
            #expect(all.count > (sensor == "battery" ? 0 : 1), "\(sensor)")
        }
        let total = written.values.reduce(0) { $0 + $1.count }
        print("\(model.rawValue): \(total) readings written of \(sent.values.reduce(0) { $0 + $1.count }) sent")
        #expect(run.errors.contains("\(total) readings were written to \(path)."))
    }
}

/// What a simulated tag has sent, decoded by the library, by sensors.
private enum SentReports {
    static func make(
        from log: [SimulatedPeripheral.LogEntry], of model: SensorTagModel
    ) throws -> [String: [[String: Double]]] {
        var result: [String: [[String: Double]]] = [:]
        for entry in log where entry.operation == .notify {
            guard let report = try report(entry.uuid, entry.value, model) else { continue }
            result[report.sensor, default: []].append(values(report))
        }
        return result
    }

    private static func values(_ report: Report) -> [String: Double] {
        var result: [String: Double] = [:]
        for field in report.fields {
            switch field.value {
            case .number(let number, _, _): result[field.key] = number
            case .flag(let isSet): result[field.key] = isSet ? 1 : 0
            default: break
            }
        }
        return result
    }

    private static func report(_ uuid: BluetoothUUID, _ value: [UInt8], _ model: SensorTagModel) throws -> Report? {
        let isFirst = model.isFirstGeneration
        switch uuid {
        case .ti(0xAA01):
            return Report(isFirst ? try TMP006.reading(from: value) : try TMP007.reading(from: value))
        case .ti(0xAA11): return Report(try KXTJ9.reading(from: value, range: .twoG))
        case .ti(0xAA21): return Report(isFirst ? try SHT21.reading(from: value) : try HDC1000.reading(from: value))
        case .ti(0xAA31): return Report(try MAG3110.reading(from: value))
        case .ti(0xAA41):
            guard isFirst else { return Report(try BMP280.reading(from: value)) }
            let calibration = try BarometerCalibration(from: T5400Coefficients.typical.bytes)
            let reading = try T5400.reading(from: value, calibration: calibration)
            return reading.pressurePascals == nil ? nil : Report(reading)
        case .ti(0xAA51): return Report(try IMU3000.reading(from: value))
        case .ti(0xAA71): return Report(try OPT3001.reading(from: value))
        case .ti(0xAA81):
            return value.allSatisfy { $0 == 0 } ? nil : Report(try MPU9250.reading(from: value, range: .eightG))
        case 0xFFE1: return Report(try SimpleKeys(from: value))
        case 0x2A19: return Report(try BatteryLevel(from: value))
        default: return nil
        }
    }
}
