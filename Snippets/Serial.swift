// A serial device over GATT: find, connect, open, send, receive. And a device that replies to commands.
import BlueZSerial
import CoreBlueZ
import FoundationEssentials

do {
    try await BluetoothActor.run {
        let central = CentralManager()
        let peripheral = try await central.firstPeripheral { found, _ in found.name == "UART" }
        try await peripheral.connect()
        let port = try await peripheral.discoverSerialService()
        try await port.open()
        try await port.send(Data("hello\r\n".utf8))
        for try await bytes in port.received() {
            print(String(decoding: bytes, as: UTF8.self).escapedForTerminal())
            if bytes.last == UInt8(ascii: "\n") { break }
        }

        let session = TxRxSession(port, terminator: "\r\n")
        let reply = try await session.send(Data("VERSION".utf8))
        print(String(decoding: reply, as: UTF8.self).escapedForTerminal())
        try await peripheral.disconnect()
    }
} catch {
    print(error)
}
