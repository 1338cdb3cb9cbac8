import BlueZScript
import BlueZSimulator
import CoreBlueZ
import PeripheralServer

/// The peripheral of a file, as this computer can be it.
struct ServedDescription {
    private let path: String
    private let description: SimulationFile.Peripheral
    /// Messages for users about parts of the file without effect.
    let notes: [String]

    /// - Throws: `data` if the file does not describe one peripheral with services.
    init(_ file: SimulationFile) throws(CommandFailure) {
        path = file.path
        guard var description = file.peripherals.first else {
            throw CommandFailure(.data, "\(file.path): There is no peripheral to serve")
        }
        guard file.peripherals.count == 1 else {
            throw CommandFailure(
                .data,
                """
                \(file.path):\(file.peripherals[1].line): The file has \(file.peripherals.count) peripherals, but this \
                computer can only be one; put it into a file of its own
                """)
        }
        description.leaveOutGenericServices()
        guard !description.specification.services.isEmpty else {
            throw CommandFailure(.data, "\(file.path):\(description.line): The peripheral has no services to serve")
        }
        var notes: [String] = []
        if !description.genericServices.isEmpty {
            let uuids = description.genericServices.map(\.description).joined(separator: " and ")
            notes.append("BlueZ offers \(uuids) itself; what the file says about that is left out")
        }
        let ignored = description.radioKeys
        if !ignored.isEmpty { notes.append("Without effect in gatt serve: \(ignored.joined(separator: ", "))") }
        self.notes = notes
        self.description = description.withoutHandles
    }

    /// Creates the peripheral, and the behaviour that must be kept with it.
    func peripheral() async throws(CommandFailure) -> (SimulatedPeripheral, FileBehaviour) {
        let specification = description.specification
        guard specification.endHandle <= UInt16.max else {
            throw CommandFailure(.data, "\(path):\(description.line): The attributes need more handles than there are")
        }
        return await SimulatorActor.run {
            let peripheral = SimulatedPeripheral(specification)
            let behaviour = FileBehaviour()
            behaviour.add(description, peripheral)
            return (peripheral, behaviour)
        }
    }

    // MARK: Advertising

    /// The bytes of a legacy advertisement.
    private static let length = 31

    /// Returns the file's advertisement, with the first services that fit if it names none.
    func advertisement(name: String?) -> LocalAdvertisement {
        var advertisement = LocalAdvertisement(description.specification)
        if let name { advertisement.localName = name }
        guard advertisement.serviceUUIDs.isEmpty else { return advertisement }
        for service in description.specification.services where service.isPrimary {
            guard !advertisement.serviceUUIDs.contains(service.uuid) else { continue }
            var longer = advertisement
            longer.serviceUUIDs.append(service.uuid)
            if longer.length <= Self.length { advertisement = longer }
        }
        return advertisement
    }

    /// The failure for an error of publishing, or of an advertisement.
    func failure(_ error: BluetoothError, of advertisement: LocalAdvertisement? = nil) -> CommandFailure {
        guard error.code == .invalidArguments || error.code == .valueTooLong else { return CommandFailure(error) }
        var message = "\(path): \(error.message)"
        if let advertisement {
            if advertisement.length > Self.length {
                message += "\nLeave one of these out: " + Self.parts(of: advertisement).joined(separator: ", ")
            } else {
                message += "\nGive it a shorter name: --name NAME"
            }
            message += "; or use --no-advertising"
        }
        return CommandFailure(.data, message)
    }

    /// The keys of the file, with the bytes that each takes.
    private static func parts(of advertisement: LocalAdvertisement) -> [String] {
        var parts: [String] = []
        func add(_ key: String, _ change: (inout LocalAdvertisement) -> Void) {
            var shorter = advertisement
            change(&shorter)
            let difference = advertisement.length - shorter.length
            if difference > 0 { parts.append("\(key) (\(difference) bytes)") }
        }
        add("advertisedServices") { $0.serviceUUIDs = [] }
        for company in advertisement.manufacturerData.keys.sorted() {
            add("manufacturerData \(CharacteristicMatch.hexadecimal(company))") { $0.manufacturerData[company] = nil }
        }
        for service in advertisement.serviceData.keys.sorted() {
            add("serviceData \(service)") { $0.serviceData[service] = nil }
        }
        add("appearance") { $0.appearance = nil }
        add("txPower") { $0.includesTxPower = false }
        return parts
    }
}

extension SimulationFile.Peripheral {
    /// The keys that concern a simulated radio.
    fileprivate var radioKeys: [String] {
        let keys: [(isGiven: Bool, name: String)] = [
            (appearsAfter != nil, name: "appearsAfter"), (refusesConnections, "refusesConnections"),
            (presence != nil, "presence"), (specification.advertisements != nil, "advertisements"),
            (specification.usesExtendedAdvertising, "extended"),
        ]
        return keys.filter(\.isGiven).map(\.name)
    }

    /// The same without handles, which bluetoothd chooses. A serial device sends as much at a time as every central
    /// takes: bluetoothd cuts longer values.
    fileprivate var withoutHandles: Self {
        var copy = self
        copy.specification.hasGenericServices = false
        if serial != nil { copy.specification.maximumMTU = 23 }
        for service in copy.specification.services.indices {
            copy.specification.services[service].handle = nil
            for characteristic in copy.specification.services[service].characteristics.indices {
                copy.specification.services[service].characteristics[characteristic].handle = nil
            }
        }
        return copy
    }
}
