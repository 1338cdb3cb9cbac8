// A device that has to be set up over each link, also over one that came back by itself.
import BlueZScript
import CoreBlueZ

/// A SensorTag's barometer is off when the tag was switched on, or was out of range for a while.
final class Barometer: Peripheral {
    private let base = BluetoothUUID(high: 0xF000_0000_0451_4000, low: 0xB000_0000_0000_0000)

    func turnOn() async throws(BluetoothError) {
        try await discoverServices()
        try await service(base.replacingShort(with: 0xAA40)).characteristic(base.replacingShort(with: 0xAA42))
            .writeByte(1)
    }
}

BluetoothScript.runUntilEnd { script in
    script.central.peripheralBuilder = { Barometer($0) }
    script.central.keepConnected(as: Barometer.self) { state in
        switch state {
        case .connected(let tag): print(tag.displayName, "measures")
        case .disconnected(let error): print(error)
        default: break
        }
    } setUp: { tag in
        try await tag.turnOn()
    } where: { tag, _ in
        tag.name == "SensorTag" || tag.name == "TI BLE Sensor Tag"
    }
}
