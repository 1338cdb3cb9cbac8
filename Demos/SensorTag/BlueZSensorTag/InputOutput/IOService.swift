import CoreBlueZ
import FoundationEssentials

/// LEDs, buzzer and self-test result of the CC2650, AA64.
///
/// Value AA65 (1 byte), mode AA66 (1 byte): the meaning of the value depends on the mode, see `IOMode`.
/// Source: TI CC2650 SensorTag User's Guide, IO service.
public final class IOService: SensorTagService {
    private static let valueName = "value"
    private static let modeName = "mode"

    /// The outputs that were last set; nil while the tag controls its outputs itself.
    public private(set) var outputs: IOOutputs?

    /// Declares the service.
    public init() {
        super.init(name: "io", offset: 0xAA64)
        addCharacteristic(Self.valueName, offset: 0xAA65)
        addCharacteristic(Self.modeName, offset: 0xAA66)
    }

    /// Sets LEDs and buzzer. The value is zeroed before the tag is put into remote mode: the tag applies the old one at
    /// once, and that may be the self-test result, whose bits would switch everything on and erase the flash memory.
    ///
    /// - Parameter completion: gets nil when the outputs are set, or the error of the operation that failed.
    public func setOutputs(
        _ outputs: IOOutputs,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        let entry: [Step] = [
            { [self] done in write(0, to: Self.valueName, done) },
            { [self] done in write(IOMode.remote.rawValue, to: Self.modeName, done) },
        ]
        perform(
            { [self] done in
                let steps =
                    (self.outputs == nil ? entry : []) + [
                        { [self] done in write(outputs.rawValue, to: Self.valueName, done) }
                    ]
                StepQueue.run(steps) { [self] error in
                    if error == nil { self.outputs = outputs }
                    done(error)
                }
            }, completion: completion)
    }

    /// Switches the outputs off and returns them to the tag.
    public func releaseOutputs(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        perform(
            { [self] done in
                let steps: [Step] = [
                    { [self] done in write(0, to: Self.valueName, done) },
                    { [self] done in write(IOMode.local.rawValue, to: Self.modeName, done) },
                ]
                StepQueue.run(steps) { [self] error in
                    if error == nil { outputs = nil }
                    done(error)
                }
            }, completion: completion)
    }

    /// Puts the tag into self-test mode and reads the result. The outputs are returned to the tag.
    ///
    /// - Parameter completion: gets the parts that passed, or the error.
    public func readSelfTest(completion: @escaping @BluetoothActor (CC2650SelfTest?, BluetoothError?) -> Void) {
        var result: CC2650SelfTest?
        perform(
            { [self] done in
                write(IOMode.selfTest.rawValue, to: Self.modeName) { [self] error in
                    if let error { return done(error) }
                    outputs = nil
                    let decode = { @BluetoothActor (value: Data) throws(SensorTagDataError) in
                        try CC2650SelfTest(from: value)
                    }
                    read(Self.valueName, decode) { value, error in
                        result = value
                        done(error)
                    }
                }
            }, completion: { completion(result, $0) })
    }

    /// Sets LEDs and buzzer; the async form of `setOutputs(_:completion:)`.
    public func setOutputs(_ outputs: IOOutputs) async throws(BluetoothError) {
        try await waiting { setOutputs(outputs, completion: $0) }
    }

    /// Returns the outputs to the tag; the async form of `releaseOutputs(completion:)`.
    public func releaseOutputs() async throws(BluetoothError) {
        try await waiting { releaseOutputs(completion: $0) }
    }

    /// Reads the self-test result; the async form of `readSelfTest(completion:)`.
    public func readSelfTest() async throws(BluetoothError) -> CC2650SelfTest {
        try await waiting { readSelfTest(completion: $0) }
    }

    /// Discards the outputs: the tag returns to local mode when the link ends.
    override public func reset() {
        super.reset()
        outputs = nil
    }

    private func write(
        _ byte: UInt8,
        to name: String,
        _ done: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        characteristic(name, done)?.writeByte(byte, completion: done)
    }
}
