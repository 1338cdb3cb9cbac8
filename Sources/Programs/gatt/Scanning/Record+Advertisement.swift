import CoreBlueZ

extension Record {
    @BluetoothActor init(advertisementOf peripheral: Peripheral, _ rssi: Int?) {
        self.init("advertisement", peripheral)
        addressType = peripheral.addressKind?.rawValue
        self.rssi = rssi
        describe(peripheral.advertisement)
    }

    mutating func describe(_ advertisement: AdvertisementData) {
        txPower = advertisement.txPowerLevel
        appearance = advertisement.appearance
        appearanceName = advertisement.appearance.flatMap { AssignedNumbers.appearanceName($0) }
        serviceUUIDs = advertisement.serviceUUIDs.map(\.description)
        var data: [String: String] = [:]
        var names: [String: String] = [:]
        for (company, bytes) in advertisement.manufacturerData {
            let key = CharacteristicMatch.hexadecimal(company)
            data[key] = ValueFormat.hex(bytes)
            names[key] = AssignedNumbers.companyName(company)
        }
        manufacturerData = data
        companies = names
        serviceData = Dictionary(
            advertisement.serviceData.map { ($0.key.description, ValueFormat.hex($0.value)) }, uniquingKeysWith: { $1 })
    }
}
