import ArgumentParser
import BlueZScript
import BlueZSensorTag
import CoreBlueZ
import SensorTagProgram

/// `sensortag info`: prints a tag's device information.
struct InfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Prints a tag's model, firmware, sensors and periods.",
        discussion: """
            Examples:
              sensortag info
              sensortag info BC:6A:29:AB:CD:EF --json
              sensortag info --simulate=cc2650

            \(ExitStatus.manual)
            """
    )

    @OptionGroup var device: DeviceOptions

    @Flag(help: "Prints one JSON object.")
    var json = false

    func run() async throws {
        try await perform {
            let session = TagSession(device.selected)
            let writer = try ReportWriter(json ? .json : .list) { session.outputFailed($0) }
            try await session.runWithTag { tag in
                let report = try await Self.report(on: tag, session)
                writer.write(report, device: tag.deviceText)
            }
        }
    }

    @BluetoothActor private static func report(on tag: SensorTag, _ session: TagSession) async throws -> Report {
        var fields: [Report.Field] = [
            .text("name", tag.name), .text("generation", tag.generation?.description),
        ]
        if tag.information.isDiscovered {
            let information = try await tag.information.readInformation()
            for failure in information.failures { session.complain(failure.description) }
            fields += [
                .text("model", information.model), .text("firmware", information.firmware),
                .text("hardware", information.hardware), .text("software", information.software),
                .text("serial_number", information.serialNumber), .text("manufacturer", information.manufacturer),
                .text("system_id", information.systemIdentifier.map { "\($0)" }),
                .text("pnp_id", information.pnpIdentifier.map { "\($0)" }),
            ]
        }
        if tag.battery.isDiscovered {
            let level = try await tag.battery.readLevel()
            fields.append(.number("battery_percent", "battery", Double(level.percent), "%", decimals: 0))
        }
        if tag.connection.isDiscovered {
            let parameters = try await tag.connection.readParameters()
            fields += [
                .number("interval_milliseconds", "interval", parameters.intervalMilliseconds, "ms"),
                .number(
                    "supervision_timeout_milliseconds", "timeout",
                    Double(parameters.supervisionTimeoutMilliseconds), "ms", decimals: 0),
            ]
        }
        let sensors = tag.sensors.filter { $0.isDiscovered && SensorChoice(rawValue: $0.name) != nil }
        fields.append(.text("sensors", sensors.map(\.name).joined(separator: " ")))
        for sensor in sensors where sensor.hasPeriod {
            let period = try await sensor.readPeriod()
            fields.append(
                .number(
                    "\(sensor.name)_period_milliseconds", "\(sensor.name) period", Double(period.milliseconds), "ms",
                    decimals: 0))
        }
        return Report(sensor: "information", fields: fields)
    }
}
