// Prints the readings of the sensors around, and the presses of their buttons, for ten seconds.
import BlueZAdvertisements
import CoreBlueZ

do {
    try await BluetoothActor.run {
        var last: [BluetoothAddress?: [AdvertisementPart]] = [:]
        let central = CentralManager()
        let options = ScanOptions(allowDuplicates: true, duration: .seconds(10))
        try await central.scanForPeripherals(options: options) { peripheral, data, _ in
            let address = peripheral.address
            let advertisement = Advertisement(decoding: data, from: address)
            for reading in advertisement.readings { print(peripheral.displayName, reading) }
            for part in advertisement.parts where last[address]?.contains(where: part.repeats) != true {
                for event in part.events { print(peripheral.displayName, event.kind, event.action) }
            }
            last[address] = advertisement.parts
        }
    }
} catch {
    print(error)
}
