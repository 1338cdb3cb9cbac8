import BlueZJSONLine
import BlueZSensorTag
import CoreBlueZ
import Foundation
import SensorTagProgram
import Testing

@testable import sensortag_web

@Suite("Events are what browsers expect") struct EventTextTests {
    @Test("State and readings are events of their own; nothing is a heartbeat") func events() {
        let contents = Mailbox.Contents(snapshot: "{}", readings: ["{\"a\":1}", "{\"a\":2}"], skipped: 3)
        #expect(
            EventStream.text(contents) == """
                event: state
                data: {}

                event: readings
                data: {"skipped":3,"readings":[{"a":1},{"a":2}]}


                """)
        #expect(EventStream.text(Mailbox.Contents()) == ": heartbeat\n\n")
    }

    @Test("Line breaks in a name cannot end an event") func lineBreaks() throws {
        let name = "a\n\ndata: b\r\u{2028}<b>"
        let tag = try JSONLine.text(TagSnapshot(id: "1", name: name))
        let json = TagStation.state(run: "1", problem: name, tags: [tag, tag])
        let state = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(state["problem"] as? String == name)
        #expect((state["tags"] as? [[String: Any]])?.map { $0["name"] as? String } == [name, name])
        #expect(!json.contains { $0.isNewline })
    }

    @Test("A reading has its tag, number, time and values") func reading() throws {
        let report = HumidityReading(temperatureCelsius: 21.5, relativeHumidityPercent: 45).report
        let reading = PageReading(
            tag: "BC:6A:29:AB:AB:50", number: 7, time: Date(timeIntervalSince1970: 1.5), report: report)
        #expect(
            try JSONLine.text(reading) == """
                {"number":7,"sensor":"humidity","tag":"BC:6A:29:AB:AB:50","time":1500,\
                "values":{"relative_humidity_percent":45,"temperature_celsius":21.5}}
                """)
    }

    @Test("Commands are read strictly") func commands() throws {
        func command(_ json: String) -> PageCommand? {
            try? JSONDecoder().decode(PageCommand.self, from: Data(json.utf8))
        }
        #expect(
            command(#"{"tag":"1","action":"period","sensor":"keys","milliseconds":300}"#)
                == PageCommand(tag: "1", action: .period, sensor: "keys", milliseconds: 300))
        #expect(
            command(#"{"tag":"1","action":"outputs","outputs":["red","buzzer"]}"#)
                == PageCommand(tag: "1", action: .outputs, outputs: [.red, .buzzer]))
        for json in [
            "", "[]", "{}", #"{"tag":"1"}"#, #"{"tag":1,"action":"connect"}"#, #"{"tag":"1","action":"explode"}"#,
            #"{"tag":"1","action":"switch","isOn":"yes"}"#, #"{"tag":"1","action":"outputs","outputs":["flash"]}"#,
        ] {
            #expect(command(json) == nil, "\(json)")
        }
    }

    @Test("Every file that the page names is served") func files() throws {
        let page = try #require(PageFile(path: "/"))
        let text = String(decoding: page.bytes, as: UTF8.self)
        var paths = text.matches(of: /(?:src|href)="([^"]+)"/).map { String($0.1) }
        var seen: Set<String> = []
        while let path = paths.popLast() {
            guard seen.insert(path).inserted else { continue }
            let file = try #require(PageFile(path: path), "\(path)")
            let text = String(decoding: file.bytes, as: UTF8.self)
            paths += text.matches(of: /from "\.(\/[a-z]+\.js)"/).map { String($0.1) }
            paths += text.matches(of: /SharedWorker\("([^"]+)"/).map { String($0.1) }
        }
        #expect(seen.count >= 24)
        #expect(PageFile(path: "/uPlot/LICENSE") != nil)
        #expect(PageFile(path: "/../Package.swift") == nil)
    }
}
