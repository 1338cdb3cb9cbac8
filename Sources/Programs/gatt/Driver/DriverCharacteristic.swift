import BlueZSimulator
import CoreBlueZ
import FoundationEssentials

/// A characteristic of a driver, and the methods that its properties permit.
struct DriverCharacteristic: Hashable {
    let name: DriverIdentifier
    let uuid: BluetoothUUID
    private let properties: CharacteristicProperties
    /// Whether `gatt` could not read it without pairing.
    private let needsPairing: Bool
    /// The device's description of it, the descriptor 0x2901.
    private let description: String?

    /// The strings of Generic Access and of the Device Information service.
    private static let texts: Set<BluetoothUUID> = [0x2A00, 0x2A24, 0x2A25, 0x2A26, 0x2A27, 0x2A28, 0x2A29]
    private static let error = "@escaping @BluetoothActor (BluetoothError?) -> Void"

    init(_ name: DriverIdentifier, _ specification: CharacteristicSpecification) {
        self.name = name
        uuid = specification.uuid
        properties = specification.properties
        needsPairing = specification.needsEncryption
        let descriptor = specification.descriptors.first { $0.uuid == 0x2901 }
        let text = descriptor.map { String(decoding: $0.value.prefix { $0 != 0 }, as: UTF8.self) }
        description = text?.isEmpty == true ? nil : text
    }

    var canRead: Bool { properties.contains(.read) }
    var canNotify: Bool { !properties.isDisjoint(with: [.notify, .indicate]) }
    private var canWrite: Bool { !properties.isDisjoint(with: [.write, .writeWithoutResponse]) }
    private var isText: Bool { Self.texts.contains(uuid) }

    /// Whether a method or a handler has a value of the type `Data`.
    var usesData: Bool { canNotify || canWrite || canRead && !isText }

    /// The assigned name, the UUID, and what the device says about it.
    private var title: String {
        let number = uuid.name.map { "\($0), \(uuid)" } ?? "\(uuid)"
        return number + (description.map { ", " + $0.swiftComment } ?? "")
    }

    private var lookup: String { "characteristic(\"\(name.lower)\")" }
    private var values: String { properties.contains(.notify) ? "notifications" : "indications" }
    private var handler: String { name.lower + "Handler" }

    // MARK: The parts of the class

    /// Adds the closure that gets the notified values.
    func addHandler(to text: inout SwiftText) {
        text.addSpace()
        text.document("Called with each value of \(title), and with the error that has ended the \(values).")
        text.property(handler, "(@BluetoothActor (Data?, BluetoothError?) -> Void)?")
    }

    /// Adds what the properties permit.
    func addMethods(to text: inout SwiftText) {
        guard canRead || canWrite || canNotify else { return }
        text.addSpace()
        text.add("// MARK: \(title)\(needsPairing ? ", which perhaps requires pairing" : "")")
        if canRead { addReading(to: &text) }
        if canWrite { addWriting(to: &text) }
        if canNotify { addNotifying(to: &text) }
    }

    private func addReading(to text: inout SwiftText) {
        let function = "read" + name.upper
        let type = isText ? "String" : "Data"
        text.addSpace()
        text.document("Reads the \(isText ? "text, up to its first NUL" : "value").")
        let completion = "completion: @escaping @BluetoothActor (\(type)?, BluetoothError?) -> Void"
        text.function("func \(function)", [completion]) { text in
            guard isText else { return text.call("\(lookup).readValue", ["completion: completion"]) }
            text.add("\(lookup).readValue { value, error in")
            text.add(
                "    completion(value.map { text in String(decoding: text.prefix { $0 != 0 }, as: UTF8.self) }, error)")
            text.add("}")
        }
        text.addSpace()
        text.document("The async form of `\(function)(completion:)`.")
        text.function("func \(function)", [], " async throws(BluetoothError)", result: type) { text in
            guard isText else { return text.call("try await \(lookup).readValue", []) }
            text.call("let value = try await \(lookup).readValue", [])
            text.add("return String(decoding: value.prefix { $0 != 0 }, as: UTF8.self)")
        }
    }

    private func addWriting(to text: inout SwiftText) {
        let function = "write" + name.upper
        let hasBoth = properties.isSuperset(of: [.write, .writeWithoutResponse])
        let parameters = ["_ value: Data"] + (hasBoth ? ["type: CharacteristicWriteType = .withResponse"] : [])
        var arguments = ["value"]
        if hasBoth { arguments.append("type: type") }
        if !properties.contains(.write) { arguments.append("type: .withoutResponse") }
        let response = properties.contains(.write) ? hasBoth ? "" : ", with a response" : ", without a response"
        text.addSpace()
        text.document("Writes the value\(response).")
        text.function("func \(function)", parameters + ["completion: \(Self.error)"]) { text in
            text.call("\(lookup).writeValue", arguments + ["completion: completion"])
        }
        text.addSpace()
        text.document("The async form of `\(function)(_:\(hasBoth ? "type:" : "")completion:)`.")
        text.function("func \(function)", parameters, " async throws(BluetoothError)") { text in
            text.call("try await \(lookup).writeValue", arguments)
        }
    }

    private func addNotifying(to text: inout SwiftText) {
        let function = "setNotify" + name.upper
        text.addSpace()
        text.document("Switches the \(values) on or off. `\(handler)` gets their values.")
        text.function("func \(function)", ["_ isOn: Bool", "completion: \(Self.error)"]) { text in
            text.call("\(lookup).setNotifyValue", ["isOn", "completion: completion"])
        }
        text.addSpace()
        text.document("The async form of `\(function)(_:completion:)`.")
        text.function("func \(function)", ["_ isOn: Bool"], " async throws(BluetoothError)") { text in
            text.call("try await \(lookup).setNotifyValue", ["isOn"])
        }
        text.addSpace()
        text.document("Switches the \(values) on, and returns their values as a sequence.")
        text.function(
            "func \(name.lower)Notifications", [], " async throws(BluetoothError)", result: "EventSequence<Data>"
        ) { text in
            text.call("try await \(lookup).notifications", [])
        }
    }
}
