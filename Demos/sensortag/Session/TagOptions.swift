import ArgumentParser
import CoreBlueZ
import SimulatedSensorTag

/// Which tag, and how to reach it.
struct TagOptions: ParsableArguments, Sendable {
    @Option(
        name: .customLong("simulate"), defaultAsFlag: SimulatedModel(.cc2541), parsing: .next,
        help: ArgumentHelp(
            "Use a simulated tag on a message bus of its own; no Bluetooth is needed.", valueName: "model")
    )
    var simulatedModel: SimulatedModel?

    @Option(help: ArgumentHelp("The adapter, by name or address; otherwise the first that is on.", valueName: "hci0"))
    var adapter: String?

    @Option(help: "The tag's address, such as BC:6A:29:AB:CD:EF.")
    var address: BluetoothAddress?

    @Option(help: "The tag's name, if it was renamed; otherwise all names of SensorTags match.")
    var name: String?

    @Flag(help: "Show every message between the command and bluetoothd, on the standard error.")
    var trace = false

    /// The model to simulate, if any.
    var simulate: SensorTagModel? { simulatedModel?.model }

    func validate() throws {
        guard let simulatedModel, simulatedModel.model == nil else { return }
        let models = SimulatedModel.allValueStrings.joined(separator: ", ")
        throw ValidationError("There is no model \"\(simulatedModel.text)\" to simulate; use one of: \(models)")
    }
}

/// A tag that may be given as an argument.
struct DeviceOptions: ParsableArguments, Sendable {
    @Argument(help: "The tag's address or name; otherwise the first SensorTag that is found.")
    var device: String?

    @OptionGroup var tag: TagOptions

    func validate() throws {
        guard device == nil || tag.address == nil && tag.name == nil else {
            throw ValidationError("Give only one of the device, --address and --name")
        }
    }

    /// The options with the argument taken into account.
    var selected: TagOptions {
        var options = tag
        guard let device else { return options }
        if let address = BluetoothAddress(device) { options.address = address } else { options.name = device }
        return options
    }
}

/// The value of `--simulate`. Any text is accepted: the parser takes an option with an invalid value for a mere flag,
/// so that a typing error would simulate another model.
struct SimulatedModel: ExpressibleByArgument, CustomStringConvertible, Sendable {
    let text: String

    init(_ model: SensorTagModel) { text = model.rawValue }
    init?(argument: String) { text = argument }

    var model: SensorTagModel? { SensorTagModel(rawValue: text) }
    var description: String { text }

    static var allValueStrings: [String] { SensorTagModel.allCases.map(\.rawValue) }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

extension BluetoothAddress: ExpressibleByArgument {
    /// Six pairs of hexadecimal digits separated by colons or hyphens.
    public init?(argument: String) {
        self.init(argument)
    }
}
