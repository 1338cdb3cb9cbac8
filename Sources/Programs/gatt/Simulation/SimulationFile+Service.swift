import BlueZJSONLine
import BlueZSimulator

extension ServiceSpecification {
    private enum Key: String, CaseIterable { case uuid, primary, handle, characteristics }

    init(_ value: FileValue) throws(FileError) {
        let object = try FileObject<Key>(value, "a service")
        self.init(
            try object.required(.uuid).uuid(), isPrimary: try object[.primary]?.flag() ?? true,
            handle: try object[.handle]?.integer(in: 1...UInt16.max))
        for element in try object[.characteristics]?.elements() ?? [] {
            characteristics.append(try CharacteristicSpecification(element))
        }
    }

    /// Checks the responses of a service in a peripheral: each needs a characteristic that is written, and one that
    /// notifies or indicates.
    func checkResponses(_ value: FileValue, in peripheral: PeripheralSpecification) throws(FileError) {
        let elements = try FileObject<Key>(value, "a service")[.characteristics]?.elements() ?? []
        let all = characteristics + peripheral.services.flatMap(\.characteristics)
        for (element, characteristic) in zip(elements, characteristics) {
            try characteristic.checkResponses(element, among: all)
        }
    }
}

extension CharacteristicSpecification {
    private enum Key: String, CaseIterable {
        case uuid, properties, value, text, handle, encrypted, authenticated, readError, writeError, delay
        case notifications, responses, descriptors
    }

    fileprivate init(_ value: FileValue) throws(FileError) {
        let object = try FileObject<Key>(value, "a characteristic")
        self.init(
            try object.required(.uuid).uuid(), try object.required(.properties).properties(),
            value: try object.bytes(.value, .text) ?? [], handle: try object[.handle]?.integer(in: 1...UInt16.max),
            needsEncryption: try object[.encrypted]?.flag() ?? false,
            needsAuthentication: try object[.authenticated]?.flag() ?? false)
        for element in try object[.descriptors]?.elements() ?? [] {
            descriptors.append(try DescriptorSpecification(element))
        }
        for element in try object[.responses]?.elements() ?? [] { responses.append(try WriteResponse(element)) }
        faults.readError = try object[.readError].map(ATTError.init)
        faults.writeError = try object[.writeError].map(ATTError.init)
        faults.delay = try object[.delay]?.seconds() ?? .zero
        notifications = try object[.notifications].map(NotificationSeries.init)
    }

    fileprivate func checkResponses(_ value: FileValue, among all: [CharacteristicSpecification]) throws(FileError) {
        let elements = try FileObject<Key>(value, "a characteristic")[.responses]?.elements() ?? []
        for (element, response) in zip(elements, responses) { try response.check(element, of: self, among: all) }
    }
}

extension NotificationSeries {
    private enum Key: String, CaseIterable { case values, interval, `repeat` }

    fileprivate init(_ value: FileValue) throws(FileError) {
        let object = try FileObject<Key>(value, "notifications")
        self.init(
            [], every: try object[.interval]?.seconds() ?? .seconds(1), repeats: try object[.repeat]?.flag() ?? true)
        for element in try object.required(.values).elements() { values.append(try element.bytes()) }
    }
}

extension DescriptorSpecification {
    private enum Key: String, CaseIterable { case uuid, value, text, writable }

    fileprivate init(_ value: FileValue) throws(FileError) {
        let object = try FileObject<Key>(value, "a descriptor")
        self.init(
            try object.required(.uuid).uuid(), value: try object.bytes(.value, .text) ?? [],
            isWritable: try object[.writable]?.flag() ?? false)
    }
}

extension ATTError {
    fileprivate init(_ value: FileValue) throws(FileError) {
        self.init(rawValue: try value.integer(in: 1...UInt8.max))
    }
}
