import BlueZPrintableText
import BlueZSimulator
import CoreBlueZ

/// The Swift file of a device: a subclass of `Peripheral`, and a subclass of `Service` for each kind of service.
///
/// Its names come only from UUIDs. Text from the device appears only in string literals and comments, and is escaped.
struct SwiftDriver {
    private let name: String
    private let device: DriverDevice
    private let services: [DriverService]
    /// The classes that several services have.
    private let sharedTypes: Set<String>
    /// The base UUIDs with the names of their constants.
    private let bases: [(name: String, base: DriverBase)]

    init(_ name: DriverName, _ device: DriverDevice) {
        self.name = name.text
        self.device = device
        let specifications = device.description.specification.services
        let shared = DriverBase.shared(by: specifications.lazy.flatMap(\.uuids))
        let chosen = specifications.map { DriverBase.best(for: $0.uuids, of: shared) }
        var bases: [(name: String, base: DriverBase)] = []
        var constants: [DriverBase: String] = [:]
        for case let base? in chosen where constants[base] == nil {
            let constant = bases.isEmpty ? "base" : "base\(bases.count + 1)"
            bases.append((constant, base))
            constants[base] = "\(name.text).\(constant)"
        }
        let offset = { (uuid: BluetoothUUID) in
            shared[uuid]?.offset(of: uuid).map { String(hexadecimal: $0, digits: 4, uppercase: true) }
        }
        let names = DriverIdentifier.names(of: .service, specifications.map(\.uuid), offset: offset)
        var services: [DriverService] = []
        var types: [DriverService.Kind: String] = [:]
        var sharedTypes: Set<String> = []
        for (index, part) in specifications.enumerated() {
            let base = chosen[index].flatMap { base in constants[base].map { (name: $0, base: base) } }
            var service = DriverService(part, named: names[index], base: base, offset: offset)
            if let type = types[service.kind] {
                service.type = type
                service.isFirstOfType = false
                sharedTypes.insert(type)
            } else {
                types[service.kind] = service.type
            }
            services.append(service)
        }
        self.bases = bases
        self.services = services
        self.sharedTypes = sharedTypes
    }

    /// The text of the file.
    var text: String {
        var text = SwiftText()
        text.add("import CoreBlueZ")
        if services.contains(where: \.usesData) { text.add("import FoundationEssentials") }
        text.add("")
        addPeripheral(to: &text)
        for service in services where service.isFirstOfType {
            text.add("")
            text.block("extension \(name)") { service.add(to: &$0, isShared: sharedTypes.contains(service.type)) }
        }
        return text.text
    }

    // MARK: The subclass of Peripheral

    private func addPeripheral(to text: inout SwiftText) {
        let title = device.names.first?.swiftComment ?? "A device without a name"
        text.document(
            "\(title), as `gatt inspect` has found it. The file is yours: give names to what has only numbers, and decode "
                + "the values.")
        text.add("///")
        text.add("/// ```swift")
        for line in example { text.add(line.isEmpty ? "///" : "/// " + line) }
        text.add("/// ```")
        text.block("final class \(name): Peripheral") { text in
            if !device.names.isEmpty {
                text.document("The names of the device, for the `knownPeripheralNames` of a manager.")
                text.list("nonisolated static let knownNames: Set = ", device.names.map(\.swiftLiteral))
            }
            for (name, base) in bases {
                text.addSpace()
                text.document(base.documentation)
                text.add("nonisolated static let \(name) = \(base.expression)")
            }
            guard !services.isEmpty else { return }
            text.addSpace()
            for service in services {
                text.document(service.title + ".")
                let argument = service.isFirstOfType ? "" : "name: \"\(service.name.lower)\""
                text.add("let \(service.name.lower) = \(service.type)(\(argument))")
            }
            text.addSpace()
            text.document("Declares the services.")
            text.block("override init(_ device: DiscoveredDevice)") { text in
                text.add("super.init(device)")
                for service in services { text.add("addService(\(service.name.lower))") }
            }
        }
    }

    /// How a program uses it.
    private var example: [String] {
        var lines: [String] = []
        if device.names.isEmpty {
            lines += [
                "let central = CentralManager()",
                "central.peripheralBuilder = { \(name)($0) }",
                "let device = try await central.firstPeripheral(as: \(name).self) { device, _ in",
                "    device.address?.description == \"\(device.description.specification.address)\"",
                "}",
            ]
        } else {
            lines += [
                "let central = CentralManager(knownPeripheralNames: \(name).knownNames)",
                "central.peripheralBuilder = { \(name)($0) }",
                "let device = try await central.firstPeripheral(as: \(name).self)",
            ]
        }
        lines += ["try await device.withConnection {", "    try await device.discoverServices()"]
        if let use = services.lazy.compactMap(\.exampleOfUse).first { lines.append("    " + use) }
        return lines + ["}"]
    }
}

/// The device for which a driver is written.
struct DriverDevice {
    /// The names under which the device was found, the advertised one first. They may differ, because BlueZ replaces the
    /// advertised name with the one that it reads from the connected device.
    var names: [String]
    /// The services and what else is known, without Generic Access and Generic Attribute.
    var description: SimulationFile.Peripheral
}

extension DriverBase {
    fileprivate var documentation: String {
        switch style {
        case .offset: "The base UUID. An offset replaces its third and fourth bytes."
        case .adding: "A base UUID to which offsets are added."
        }
    }
}

extension ServiceSpecification {
    /// Its own UUID, and those of its characteristics.
    fileprivate var uuids: [BluetoothUUID] { [uuid] + characteristics.map(\.uuid) }
}
