// A driver: subclasses of Service and Peripheral, built by the manager, and the program that uses them.
import BlueZScript
import CoreBlueZ

final class HeartRateService: Service {
    var handler: (@BluetoothActor (Double) -> Void)?

    init() {
        super.init(name: "heartRate", uuid: 0x180D)
        addCharacteristic("measurement", uuid: 0x2A37)
    }

    override func notificationHandler(_ characteristic: Characteristic, error: BluetoothError?) {
        guard error == nil, let value = characteristic.value,
            let measurement = try? GATTValue(value, of: characteristic.uuid),
            let rate = measurement[.beatsPerMinute]?.number
        else { return }
        handler?(rate)
    }
}

final class HeartRateStrap: Peripheral {
    let heartRate = HeartRateService()

    override init(_ device: DiscoveredDevice) {
        super.init(device)
        addService(heartRate)
    }
}

BluetoothScript.runUntilEnd { script in
    script.central.peripheralBuilder = { HeartRateStrap($0) }
    script.central.keepConnected(as: HeartRateStrap.self, withServices: [0x180D]) { state in
        switch state {
        case .unavailable(let error?), .disconnected(let error): print(error)
        default: break
        }
    } setUp: { strap in
        try await strap.discoverServices()
        strap.heartRate.handler = { print(Int($0), "beats per minute") }
        try await strap.heartRate.characteristic("measurement").setNotifyValue(true)
    }
}
