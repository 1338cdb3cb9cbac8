import BlueZSimulator

/// A tag whose values the test sets itself. Of the firmware it has what the services depend on: the calibration is zero
/// until 2 is written, a sensor that is switched off sends zeros, periods that are too short are refused.
@SimulatorActor final class FakeTag: SimulatedPeripheralDelegate {
    enum Model: Sendable {
        case cc2541(firmware: String)
        case cc2650(firmware: String)
        /// A device that is not a SensorTag.
        case stranger
    }

    let peripheral: SimulatedPeripheral
    /// Whether the tag answers "2" as it should.
    var hasCalibration = true
    /// Characteristics whose value stays, whatever is written.
    var frozen: Set<String> = []
    static let calibration: [UInt8] = [
        0x81, 0xB2, 0xF8, 0x63, 0xFE, 0xBE, 0x4E, 0x8D, 0x59, 0x1B, 0xC6, 0x07, 0xBF, 0xF6, 0xA6, 0x15,
    ]

    init(_ model: Model, in bluez: SimulatedBlueZ) throws {
        peripheral = try bluez.add(Self.specification(model))
        peripheral.delegate = self
    }

    /// A characteristic on TI's base address, or one of the Bluetooth SIG.
    subscript(_ short: String) -> SimulatedCharacteristic? {
        Self.candidates(short).lazy.compactMap { self.peripheral.characteristic($0) }.first
    }

    /// Everything that was done since the services were read, such as "write aa02 01".
    var log: [String] {
        peripheral.log.filter { $0.operation != .notify }.map { entry in
            let value = entry.operation == .write ? entry.value.map(Self.hexadecimal) : []
            let name = entry.uuid.fullString.dropFirst(4).prefix(4)
            return (["\(entry.operation)", "\(name)"] + (value.isEmpty ? [] : [value.joined()])).joined(separator: " ")
        }
    }

    func notify(_ short: String, _ value: [UInt8]) -> Bool {
        self[short].map { peripheral.notify(value, from: $0) } ?? false
    }

    // MARK: What the firmware does

    func peripheralDidDisconnect(_ peripheral: SimulatedPeripheral) {
        self["aa43"]?.value = [UInt8](repeating: 0, count: 16)
    }

    func peripheral(
        _ peripheral: SimulatedPeripheral,
        write value: [UInt8],
        to characteristic: SimulatedCharacteristic,
        request: AttributeRequest
    ) {
        let short = String(characteristic.uuid.fullString.dropFirst(4).prefix(4))
        if Self.periods.contains(short), value.count != 1 || value[0] < 10 {
            return request.fail(ATTError(rawValue: 0x80))
        }
        if short == "aa42", let calibration = self["aa43"] {
            switch value {
            case [0]: calibration.value = [UInt8](repeating: 0, count: 16)
            case [2]: calibration.value = hasCalibration ? Self.calibration : calibration.value
            default: break
            }
        }
        if value != [2] || short != "aa42", !frozen.contains(short) { characteristic.value = value }
        request.respond()
        guard let data = Self.dataOfConfiguration[short] else { return }
        // The movement sensor sends zeros after each write, the others when they are switched off.
        if short == "aa82" { _ = notify(data, [UInt8](repeating: 0, count: 18)) }
        if value == [0] { _ = notify(data, [0, 0, 0, 0]) }
    }

    private static let periods: Set = ["aa03", "aa13", "aa23", "aa33", "aa44", "aa53", "aa73", "aa83"]
    private static let dataOfConfiguration = [
        "aa02": "aa01", "aa12": "aa11", "aa22": "aa21", "aa32": "aa31", "aa42": "aa41", "aa52": "aa51", "aa72": "aa71",
        "aa82": "aa81",
    ]

    nonisolated static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    private nonisolated static func candidates(_ short: String) -> [BluetoothUUID] {
        ["f000\(short)-0451-4000-b000-000000000000", short].compactMap { BluetoothUUID($0) }
    }
}
