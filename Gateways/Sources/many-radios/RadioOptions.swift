import ArgumentParser

/// The number of radios and devices: both ends have to agree.
struct RadioOptions: ParsableArguments {
    @Option(help: "How many radios there are.")
    var radios = 20

    @Option(help: "How many peripherals each radio hears.")
    var devices = 10

    func validate() throws {
        // Their addresses have a byte for each.
        guard (1...256).contains(radios), (0...256).contains(devices) else {
            throw ValidationError("--radios takes 1 to 256, and --devices 0 to 256")
        }
    }
}
