import BlueZPrintableText
import BlueZSerial
import BlueZSimulator
import CoreBlueZ

/// A service of a driver, with its class.
struct DriverService {
    /// The properties that services of one class have in common.
    struct Kind: Hashable {
        let uuid: BluetoothUUID
        let isPrimary: Bool
        let characteristics: [DriverCharacteristic]
    }

    let name: DriverIdentifier
    let kind: Kind
    /// The name of the class.
    var type: String
    /// Whether the class is declared for this service, and not for an earlier one of the same kind.
    var isFirstOfType = true
    private let base: (name: String, base: DriverBase)?

    /// - Parameters:
    ///   - base: the base UUID of most attributes, and the expression for it.
    ///   - offset: the offset of a UUID on a base UUID, in digits.
    init(
        _ service: ServiceSpecification, named name: DriverIdentifier, base: (name: String, base: DriverBase)?,
        offset: (BluetoothUUID) -> String?
    ) {
        self.name = name
        self.base = base
        let names = DriverIdentifier.names(of: .characteristic, service.characteristics.map(\.uuid), offset: offset)
        kind = Kind(
            uuid: service.uuid, isPrimary: service.isPrimary,
            characteristics: zip(names, service.characteristics).map { DriverCharacteristic($0, $1) })
        type = name.upper.hasPrefix("Service") ? name.upper : name.upper + "Service"
    }

    /// The assigned name, and the UUID.
    var title: String {
        let uuid = kind.uuid
        return (uuid.name.map { "\($0), \(uuid)" } ?? "The service \(uuid)")
            + (kind.isPrimary ? "" : ", a secondary service")
    }

    /// Whether the class has values of the type `Data`.
    var usesData: Bool { kind.characteristics.contains(where: \.usesData) }

    /// A statement that reads a value.
    var exampleOfUse: String? {
        kind.characteristics.first(where: \.canRead).map {
            "let value = try await device.\(name.lower).read\($0.name.upper)()"
        }
    }

    // MARK: The class

    /// Adds the class.
    ///
    /// - Parameter isShared: whether several services have it.
    func add(to text: inout SwiftText, isShared: Bool) {
        text.document(title + "." + serialHint)
        text.block("final class \(type): Service") { text in
            let notifying = kind.characteristics.filter(\.canNotify)
            for characteristic in notifying { characteristic.addHandler(to: &text) }
            text.addSpace()
            addInitializer(to: &text, isShared: isShared)
            for characteristic in kind.characteristics { characteristic.addMethods(to: &text) }
            if !notifying.isEmpty { Self.addNotificationHandler(for: notifying, to: &text) }
        }
    }

    /// The class of the library for a serial port.
    private var serialHint: String {
        guard let profile = SerialProfile.recognizable.first(where: { $0.service == kind.uuid }) else { return "" }
        return
            " A serial port (\(profile.name)): `discoverSerialService()` of the library BlueZSerial opens it as a stream "
            + "of bytes."
    }

    private func addInitializer(to text: inout SwiftText, isShared: Bool) {
        let isEmpty = kind.characteristics.isEmpty
        text.document(isEmpty ? "Declares the service." : "Declares the service and its characteristics.")
        let literal = "\"\(name.lower)\""
        text.function("init", isShared ? ["name: String = \(literal)"] : []) { text in
            let arguments = ["name: \(isShared ? "name" : literal)"]
            if let base, let offset = base.base.argument(for: kind.uuid) {
                text.call("super.init", arguments + ["base: \(base.name)", offset])
            } else {
                let bases = base.map { ["base: \($0.name)"] } ?? []
                text.call("super.init", arguments + ["uuid: \(kind.uuid.swiftLiteral)"] + bases)
            }
            for characteristic in kind.characteristics {
                let uuid = "uuid: \(characteristic.uuid.swiftLiteral)"
                let place = base?.base.argument(for: characteristic.uuid) ?? uuid
                text.call("addCharacteristic", ["\"\(characteristic.name.lower)\"", place])
            }
        }
    }

    private static func addNotificationHandler(for notifying: [DriverCharacteristic], to text: inout SwiftText) {
        text.addSpace()
        text.add("// MARK: What the device sends")
        text.add("")
        text.document("Passes the values on to the handlers.")
        let parameters = ["_ characteristic: Characteristic", "error: BluetoothError?"]
        text.function("override func notificationHandler", parameters) { text in
            text.add("let value = error == nil ? characteristic.value : nil")
            text.add("switch characteristic.name {")
            for characteristic in notifying {
                let name = characteristic.name.lower
                text.option("\"\(name)\"", "\(name)Handler?(value, error)")
            }
            text.add("default: break")
            text.add("}")
        }
    }
}

extension DriverBase {
    /// The argument that declares a UUID on the base; nil if it is not on it.
    fileprivate func argument(for uuid: BluetoothUUID) -> String? {
        offset(of: uuid).map { offset in
            "\(style == .offset ? "offset" : "adding"): 0x\(String(hexadecimal: offset, digits: 4, uppercase: true))"
        }
    }
}

extension BluetoothUUID {
    fileprivate var swiftLiteral: String { short == nil ? "\"\(self)\"" : "0x\(self)" }
}
