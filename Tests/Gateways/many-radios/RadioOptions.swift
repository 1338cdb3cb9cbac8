import ArgumentParser

/// The numbers of radios and devices, which must be the same at both ends.
struct RadioOptions: ParsableArguments {
    @Option(help: "The number of radios, 1 to 256.")
    var radios = 20

    @Option(help: "The number of peripherals in range of each radio, 0 to 256.")
    var devices = 10

    func validate() throws {
        // An address has one byte for each of the two numbers.
        guard (1...256).contains(radios), (0...256).contains(devices) else {
            throw ValidationError("Give --radios a number from 1 to 256, and --devices one from 0 to 256")
        }
    }
}
