import ArgumentParser
import BlueZPrintableText
import BlueZScript
import CoreBlueZ
import FoundationEssentials

/// `gatt inspect`
struct InspectCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Shows the services, characteristics and descriptors of a device, and their values.",
        discussion: """
            Handles are those of the declarations, as in BlueZ; other commands accept them as @handle.

            --swift NAME writes two files instead, and prints their names. NAME.swift is a driver for the device: a \
            subclass of Peripheral and subclasses of Service, for a package that uses the library CoreBlueZ. NAME.json \
            describes the device for gatt simulate.

            Examples:
              gatt inspect Thermometer
              gatt inspect BC:6A:29:AB:CD:EF --no-values --json
              gatt inspect Thermometer --swift Thermometer
            """)

    @Argument(help: .device, completion: .device)
    var device: String

    @Flag(inversion: .prefixedNo, help: "Reads all values that can be read.")
    var values = true

    @Option(
        help: ArgumentHelp(
            "Writes a driver with a class of this name, and a file that simulates the device.", valueName: "name"),
        transform: { try DriverName($0) })
    var swift: DriverName?

    @Flag(help: "With --swift: replaces the files if they exist.")
    var overwrite = false

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if swift != nil, output.json { throw ValidationError("Use --swift without --json") }
        if overwrite, swift == nil { throw ValidationError("Use --overwrite with --swift") }
    }

    @BluetoothActor func run(in session: Session) async throws {
        if let swift { return try await writeDriver(swift, session) }
        let state = ReadingState(session)
        let peripheral = try await session.services(device, connection)
        let services = peripheral.services.filter(\.isDiscovered).sorted { $0.handle < $1.handle }
        try writeHead(peripheral, services, session)
        try await Progress.during("Reading the values of \(peripheral.displayName)") {
            for service in services {
                try write(service, session)
                for characteristic in try await service.discoverCharacteristics() {
                    try await write(characteristic, state)
                    for descriptor in try await characteristic.discoverDescriptors() {
                        try await write(descriptor, of: characteristic, state)
                    }
                }
            }
        }
    }

    @BluetoothActor private func writeHead(
        _ peripheral: Peripheral, _ services: [Service], _ session: Session
    ) throws {
        let mtu = services.flatMap(\.characteristics).compactMap(\.mtu).first
        if output.json {
            var record = Record("device", peripheral)
            record.mtu = mtu
            return try session.output.record(record)
        }
        let address = peripheral.address?.description ?? "?"
        let name = peripheral.name.map { "\($0.escapedForTerminal()) (\(address))" } ?? address
        try session.output.line(name + (mtu.map { ", MTU \($0)" } ?? ""))
    }

    @BluetoothActor private func write(_ service: Service, _ session: Session) throws {
        if output.json {
            var record = Record("service", service)
            record.handle = service.handle
            record.isPrimary = service.isPrimary
            return try session.output.record(record)
        }
        let kind = service.isPrimary ? "" : "  secondary"
        try session.output.line("  " + Self.title(service.uuid, service.handle) + kind)
    }

    @BluetoothActor private func write(
        _ characteristic: Characteristic, _ state: ReadingState
    ) async throws {
        let reading = try await read(characteristic, state)
        if output.json {
            var record = Record("characteristic", characteristic)
            record.valueHandle = characteristic.handle &+ 1
            record.properties = characteristic.properties.names
            record.mtu = characteristic.mtu
            record.setValue(reading, characteristic.uuid)
            return try state.session.output.record(record)
        }
        let title = Self.title(characteristic.uuid, characteristic.handle)
        let properties = characteristic.properties.names.joined(separator: ", ")
        try state.session.output.line("    \(title)  \(properties)" + Self.text(reading, characteristic.uuid))
    }

    @BluetoothActor private func write(
        _ descriptor: Descriptor, of characteristic: Characteristic, _ state: ReadingState
    ) async throws {
        let reading = try await read(descriptor, state)
        if output.json {
            var record = Attribute(characteristic: characteristic, descriptor: descriptor).record("descriptor")
            record.setValue(reading, descriptor.uuid)
            return try state.session.output.record(record)
        }
        let title = Self.title(descriptor.uuid, descriptor.handle)
        try state.session.output.line("      " + title + Self.text(reading, descriptor.uuid))
    }

    /// Reads a characteristic; nil if it cannot be read, or should not.
    @BluetoothActor func read(
        _ characteristic: Characteristic, _ state: ReadingState
    ) async throws -> Result<Data, BluetoothError>? {
        guard values, characteristic.properties.contains(.read) else { return nil }
        return try await value(state) { try await characteristic.readValue() }
    }

    /// Reads a descriptor; nil if that is not wanted.
    @BluetoothActor func read(
        _ descriptor: Descriptor, _ state: ReadingState
    ) async throws -> Result<Data, BluetoothError>? {
        values ? try await value(state) { try await descriptor.readValue() } : nil
    }

    /// A value that cannot be read does not end the command; a lost link does. After a read without a response, as if
    /// the device requires pairing, no other is sent.
    @BluetoothActor private func value(
        _ state: ReadingState,
        _ read: @escaping @BluetoothActor () async throws -> Data
    ) async throws -> Result<Data, BluetoothError>? {
        guard !state.isSilent else { return nil }
        do {
            return .success(
                try await Deadline(min(state.session.deadline.remaining, .seconds(10))).run("Reading", read))
        } catch let failure as CommandFailure where failure.status == .timedOut {
            state.isSilent = true
            Progress.report(
                "A read got no response; the rest is shown without values. If the device must be paired, try --pair")
            return .failure(BluetoothError(.timedOut, failure.message))
        } catch let error as BluetoothError
            where ![.attError, .permission, .unavailable, .usage].contains(ExitStatus(error))
        {
            throw error
        } catch let error as BluetoothError {
            return .failure(error)
        }
    }

    private static func title(_ uuid: BluetoothUUID, _ handle: UInt16) -> String {
        "@\(CharacteristicMatch.hexadecimal(handle)) \(uuid)" + (uuid.name.map { " \($0)" } ?? "")
    }

    private static func text(_ reading: Result<Data, BluetoothError>?, _ uuid: BluetoothUUID) -> String {
        switch reading {
        case nil: ""
        case .success(let data): " = " + ReadableValue.textWithBytes(data, uuid)
        case .failure(let error): "  (\(error.attError?.name ?? error.code.description))"
        }
    }
}

/// The state of reading the values.
@BluetoothActor final class ReadingState {
    let session: Session
    /// Whether the device no longer responds.
    var isSilent = false

    init(_ session: Session) { self.session = session }
}

extension Record {
    fileprivate mutating func setValue(_ reading: Result<Data, BluetoothError>?, _ uuid: BluetoothUUID) {
        switch reading {
        case nil: break
        case .success(let data):
            value = ValueFormat.hex(data)
            setMeaning(ReadableValue.known(data, uuid))
        case .failure(let error): self.error = error.code.description
        }
    }
}
