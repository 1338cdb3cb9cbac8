import ArgumentParser
import BlueZScript
import BlueZSimulatedSensorTag
import CoreBlueZ
import SensorTagProgram

/// Selects a tag, and how to reach it.
struct TagOptions: ParsableArguments, Sendable {
    @Option(
        name: .customLong("simulate"), defaultAsFlag: SimulatedModels(.cc2541), parsing: .next,
        help: ArgumentHelp(
            "Uses simulated tags; needs no Bluetooth.", valueName: "model[,model...]")
    )
    var simulated: SimulatedModels?

    @Option(
        help: ArgumentHelp(
            "The adapter to use: its name (hci0) or its address. The default is the first one that is on.",
            valueName: "adapter"))
    var adapter: String?

    @Option(help: "The tag's address, such as BC:6A:29:AB:CD:EF.")
    var address: BluetoothAddress?

    @Option(help: "The name of a tag that was renamed. By default, all names of SensorTags match.")
    var name: String?

    @Flag(help: "Prints every message between the command and bluetoothd on the standard error.")
    var trace = false

    /// The options of the reader of `sensortag serve --simulate`: any tag, on the second adapter.
    static var reader: TagOptions {
        var options = TagOptions()
        (options.simulated, options.adapter, options.address, options.name) = (nil, "hci1", nil, nil)
        options.trace = false
        return options
    }

    /// The models to simulate, if any.
    var simulatedModels: [SensorTagModel]? { simulated?.models }

    func validate() throws { try simulated?.validate() }
}

/// A tag that may be given as an argument.
struct DeviceOptions: ParsableArguments, Sendable {
    @Argument(help: "The tag's address or name. The default is the first SensorTag found.")
    var device: String?

    @OptionGroup var tag: TagOptions

    func validate() throws {
        guard device == nil || tag.address == nil && tag.name == nil else {
            throw ValidationError("Give only one of the device, --address and --name")
        }
    }

    /// The options with the argument taken into account.
    var selected: TagOptions { device.map(tag.selecting) ?? tag }
}

/// Tags that may be given as arguments.
struct DevicesOptions: ParsableArguments, Sendable {
    @Argument(help: "The tags' addresses or names. The default is the first SensorTag found.")
    var devices: [String] = []

    @OptionGroup var tag: TagOptions

    func validate() throws {
        guard devices.isEmpty || tag.address == nil && tag.name == nil else {
            throw ValidationError("Give either devices, --address or --name")
        }
    }

    /// The options for each tag.
    var selected: [TagOptions] { devices.isEmpty ? [tag] : devices.map(tag.selecting) }
}

extension TagOptions {
    /// The same options for a device with this address or name.
    func selecting(_ device: String) -> TagOptions {
        var options = self
        if let address = BluetoothAddress(typed: device) { options.address = address } else { options.name = device }
        return options
    }
}

extension BluetoothAddress: ExpressibleByArgument {
    /// Twelve hexadecimal digits, in pairs or all together.
    public init?(argument: String) {
        self.init(typed: argument)
    }
}
