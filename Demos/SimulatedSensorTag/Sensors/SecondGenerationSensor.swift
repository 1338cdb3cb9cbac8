/// A sensor whose firmware drops a configuration that it does not know: the write succeeds and changes nothing.
class SecondGenerationSensor: Sensor {
    override func effect(of configuration: [UInt8]) -> Effect {
        switch configuration[0] {
        case 0: .off
        case 1: .on
        default: .refused
        }
    }
}
