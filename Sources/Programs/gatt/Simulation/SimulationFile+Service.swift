import BlueZJSONLine
import BlueZSimulator

extension SimulationFile {
    /// A service, and the behaviour of its characteristics.
    struct Service {
        private enum Key: String, CaseIterable { case uuid, primary, handle, characteristics }

        /// With its characteristics.
        var specification: ServiceSpecification
        var characteristics: [Characteristic] = []

        init(specification: ServiceSpecification) {
            self.specification = specification
        }

        init(_ value: FileValue) throws(FileError) {
            let object = try FileObject<Key>(value, "a service")
            for element in try object[.characteristics]?.elements() ?? [] {
                characteristics.append(try Characteristic(element))
            }
            specification = ServiceSpecification(
                try object.required(.uuid).uuid(), isPrimary: try object[.primary]?.flag() ?? true,
                handle: try object[.handle]?.integer(in: 1...UInt16.max),
                characteristics: characteristics.map(\.specification))
        }
    }

    /// A characteristic, with what happens when it is used.
    struct Characteristic {
        private enum Key: String, CaseIterable {
            case uuid, properties, value, text, handle, encrypted, authenticated, readError, writeError, delay
            case notifications, responses, descriptors
        }

        var specification: CharacteristicSpecification
        var faults = AttributeFaults()
        var notifications: Notifications?
        /// The responses' places in the file, for errors that are found later.
        var responseValues: [FileValue] = []

        init(specification: CharacteristicSpecification) {
            self.specification = specification
        }

        init(_ value: FileValue) throws(FileError) {
            let object = try FileObject<Key>(value, "a characteristic")
            specification = CharacteristicSpecification(
                try object.required(.uuid).uuid(), try object.required(.properties).properties(),
                value: try object.bytes(.value, .text) ?? [], handle: try object[.handle]?.integer(in: 1...UInt16.max),
                needsEncryption: try object[.encrypted]?.flag() ?? false,
                needsAuthentication: try object[.authenticated]?.flag() ?? false)
            for element in try object[.descriptors]?.elements() ?? [] {
                specification.descriptors.append(try DescriptorSpecification(element))
            }
            responseValues = try object[.responses]?.elements() ?? []
            for element in responseValues { specification.responses.append(try WriteResponse(element)) }
            faults.readError = try object[.readError].map(ATTError.init)
            faults.writeError = try object[.writeError].map(ATTError.init)
            faults.delay = try object[.delay]?.seconds() ?? .zero
            notifications = try object[.notifications].map(Notifications.init)
        }
    }

    /// Values that are sent one after another.
    struct Notifications {
        private enum Key: String, CaseIterable { case values, interval, `repeat` }

        var values: [[UInt8]] = []
        var interval: Duration
        var repeats: Bool

        init(_ value: FileValue) throws(FileError) {
            let object = try FileObject<Key>(value, "notifications")
            for element in try object.required(.values).elements() { values.append(try element.bytes()) }
            interval = try object[.interval]?.seconds() ?? .seconds(1)
            repeats = try object[.repeat]?.flag() ?? true
        }
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
