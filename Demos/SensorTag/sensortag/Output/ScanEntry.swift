import BlueZScript
import BlueZSensorTag
import CoreBlueZ
import SensorTagProgram

/// A device whose advertisement was received.
struct ScanEntry: Equatable, Sendable {
    var address: String
    var name: String?
    /// The generation by the advertisement; nil if the device does not seem to be a SensorTag.
    var generation: String?
    /// In dBm.
    var rssi: Int?
}

extension ScanEntry {
    @BluetoothActor init(_ peripheral: Peripheral, _ rssi: Int?) {
        address = peripheral.address?.description ?? "-"
        name = peripheral.name ?? peripheral.advertisement.localName
        generation = (peripheral as? SensorTag)?.likelyGeneration?.description
        self.rssi = rssi
    }
}

extension Report {
    init(_ entry: ScanEntry) {
        self.init(
            sensor: "scan",
            fields: [
                .text("name", entry.name),
                .number("rssi_dbm", "signal", entry.rssi.map(Double.init), "dBm", decimals: 0),
                .text("generation", entry.generation),
            ])
    }
}

extension ScanEntry {
    /// The list that a terminal shows, by address.
    static var table: DeviceTable<String> {
        DeviceTable(
            [.init("ADDRESS", width: 19), .init("NAME", .strong), .init("GENERATION", width: 12)],
            devices: "SensorTags")
    }

    /// The columns of `table`.
    var texts: [String] { [address, name ?? "-", generation ?? "-"] }
}
