import ArgumentParser
import CoreBlueZ
import SimulatedSensorTag

/// Which tag, and how to reach it.
struct TagOptions: ParsableArguments, Sendable {
    @Option(
        defaultAsFlag: .cc2541,
        help: ArgumentHelp(
            "Use a simulated tag on a message bus of its own; no Bluetooth is needed.", valueName: "model")
    )
    var simulate: SensorTagModel?

    @Option(help: ArgumentHelp("The adapter, by name or address; else the first that is on.", valueName: "hci0"))
    var adapter: String?

    @Option(help: "The tag's address, such as BC:6A:29:AB:CD:EF.")
    var address: BluetoothAddress?

    @Option(help: "The tag's name, for one that was renamed; else all names of SensorTags fit.")
    var name: String?
}

extension SensorTagModel: ExpressibleByArgument {}

extension BluetoothAddress: ExpressibleByArgument {
    /// Six pairs of hexadecimal digits with colons or hyphens between.
    public init?(argument: String) {
        self.init(argument)
    }
}
