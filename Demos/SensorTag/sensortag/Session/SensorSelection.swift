import ArgumentParser
import BlueZScript
import BlueZSensorTag
import CoreBlueZ

/// Selects sensors of a tag.
@BluetoothActor struct SensorSelection {
    let choices: [SensorChoice]

    nonisolated init(_ choices: [SensorChoice], otherwise: [SensorChoice]) {
        self.choices = choices.isEmpty ? otherwise : choices
    }

    /// Whether all existing sensors are selected.
    var isAll: Bool { choices.contains(.all) }

    /// Those of the selected sensors that the tag has.
    ///
    /// - Throws: `notFound` if it has none.
    func sensors(of tag: SensorTag, say: (String) -> Void) throws(CommandFailure) -> [SensorTagService] {
        var result: [SensorTagService] = []
        for sensor in tag.sensors where isChosen(sensor) {
            if sensor.isDiscovered {
                result.append(sensor)
            } else if !isAll {
                say("This tag has no \(sensor.name) sensor")
            }
        }
        guard !result.isEmpty else {
            throw CommandFailure(.notFound, "This tag has none of the requested sensors")
        }
        return result
    }

    private func isChosen(_ sensor: SensorTagService) -> Bool {
        if isAll { return SensorChoice(rawValue: sensor.name) != nil }
        return choices.contains { $0.rawValue == sensor.name }
    }
}

/// The sensors' names on the command line and in JSON objects.
enum SensorChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case all
    case temperature
    case humidity
    case barometer
    case accelerometer
    case magnetometer
    case gyroscope
    case movement
    case optical
    case keys
    case battery
}
