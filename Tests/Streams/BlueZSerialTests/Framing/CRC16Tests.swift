import BlueZSerial
import TestSupport
import Testing

@Suite("CRC16", .virtualTime) struct CRC16Tests {
    @Test(
        "The check values are those of the catalogue",
        arguments: [
            (CRC16.ccittFalse, 0x29B1),
            (.xmodem, 0x31C3),
            (.kermit, 0x2189),
            // SPI-FUJITSU, MCRF4XX, RIELLO, UMTS and ARC of the same catalogue.
            (CRC16(initialValue: 0x1D0F), 0xE5CC),
            (CRC16(initialValue: 0xFFFF, isReflected: true), 0x6F91),
            (CRC16(initialValue: 0xB2AA, isReflected: true), 0x63D0),
            (CRC16(polynomial: 0x8005, initialValue: 0), 0xFEE8),
            (CRC16(polynomial: 0x8005, initialValue: 0, isReflected: true), 0xBB3D),
        ] as [(CRC16, UInt16)])
    func checkValues(crc: CRC16, check: UInt16) {
        #expect(crc.checksum(of: "123456789".utf8) == check)
    }
}
