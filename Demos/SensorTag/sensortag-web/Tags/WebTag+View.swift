import BlueZJSONLine
import BlueZSensorTag
import CoreBlueZ
import FoundationEssentials
import SensorTagProgram

/// Turns the reports of the connection into state and readings for the page.
extension WebTag: TagView {
    func linkChanged(_ link: TagLink) {
        switch link {
        case .connecting: snapshot.link = .connecting
        case .connected:
            snapshot.link = .connected
            snapshot.reason = nil
        case .lost(let reason, _):
            snapshot.link = .lost
            snapshot.reason = reason
        case .ending: snapshot.link = .ending
        }
        station?.changed()
    }

    func tagIsReady(_ tag: SensorTag, _ sensors: [SensorTagService]) {
        snapshot.generation = tag.generation?.description
        snapshot.firmware = tag.firmware?.description
        snapshot.outputs = tag.io.isDiscovered ? [] : nil
        snapshot.sensors = sensors.map { sensor in
            let periods = sensor.hasPeriod ? sensor.periodLimits.allowed : nil
            return TagSnapshot.Sensor(
                name: sensor.name, shortestPeriod: periods?.lowerBound, longestPeriod: periods?.upperBound,
                canBeCalibrated: TagConnection.canCalibrate(sensor))
        }
        readInformation(of: tag)
        station?.changed()
    }

    func attach(to sensor: SensorTagService, of tag: SensorTag) {
        let name = sensor.name
        sensor.setShownReadingHandler { [weak self] in
            self?.received($0.report)
        } failure: { [weak self] error in
            self?.notice("\(name): \(error.message)")
        }
    }

    func sensorChanged(_ sensor: SensorTagService, _ status: SensorStatus) {
        guard let index = snapshot.sensors.firstIndex(where: { $0.name == sensor.name }) else { return }
        switch status {
        case .off: snapshot.sensors[index].status = .off
        case .waiting: snapshot.sensors[index].status = .waiting
        case .on: snapshot.sensors[index].status = .on
        case .failed(let error):
            snapshot.sensors[index].status = .failed
            snapshot.sensors[index].reason = error.message
        }
        if status == .on, sensor.hasPeriod { readPeriod(of: sensor) }
        station?.changed()
    }

    func notice(_ text: String) {
        snapshot.notice = text
        station?.changed()
    }

    /// Shows the known periods.
    func showPeriods() {
        for sensor in tag.sensors {
            guard let index = snapshot.sensors.firstIndex(where: { $0.name == sensor.name }) else { continue }
            snapshot.sensors[index].period = sensor.period?.milliseconds
        }
        station?.changed()
    }

    private func readPeriod(of sensor: SensorTagService) {
        Task {
            // The page shows no period for a sensor whose period cannot be read.
            _ = try? await sensor.readPeriod()
            showPeriods()
        }
    }

    private func readInformation(of tag: SensorTag) {
        guard tag.information.isDiscovered else { return }
        Task {
            do throws(BluetoothError) {
                snapshot.information = try await tag.information.readInformation().lines
            } catch {
                if error.code != .disconnected { notice(error.message) }
            }
            station?.changed()
        }
    }

    private func received(_ report: Report) {
        let now = Date()
        count += 1
        recording?.add(report, device: id, at: now)
        if let recording, snapshot.recording?.count != recording.count {
            snapshot.recording?.count = recording.count
            station?.changed(within: TagStation.slowPace)
        }
        let reading = PageReading(tag: id, number: count, time: now, report: report)
        guard let json = try? JSONLine.text(reading) else { return }
        history.add(json, number: count, of: report.sensor, at: now.timeIntervalSince1970)
        station?.send(reading: json)
    }
}

/// A reading for the page: the tag, the number of this reading, the time in milliseconds since 1970, the sensor, and
/// its values with the same names as in JSON and CSV.
struct PageReading: Encodable {
    let tag: String
    let number: Int
    let time: Date
    let report: Report

    private enum Key: String, CodingKey {
        case tag, number, time, sensor, values
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(tag, forKey: .tag)
        try object.encode(number, forKey: .number)
        try object.encode((time.timeIntervalSince1970 * 1000).rounded(), forKey: .time)
        try object.encode(report.sensor, forKey: .sensor)
        var values = object.nestedContainer(keyedBy: Report.Key.self, forKey: .values)
        try report.encodeFields(into: &values)
    }
}

extension DeviceInformation {
    /// The lines that the page shows.
    fileprivate var lines: [TagSnapshot.Information] {
        let lines: [(String, String?)] = [
            ("Model", model), ("Manufacturer", manufacturer), ("Serial number", serialNumber), ("Firmware", firmware),
            ("Hardware", hardware), ("Software", software), ("System ID", systemIdentifier?.description),
            ("IEEE 11073 certification", certification?.summary), ("PnP ID", pnpIdentifier?.description),
        ]
        return lines.compactMap { label, text in
            guard let text, !text.isEmpty else { return nil }
            return TagSnapshot.Information(label: label, text: text)
        }
    }
}

extension RegulatoryCertification {
    /// Certifying body, structure, and data, for users.
    fileprivate var summary: String {
        let authority =
            switch body {
            case 0: "none"
            case 1: "IEEE"
            case 2: "Continua"
            case 254: "experimental"
            default: "authority \(body)"
            }
        let rest = description.split(separator: " ").dropFirst(2).joined(separator: " ")
        return "\(authority), structure \(structure)" + (rest.isEmpty ? "" : ": \(rest)")
    }
}
