import CoreBlueZ

extension SerialProfile {
    /// The Nordic UART Service, which many modules and development boards use.
    public static let nordic = SerialProfile(
        name: "Nordic UART",
        service: uuid(0x6E40_0001_B5A3_F393, 0xE0A9_E50E_24DC_CA9E),
        write: uuid(0x6E40_0002_B5A3_F393, 0xE0A9_E50E_24DC_CA9E),
        notify: uuid(0x6E40_0003_B5A3_F393, 0xE0A9_E50E_24DC_CA9E))

    /// The Transparent UART of Microchip, formerly ISSC.
    public static let issc = SerialProfile(
        name: "Microchip Transparent UART",
        service: uuid(0x4953_5343_FE7D_4AE5, 0x8FA9_9FAF_D205_E455),
        write: uuid(0x4953_5343_8841_43F4, 0xA8D4_ECBE_3472_9BB3),
        notify: uuid(0x4953_5343_1E4D_4BD9, 0xBA61_23C6_4724_9616),
        packetSize: 20)

    /// The HM-10 module and its clones. Other devices use its UUIDs for other purposes (the SensorTag for its keys), so
    /// it is not part of `recognizable`. Specify it if your device has it, or derive a profile from it with
    /// `companions`.
    public static let hm10 = SerialProfile(
        name: "HM-10", service: 0xFFE0, write: 0xFFE1, notify: 0xFFE1, packetSize: 20)

    /// Tertium's TxRx devices.
    public static let tertium = SerialProfile(
        name: "Tertium TxRx",
        service: uuid(0xD708_0001_052C_46C4, 0x9978_C097_7BEB_F328),
        write: uuid(0xD708_0002_052C_46C4, 0x9978_C097_7BEB_F328),
        notify: uuid(0xD708_0003_052C_46C4, 0x9978_C097_7BEB_F328),
        terminator: "\r\n", packetSize: 240)

    /// Tertium's sensors.
    public static let tertiumSensor = SerialProfile(
        name: "Tertium sensor",
        service: uuid(0xF377_0001_1164_49BC, 0x8F22_0AC3_4292_C217),
        write: uuid(0xF377_0002_1164_49BC, 0x8F22_0AC3_4292_C217),
        notify: uuid(0xF377_0003_1164_49BC, 0x8F22_0AC3_4292_C217),
        terminator: "\r\n", packetSize: 240)

    /// Tertium's Zhaga devices, which also notify of events.
    public static let tertiumZhaga = SerialProfile(
        name: "Tertium Zhaga",
        service: uuid(0x3CC3_0001_CB91_4947, 0xBD12_80D2_F053_5A30),
        write: uuid(0x3CC3_0002_CB91_4947, 0xBD12_80D2_F053_5A30),
        notify: uuid(0x3CC3_0003_CB91_4947, 0xBD12_80D2_F053_5A30),
        events: uuid(0x3CC3_0004_CB91_4947, 0xBD12_80D2_F053_5A30),
        terminator: "\r", packetSize: 240)

    /// Tertium's devices of 2017.
    public static let tertium2017 = SerialProfile(
        name: "Tertium of 2017",
        service: uuid(0x3CC3_3CDC_CB91_4947, 0xBD12_80D2_F053_5A30),
        write: uuid(0x3664_D14A_08CB_4465, 0xA98A_EBF8_4F29_E943),
        notify: uuid(0xF377_4638_1164_49BC, 0x8F22_0AC3_4292_C217),
        terminator: "\r\n", packetSize: 20)

    /// Tertium's devices for Zebra.
    public static let tertiumZebra = SerialProfile(
        name: "Tertium-Zebra",
        service: uuid(0xC1FF_0001_C47E_424D, 0x9495_FB50_4404_B8F5),
        write: uuid(0xC1FF_0002_C47E_424D, 0x9495_FB50_4404_B8F5),
        notify: uuid(0xC1FF_0003_C47E_424D, 0x9495_FB50_4404_B8F5),
        terminator: "\r\n", packetSize: 240)

    /// Modules by Zentri, also called Ackme, with a characteristic for their mode. Packets have 15 bytes, although one
    /// library for these modules writes 20.
    public static let zentri = SerialProfile(
        name: "Zentri",
        service: uuid(0x175F_8F23_A570_49BD, 0x9627_815A_6A27_DE2A),
        write: uuid(0x1CCE_1EA8_BD34_4813, 0xA00A_C76E_028F_ADCB),
        notify: uuid(0xCACC_07FF_FFFF_4C48, 0x8FAE_A9EF_71B7_5E26),
        mode: uuid(0x20B9_794F_DA1A_4D14, 0x8014_A0FB_9CEF_B2F7),
        terminator: "\r\n", packetSize: 15)

    /// All known profiles.
    public static let all = [
        nordic, issc, tertium, tertiumSensor, tertiumZhaga, tertium2017, tertiumZebra, zentri, hm10,
    ]

    /// All known profiles with unique UUIDs, which are all except `hm10`.
    public static let recognizable = all.filter { $0 != hm10 }

    private static func uuid(_ high: UInt64, _ low: UInt64) -> BluetoothUUID {
        BluetoothUUID(high: high, low: low)
    }
}
