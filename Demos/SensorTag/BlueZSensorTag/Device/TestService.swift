import CoreBlueZ

/// The self-test of the CC2541, AA60.
///
/// Data AA61 (2 bytes, read): the sensors that passed when the tag was started. The CC2650 has its result in `IOService`.
/// Source: TI SensorTag User Guide (CC2541), test service.
public final class TestService: SensorTagService {
    /// Declares the service.
    public init() {
        super.init(name: "test", offset: 0xAA60)
        addCharacteristic(Self.dataName, offset: 0xAA61)
    }

    /// Reads the result of the self-test. It changes nothing about the tag.
    ///
    /// - Parameter completion: gets the sensors that passed, or the error; `invalidData` for a length other than 2
    ///   bytes.
    public func readSelfTest(completion: @escaping @BluetoothActor (CC2541SelfTest?, BluetoothError?) -> Void) {
        read(Self.dataName, { (value) throws(SensorTagDataError) in try CC2541SelfTest(from: value) }, completion)
    }

    /// Reads the result of the self-test; the async form of `readSelfTest(completion:)`.
    public func readSelfTest() async throws(BluetoothError) -> CC2541SelfTest {
        try await waiting { readSelfTest(completion: $0) }
    }
}
