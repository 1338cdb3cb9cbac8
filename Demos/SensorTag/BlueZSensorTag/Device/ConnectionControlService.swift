import CoreBlueZ
import FoundationEssentials

/// The parameters of the connection as the tag sees them, CCC0 (CC2541 from firmware 1.4, and CC2650).
///
/// Data CCC1 (6 bytes), request CCC2 (8 bytes, write), disconnection CCC3 (1 byte, write): both of these can end the
/// link. Source: TI SensorTag User Guide, connection control service.
public final class ConnectionControlService: SensorService<ConnectionParameters> {
    private static let requestName = "request"
    private static let disconnectionName = "disconnection"

    /// Declares the service.
    public init() {
        super.init(name: "connection", offset: 0xCCC0)
        addCharacteristic(Self.dataName, offset: 0xCCC1)
        addCharacteristic(Self.requestName, offset: 0xCCC2)
        addCharacteristic(Self.disconnectionName, offset: 0xCCC3)
    }

    /// Reads the parameters.
    ///
    /// - Parameter completion: gets the parameters, or the error; `invalidData` for a length other than 6.
    public func readParameters(completion: @escaping @BluetoothActor (ConnectionParameters?, BluetoothError?) -> Void) {
        read(Self.dataName, { (value) throws(SensorTagDataError) in try ConnectionParameters(from: value) }, completion)
    }

    /// Reads the parameters; the async form of `readParameters(completion:)`.
    public func readParameters() async throws(BluetoothError) -> ConnectionParameters {
        try await waiting { readParameters(completion: $0) }
    }

    /// Lets the tag end the link, by a write to CCC3. If the tag disconnects before it confirms the write, that is
    /// success.
    public func requestDisconnection(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        characteristic(Self.disconnectionName, completion)?.writeByte(1) { error in
            completion(error?.code == .disconnected ? nil : error)
        }
    }

    /// Lets the tag end the link; the async form of `requestDisconnection(completion:)`.
    public func requestDisconnection() async throws(BluetoothError) {
        try await waiting { requestDisconnection(completion: $0) }
    }

    /// Decodes CCC1.
    override public func decode(_ payload: Data) throws(SensorTagDataError) -> ConnectionParameters? {
        try ConnectionParameters(from: payload)
    }
}

/// The parameters of the connection as the tag sees them, CCC1.
///
/// 6 bytes: interval (uint16, 1.25 ms), latency (uint16), supervision timeout (uint16, 10 ms).
/// Source: TI SensorTag User Guide, connection control service.
public struct ConnectionParameters: Sendable, Hashable {
    /// The connection interval in units of 1.25 ms.
    public let interval: UInt16
    /// How many connection events the tag may skip.
    public let latency: UInt16
    /// The supervision timeout in units of 10 ms.
    public let supervisionTimeout: UInt16

    /// The connection interval in milliseconds.
    public var intervalMilliseconds: Double { Double(interval) * 1.25 }
    /// The supervision timeout in milliseconds.
    public var supervisionTimeoutMilliseconds: Int { Int(supervisionTimeout) * 10 }

    /// Decodes one value of CCC1.
    ///
    /// - Throws: `wrongLength` unless there are exactly 6 bytes.
    public init(from payload: some Collection<UInt8>) throws(SensorTagDataError) {
        let payload = try Payload(payload, of: .connectionParameters, length: .exactly(6))
        interval = payload.uint16(at: 0)
        latency = payload.uint16(at: 2)
        supervisionTimeout = payload.uint16(at: 4)
    }
}
