/// The model of a simulated SensorTag. The raw value is its name on a command line.
public enum SensorTagModel: String, CaseIterable, Hashable, Sendable {
    /// The first generation with firmware 1.5.
    case cc2541
    /// The first generation with firmware 1.3: fewer period characteristics, no connection control, accelerometer of ±2
    /// g.
    case cc2541Firmware1_3 = "cc2541-1.3"
    /// The second generation ("SensorTag 2.0") with firmware 1.50.
    case cc2650

    /// Whether its firmware is older than 1.4: a period for the accelerometer and the magnetometer only, which is lost
    /// when they are turned off, one range, and no connection control.
    var hasOldFirmware: Bool { self == .cc2541Firmware1_3 }

    /// Whether it is of the first generation.
    var isFirstGeneration: Bool { self != .cc2650 }

    /// The device information's firmware revision: version, and the date of the build in the format of C's `__DATE__`.
    var firmwareRevision: String {
        switch self {
        case .cc2541: "1.5 (Oct 23 2013)"
        case .cc2541Firmware1_3: "1.3 (Mar  4 2013)"
        case .cc2650: "1.50 (Apr 24 2018)"
        }
    }

    /// The default address of a simulated tag; its first half is TI's.
    public var defaultAddress: String {
        isFirstGeneration ? "BC:6A:29:AB:AB:50" : "B0:B4:48:AB:AB:50"
    }

    /// The sensors, in the order of the attribute table.
    var designs: [SensorDesign] {
        isFirstGeneration
            ? [
                .temperature(self), .accelerometer(self), .humidity(self), .magnetometer(self), .barometer(self),
                .gyroscope(self),
            ] : [.temperature(self), .humidity(self), .barometer(self), .optical, .movement]
    }
}
