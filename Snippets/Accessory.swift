// Talks to the first accessory that speaks a protocol, over Bluetooth LE or classic Bluetooth.
import BlueZAccessories
import BlueZSerial
import CoreBlueZ
import FoundationEssentials

do {
    try await BluetoothActor.run {
        let central = CentralManager()
        let manager = AccessoryManager(
            central,
            protocols: [
                AccessoryProtocol("com.example.meter", over: .serial(.nordic), .rfcomm(uuid: .serialPort))
            ])
        let session = try await manager.openFirstSession(for: "com.example.meter", timeout: .seconds(60))
        try await session.output.write(Data("hello\r\n".utf8))
        for try await bytes in session.input.bytes {
            print(String(decoding: bytes, as: UTF8.self).escapedForTerminal())
            if bytes.last == UInt8(ascii: "\n") { session.close() }
        }
    }
} catch {
    print(error)
}
