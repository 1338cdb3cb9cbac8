import CoreBlueZ
import Foundation
import TestSupport
import Testing

@Suite(.virtualTime) struct DataIntegersTests {
    @Test("Bytes become integers in either order")
    func orders() throws {
        let data = Data([0x01, 0x02, 0x03, 0xFF])
        #expect(try data.littleEndian(as: Int32.self) == -0xFC_FDFF)
        #expect(try data.bigEndian(as: UInt32.self) == 0x0102_03FF)
        #expect(try data[2...].littleEndian(as: UInt16.self) == 0xFF03)
        #expect(try data[2...].littleEndian(as: Int16.self) == -0xFD)
        #expect(try data[3...].littleEndian(as: Int8.self) == -1)
        #expect(try data[3...].bigEndian(as: UInt8.self) == 255)
    }

    @Test("Two bytes become a number, the low one first")
    func bytes() {
        #expect(UInt16(lowByte: 0x34, highByte: 0x12) == 0x1234)
        #expect(UInt16(lowByte: 0xFF, highByte: 0x80) == 0x80FF)
    }

    @Test("Another length is an error", arguments: [0, 3, 5, 600])
    func lengths(count: Int) {
        let data = Data(repeating: 1, count: count)
        for read in [
            { _ = try data.littleEndian(as: Int8.self) }, { _ = try data.littleEndian(as: Int16.self) },
            { _ = try data.littleEndian(as: Int32.self) }, { _ = try data.bigEndian(as: UInt16.self) },
        ] as [() throws -> Void] {
            let error = #expect(throws: BluetoothError.self) { try read() }
            #expect(error?.code == .invalidData)
        }
    }
}
