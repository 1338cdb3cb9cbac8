// What a device has, with the names that the Bluetooth SIG has assigned.
import BlueZScript
import CoreBlueZ

BluetoothScript.run {
    let central = CentralManager()
    for try await result in central.scanResults(options: ScanOptions(duration: .seconds(5))) {
        // SensorTag (BC:6A:29:AB:AB:50), disconnected, -60 dBm, "SensorTag", services [Battery (180F)]
        print(result)
        for company in result.advertisement.manufacturerData.keys {
            print("made by", AssignedNumbers.companyName(company) ?? "company \(company)")
        }
        if let appearance = result.advertisement.appearance.flatMap(AssignedNumbers.appearanceName) {
            print("looks like", appearance)
        }
    }
    let peripheral = try await central.firstPeripheral()
    try await peripheral.connect()
    for service in try await peripheral.discoverServices() {
        print(service)
        for characteristic in service.characteristics { print("   ", characteristic) }
    }
    // BluetoothUUID.name is nil for a number that isn't assigned.
    let battery = BluetoothUUID(0x2A19)
    print(battery.name ?? battery.description)
}
