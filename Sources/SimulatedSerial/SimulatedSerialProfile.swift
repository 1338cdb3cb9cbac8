import BlueZSimulator

/// The characteristics of a simulated serial device.
public struct SimulatedSerialProfile: Hashable, Sendable {
    /// Its name in descriptions.
    public var name: String
    /// The service.
    public var service: BluetoothUUID
    /// The characteristic that a central writes.
    public var write: BluetoothUUID
    /// The characteristic that a central subscribes to; it may be the one that is written.
    public var notify: BluetoothUUID
    /// The characteristic that switches between the stream and commands.
    public var mode: BluetoothUUID?
    /// The characteristic that notifies of events.
    public var events: BluetoothUUID?

    /// Makes a profile.
    public init(
        _ name: String, service: BluetoothUUID, write: BluetoothUUID, notify: BluetoothUUID, mode: BluetoothUUID? = nil,
        events: BluetoothUUID? = nil
    ) {
        self.name = name
        self.service = service
        self.write = write
        self.notify = notify
        self.mode = mode
        self.events = events
    }

    /// The service for a peripheral's specification.
    ///
    /// - Parameters:
    ///   - writing: how the device accepts writes.
    ///   - notifying: how the device notifies.
    public func specification(
        writing: CharacteristicProperties = [.write, .writeWithoutResponse],
        notifying: CharacteristicProperties = [.notify]
    ) -> ServiceSpecification {
        var characteristics: [CharacteristicSpecification] = []
        if write == notify {
            characteristics.append(CharacteristicSpecification(write, writing.union(notifying)))
        } else {
            characteristics.append(CharacteristicSpecification(write, writing))
            characteristics.append(CharacteristicSpecification(notify, notifying))
        }
        if let mode { characteristics.append(CharacteristicSpecification(mode, [.read, .write, .notify], value: [1])) }
        if let events { characteristics.append(CharacteristicSpecification(events, [.notify])) }
        return ServiceSpecification(service, characteristics: characteristics)
    }
}

extension SimulatedSerialProfile {
    /// The Nordic UART Service.
    public static let nordic = SimulatedSerialProfile(
        "nordic", service: "6e400001-b5a3-f393-e0a9-e50e24dcca9e", write: "6e400002-b5a3-f393-e0a9-e50e24dcca9e",
        notify: "6e400003-b5a3-f393-e0a9-e50e24dcca9e")
    /// The Transparent UART of Microchip, formerly ISSC.
    public static let issc = SimulatedSerialProfile(
        "issc", service: "49535343-fe7d-4ae5-8fa9-9fafd205e455", write: "49535343-8841-43f4-a8d4-ecbe34729bb3",
        notify: "49535343-1e4d-4bd9-ba61-23c647249616")
    /// The HM-10 module.
    public static let hm10 = SimulatedSerialProfile("hm10", service: 0xFFE0, write: 0xFFE1, notify: 0xFFE1)
    /// Tertium's TxRx devices.
    public static let tertium = SimulatedSerialProfile(
        "tertium", service: "d7080001-052c-46c4-9978-c0977bebf328", write: "d7080002-052c-46c4-9978-c0977bebf328",
        notify: "d7080003-052c-46c4-9978-c0977bebf328")
    /// Tertium's sensors.
    public static let tertiumSensor = SimulatedSerialProfile(
        "tertium-sensor", service: "f3770001-1164-49bc-8f22-0ac34292c217",
        write: "f3770002-1164-49bc-8f22-0ac34292c217", notify: "f3770003-1164-49bc-8f22-0ac34292c217")
    /// Tertium's Zhaga devices.
    public static let tertiumZhaga = SimulatedSerialProfile(
        "tertium-zhaga", service: "3cc30001-cb91-4947-bd12-80d2f0535a30",
        write: "3cc30002-cb91-4947-bd12-80d2f0535a30", notify: "3cc30003-cb91-4947-bd12-80d2f0535a30",
        events: "3cc30004-cb91-4947-bd12-80d2f0535a30")
    /// Tertium's devices of 2017.
    public static let tertium2017 = SimulatedSerialProfile(
        "tertium-2017", service: "3cc33cdc-cb91-4947-bd12-80d2f0535a30",
        write: "3664d14a-08cb-4465-a98a-ebf84f29e943", notify: "f3774638-1164-49bc-8f22-0ac34292c217")
    /// Tertium's devices for Zebra.
    public static let tertiumZebra = SimulatedSerialProfile(
        "tertium-zebra", service: "c1ff0001-c47e-424d-9495-fb504404b8f5",
        write: "c1ff0002-c47e-424d-9495-fb504404b8f5", notify: "c1ff0003-c47e-424d-9495-fb504404b8f5")
    /// Modules of Zentri, with a mode.
    public static let zentri = SimulatedSerialProfile(
        "zentri", service: "175f8f23-a570-49bd-9627-815a6a27de2a", write: "1cce1ea8-bd34-4813-a00a-c76e028fadcb",
        notify: "cacc07ff-ffff-4c48-8fae-a9ef71b75e26", mode: "20b9794f-da1a-4d14-8014-a0fb9cefb2f7")

    /// All of them.
    public static let all = [
        nordic, issc, hm10, tertium, tertiumSensor, tertiumZhaga, tertium2017, tertiumZebra, zentri,
    ]
}
