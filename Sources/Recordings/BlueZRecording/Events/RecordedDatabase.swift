import BlueZJSONLine
import BlueZValues

/// `database`: the services of a device as far as they are known.
package struct RecordedDatabase: Equatable, Sendable, RecordedFields {
    /// A service.
    package struct Service: Equatable, Sendable {
        package var uuid: BluetoothUUID
        package var handle: UInt16
        /// The last handle, if known.
        package var end: UInt16?
        package var isPrimary: Bool
        package var includes: [Include] = []
        package var characteristics: [Characteristic] = []

        package init(uuid: BluetoothUUID, handle: UInt16, end: UInt16? = nil, isPrimary: Bool = true) {
            self.uuid = uuid
            self.handle = handle
            self.end = end
            self.isPrimary = isPrimary
        }
    }

    /// A service that another one includes.
    package struct Include: Equatable, Sendable {
        package var handle: UInt16
        package var end: UInt16?
        package var uuid: BluetoothUUID?

        package init(handle: UInt16, end: UInt16? = nil, uuid: BluetoothUUID? = nil) {
            self.handle = handle
            self.end = end
            self.uuid = uuid
        }
    }

    /// A characteristic.
    package struct Characteristic: Equatable, Sendable {
        package var uuid: BluetoothUUID
        /// The handle of the declaration.
        package var handle: UInt16
        /// The handle of the value: usually the next.
        package var valueHandle: UInt16
        package var properties: CharacteristicProperties
        package var descriptors: [Descriptor] = []

        /// Creates a characteristic.
        ///
        /// - Parameter valueHandle: that of the value, if it isn't the next.
        package init(
            uuid: BluetoothUUID, handle: UInt16, valueHandle: UInt16? = nil, properties: CharacteristicProperties
        ) {
            self.uuid = uuid
            self.handle = handle
            self.valueHandle = valueHandle ?? handle &+ 1
            self.properties = properties
        }
    }

    /// A descriptor.
    package struct Descriptor: Equatable, Sendable {
        package var uuid: BluetoothUUID
        package var handle: UInt16

        package init(uuid: BluetoothUUID, handle: UInt16) {
            self.uuid = uuid
            self.handle = handle
        }
    }

    let name = "database"
    package var device: BluetoothAddress
    /// Whether it is the database of this side.
    package var isServedHere: Bool
    package var services: [Service]
    /// Whether everything is known.
    package var isComplete: Bool
    /// The handles of attributes that were used, but of which nothing else is known.
    package var unknownHandles: [UInt16] = []

    package init(device: BluetoothAddress, isServedHere: Bool = false, services: [Service], isComplete: Bool) {
        self.device = device
        self.isServedHere = isServedHere
        self.services = services
        self.isComplete = isComplete
    }

    init(_ fields: EventFields) throws(FileError) {
        device = try fields.required("device", fields.address("device"))
        isServedHere = try fields.isServedHere()
        isComplete = try fields.flag("complete") ?? false
        services = try fields.required(
            "services",
            fields.objects("services", "a service") { fields throws(FileError) in try Service(fields) })
        unknownHandles = try fields.handles("unknown") ?? []
    }

    func write(to line: inout EventLine) {
        line.add("device", device.description)
        if isServedHere { line.add("server", "here") }
        line.add("complete", isComplete)
        line.add("services", services) { service, line in line.object(service.write) }
        guard !unknownHandles.isEmpty else { return }
        line.add("unknown", unknownHandles) { handle, line in line.append(number: handle) }
    }
}

extension RecordedDatabase.Service {
    fileprivate init(_ fields: EventFields) throws(FileError) {
        uuid = try fields.required("uuid", fields.uuid("uuid"))
        handle = try fields.required("handle", fields.handle("handle"))
        end = try fields.handle("end")
        isPrimary = try fields.flag("primary") ?? true
        includes =
            try fields.objects("includes", "an included service") { fields throws(FileError) in
                RecordedDatabase.Include(
                    handle: try fields.required("handle", fields.handle("handle")), end: try fields.handle("end"),
                    uuid: try fields.uuid("uuid"))
            } ?? []
        characteristics =
            try fields.objects("characteristics", "a characteristic") { fields throws(FileError) in
                try RecordedDatabase.Characteristic(fields)
            } ?? []
    }

    fileprivate func write(to line: inout EventLine) {
        line.add("uuid", uuid.description)
        line.add("handle", Int64(handle))
        line.add("end", end.map { Int64($0) })
        line.add("primary", isPrimary)
        if !includes.isEmpty {
            line.add("includes", includes) { include, line in
                line.object { line in
                    line.add("handle", Int64(include.handle))
                    line.add("end", include.end.map { Int64($0) })
                    line.add("uuid", include.uuid?.description)
                }
            }
        }
        line.add("characteristics", characteristics) { characteristic, line in line.object(characteristic.write) }
    }
}

extension RecordedDatabase.Characteristic {
    fileprivate init(_ fields: EventFields) throws(FileError) {
        uuid = try fields.required("uuid", fields.uuid("uuid"))
        handle = try fields.required("handle", fields.handle("handle"))
        valueHandle = try fields.handle("valueHandle") ?? handle &+ 1
        properties = CharacteristicProperties(flags: try fields.texts("properties") ?? [])
        descriptors =
            try fields.objects("descriptors", "a descriptor") { fields throws(FileError) in
                RecordedDatabase.Descriptor(
                    uuid: try fields.required("uuid", fields.uuid("uuid")),
                    handle: try fields.required("handle", fields.handle("handle")))
            } ?? []
    }

    fileprivate func write(to line: inout EventLine) {
        line.add("uuid", uuid.description)
        line.add("handle", Int64(handle))
        if valueHandle != handle &+ 1 { line.add("valueHandle", Int64(valueHandle)) }
        line.add("properties", properties.names) { name, line in line.append(name) }
        guard !descriptors.isEmpty else { return }
        line.add("descriptors", descriptors) { descriptor, line in
            line.object { line in
                line.add("uuid", descriptor.uuid.description)
                line.add("handle", Int64(descriptor.handle))
            }
        }
    }
}
