import BlueZScript
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials

extension InspectCommand {
    /// Writes the driver of the device, and the file that simulates it.
    @BluetoothActor func writeDriver(_ name: DriverName, _ session: Session) async throws {
        if !overwrite {
            for path in [name.swiftFile, name.simulationFile] { try NewFile.refuse(existing: path) }
        }
        var (names, advertisement): ([String?], AdvertisementData) = ([], AdvertisementData())
        let peripheral = try await session.services(device, connection) { found in
            names = [found.advertisement.localName, found.name]
            advertisement = found.advertisement
        }
        names.append(peripheral.name)
        let distinct = names.reduce(into: [String]()) { names, name in
            if let name, !names.contains(name) { names.append(name) }
        }
        var description = SimulationFile.Peripheral(peripheral, distinct.first ?? "", advertisement)
        try await Progress.during("Reading the values of \(peripheral.displayName)") {
            description.specification.services = try await services(of: peripheral, session)
        }
        let driver = SwiftDriver(name, DriverDevice(names: distinct, description: description))
        try create([(name.swiftFile, driver.text), (name.simulationFile, description.text)])
        for path in [name.swiftFile, name.simulationFile] { try session.output.line(path) }
    }

    /// The services with their characteristics and descriptors, and the values that can be read.
    @BluetoothActor private func services(
        of peripheral: Peripheral, _ session: Session
    ) async throws -> [ServiceSpecification] {
        let state = ReadingState(session)
        var services: [ServiceSpecification] = []
        for service in peripheral.services.filter(\.isDiscovered).sorted(by: { $0.handle < $1.handle }) {
            // BlueZ uses these itself, and every simulated peripheral has its own.
            guard ![.genericAccess, .genericAttribute].contains(service.uuid) else { continue }
            var part = ServiceSpecification(service.uuid, isPrimary: service.isPrimary, handle: service.handle)
            for characteristic in try await service.discoverCharacteristics() {
                let reading = try await read(characteristic, state)
                var found = CharacteristicSpecification(characteristic, reading)
                for descriptor in try await characteristic.discoverDescriptors()
                where descriptor.uuid != .clientConfiguration {
                    let value = try await read(descriptor, state)
                    found.descriptors.append(
                        DescriptorSpecification(descriptor.uuid, value: [UInt8]((try? value?.get()) ?? Data())))
                }
                part.characteristics.append(found)
            }
            services.append(part)
        }
        return services
    }

    /// Creates both files, or none.
    private func create(_ texts: [(path: String, text: String)]) throws {
        var files: [NewFile] = []
        do {
            for (path, text) in texts {
                let file = try NewFile(
                    path, overwrites: overwrite, permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
                files.append(file)
                try file.write(text.utf8)
            }
        } catch {
            for file in files { file.discard() }
            throw error
        }
    }
}

extension SimulationFile.Peripheral {
    /// Creates the description of a device without its services.
    ///
    /// - Parameter advertisement: what BlueZ knew before it was connected.
    @BluetoothActor fileprivate init(
        _ peripheral: CoreBlueZ.Peripheral, _ name: String, _ advertisement: AdvertisementData
    ) {
        line = 1
        specification = PeripheralSpecification(
            name: name, address: peripheral.address?.description ?? "", addressType: peripheral.addressKind ?? .public)
        let mtu = peripheral.services.lazy.flatMap(\.characteristics).compactMap(\.mtu).first
        specification.maximumMTU = mtu.flatMap(UInt16.init(exactly:)) ?? specification.maximumMTU
        specification.advertisement.appearance = advertisement.appearance
        specification.advertisement.txPowerLevel = advertisement.txPowerLevel
        specification.advertisement.manufacturerData = advertisement.manufacturerData
        // After the first connection, BlueZ has the UUIDs of all services here. Generic Attribute shows that: no device
        // advertises it.
        if !advertisement.serviceUUIDs.contains(.genericAttribute) {
            specification.advertisement.serviceUUIDs = advertisement.serviceUUIDs
        }
        specification.advertisement.serviceData = advertisement.serviceData
        specification.extendAdvertisementIfNeeded()
    }
}

extension CharacteristicSpecification {
    /// Creates the description of a characteristic, with the result of reading it.
    @BluetoothActor fileprivate init(_ characteristic: Characteristic, _ reading: Result<Data, BluetoothError>?) {
        self.init(characteristic.uuid, characteristic.properties, handle: characteristic.handle)
        switch reading {
        case nil: break
        case .success(let value): self.value = [UInt8](value.prefix(512))
        // Without an agent, bluetoothd does not respond to a read that requires pairing.
        case .failure(let error) where [.insufficientSecurity, .timedOut].contains(error.code):
            needsEncryption = true
        case .failure(let error): faults.readError = error.attError
        }
    }
}
