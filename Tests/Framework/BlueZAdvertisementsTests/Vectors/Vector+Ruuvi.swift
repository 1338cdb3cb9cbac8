@testable import BlueZAdvertisements

extension Vector {
    /// The test vectors of docs.ruuvi.com; "XX" of reserved bytes is FF.
    static let ruuvi: [Vector] = [
        ruuvi(
            "RuuviTag 3", "03291a1ece1efc18f94202ca0b53",
            "humidity 20.5 %, temperature 26.3 °C, pressure 102766 Pa, accelerationX -1 g, accelerationY -1.726 g, "
                + "accelerationZ 0.714 g, voltage 2.899 V"),
        ruuvi(
            "RuuviTag 3", "03ff7f63ffff7fff7fff7fffffff",
            "humidity 127.5 %, temperature 127.99 °C, pressure 115535 Pa, accelerationX 32.767 g, "
                + "accelerationY 32.767 g, accelerationZ 32.767 g, voltage 65.535 V"),
        ruuvi(
            "RuuviTag 3", "0300ff6300008001800180010000",
            "humidity 0 %, temperature -127.99 °C, pressure 50000 Pa, accelerationX -32.767 g, "
                + "accelerationY -32.767 g, accelerationZ -32.767 g, voltage 0 V"),
        ruuvi(
            "RuuviTag 5", "0512fc5394c37c0004fffc040cac364200cdcbb8334c884f",
            "temperature 24.3 °C, humidity 53.49 %, pressure 100044 Pa, accelerationX 0.004 g, "
                + "accelerationY -0.004 g, accelerationZ 1.036 g, voltage 2.977 V, txPower 4 dBm, movementCount 66, "
                + "address CB:B8:33:4C:88:4F", counter: 205),
        ruuvi(
            "RuuviTag 5", "057ffffffefffe7fff7fff7fffffdefefffecbb8334c884f",
            "temperature 163.835 °C, humidity 163.835 %, pressure 115534 Pa, accelerationX 32.767 g, "
                + "accelerationY 32.767 g, accelerationZ 32.767 g, voltage 3.646 V, txPower 20 dBm, "
                + "movementCount 254, address CB:B8:33:4C:88:4F", counter: 65534),
        ruuvi(
            "RuuviTag 5", "058001000000008001800180010000000000cbb8334c884f",
            "temperature -163.835 °C, humidity 0 %, pressure 50000 Pa, accelerationX -32.767 g, "
                + "accelerationY -32.767 g, accelerationZ -32.767 g, voltage 1.6 V, txPower -40 dBm, "
                + "movementCount 0, address CB:B8:33:4C:88:4F", counter: 0),
        ruuvi("RuuviTag 5", "058000ffffffff800080008000ffffffffffffffffffffff", ""),
        ruuvi(
            "Ruuvi 6", "06170c5668c79e007000c90501d9ffcd004c884f",
            "temperature 29.5 °C, humidity 55.3 %, pressure 101102 Pa, pm2_5 11.2 µg/m³, co2 201 ppm, voc 10, nox 2, "
                + "luminosity 13026.67 lx, calibrating false, addressEnd 4c884f", counter: 205),
        ruuvi(
            "Ruuvi 6", "067fff9c40fffe27109c40fafafeffff074c8f4f",
            "temperature 163.835 °C, humidity 100 %, pressure 115534 Pa, pm2_5 1000 µg/m³, co2 40000 ppm, voc 500, "
                + "nox 500, luminosity 65535 lx, calibrating true, addressEnd 4c8f4f", counter: 255),
        ruuvi(
            "Ruuvi 6", "0680010000000000000000000000ff00004c884f",
            "temperature -163.835 °C, humidity 0 %, pressure 50000 Pa, pm2_5 0 µg/m³, co2 0 ppm, voc 0, nox 0, "
                + "luminosity 0 lx, calibrating false, addressEnd 4c884f", counter: 0),
        ruuvi("Ruuvi 6", "068000ffffffffffffffffffffffffffffffffff", "calibrating true", counter: 255),
        ruuvi(
            "Ruuvi E1", "e1170c5668c79e0065007004bd11ca00c90a0213e0acffffffdecdee01ffffffffffcbb8334c884f",
            "temperature 29.5 °C, humidity 55.3 %, pressure 101102 Pa, pm1 10.1 µg/m³, pm2_5 11.2 µg/m³, "
                + "pm4 121.3 µg/m³, pm10 455.4 µg/m³, co2 201 ppm, voc 20, nox 4, luminosity 13027 lx, "
                + "calibrating true, address CB:B8:33:4C:88:4F", counter: 14_601_710),
        ruuvi(
            "Ruuvi E1", "e17fff9c40fffe27102710271027109c40fafadc28f0fffffffffffe3fffffffffffcbb8334c884f",
            "temperature 163.835 °C, humidity 100 %, pressure 115534 Pa, pm1 1000 µg/m³, pm2_5 1000 µg/m³, "
                + "pm4 1000 µg/m³, pm10 1000 µg/m³, co2 40000 ppm, voc 500, nox 500, luminosity 144284 lx, "
                + "calibrating true, address CB:B8:33:4C:88:4F", counter: 16_777_214),
        ruuvi(
            "Ruuvi E1", "e1800100000000000000000000000000000000000000ffffff00000000ffffffffffcbb8334c884f",
            "temperature -163.835 °C, humidity 0 %, pressure 50000 Pa, pm1 0 µg/m³, pm2_5 0 µg/m³, pm4 0 µg/m³, "
                + "pm10 0 µg/m³, co2 0 ppm, voc 0, nox 0, luminosity 0 lx, calibrating false, "
                + "address CB:B8:33:4C:88:4F", counter: 0),
        ruuvi(
            "Ruuvi E1",
            "e18000ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
                .replacing(flags: "fe"), "calibrating false"),
    ]

    /// The examples of the tables of format 5's and 6's fields, each in a packet without other values. The document has 244.06 lx
    /// for the code 80, which by its formula is 266.43 lx.
    static let ruuviFields: [Vector] =
        [("01c3", "temperature 2.255 °C"), ("fe3d", "temperature -2.255 °C"), ("0000", "temperature 0 °C")].map {
            ruuvi("RuuviTag 5", "05\($0)ffffffff800080008000ffffffffffffffffffffff", $1)
        }
        + [("271a", "humidity 25.025 %"), ("9c40", "humidity 100 %")].map {
            ruuvi("RuuviTag 5", "058000\($0)ffff800080008000ffffffffffffffffffffff", $1)
        }
        + [("c87d", "pressure 101325 Pa")].map {
            ruuvi("RuuviTag 5", "058000ffff\($0)800080008000ffffffffffffffffffffff", $1)
        }
        + [("00", "0"), ("01", "0.04"), ("10", "1.01"), ("7e", "244.06"), ("80", "266.43"), ("fe", "65535")].map {
            code, lux in
            ruuvi(
                "Ruuvi 6", "068000ffffffffffffffffffff\(code)ff10ffffffff", "luminosity \(lux) lx, calibrating true",
                counter: 0x10)
        }

    private static func ruuvi(_ format: String, _ digits: String, _ readings: String, counter: UInt32? = nil) -> Vector
    {
        Vector(
            document: "docs.ruuvi.com", source: .manufacturer(0x0499), digits: digits, format: format,
            readings: readings, counter: counter)
    }
}

extension String {
    /// The digits of a packet in format E1 with other flags.
    fileprivate func replacing(flags: String) -> String { prefix(56) + flags + dropFirst(58) }
}
