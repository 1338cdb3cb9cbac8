// Takes five values of the humidity sensor as an asynchronous sequence.
import CoreBlueZ

do {
    try await BluetoothActor.run {
        let central = CentralManager(knownPeripheralNames: ["SensorTag", "TI BLE Sensor Tag"])
        let tag = try await central.firstPeripheral()
        try await tag.connect()
        try await tag.discoverServices()
        let humidity = tag.service("F000AA20-0451-4000-B000-000000000000")
        let data = humidity.characteristic("F000AA21-0451-4000-B000-000000000000")
        let configuration = humidity.characteristic("F000AA22-0451-4000-B000-000000000000")
        let values = try await data.notifications()
        try await configuration.writeByte(1)
        var count = 0
        for try await value in values {
            print([UInt8](value))
            count += 1
            if count == 5 { break }
        }
        try await data.setNotifyValue(false)
        try await configuration.writeByte(0)
        try await tag.disconnect()
    }
} catch {
    print(error)
}
