import BlueZClient
import FoundationEssentials

extension Characteristic {
    /// Writes a request to a control point, and gets the response that the device notifies or indicates. Many services
    /// of the Bluetooth SIG have control points. So do most vendors' protocols and firmware updates.
    ///
    /// ```swift
    /// controlPoint.sendRequest(Data([0x04])) { $0.first == 0x10 && $0.dropFirst().first == 0x04 } completion: {
    ///     response, error in
    ///     ...
    /// }
    /// ```
    ///
    /// Notifications are switched on before the first request, and stay on. A value counts as a response from the
    /// moment the request is sent, because devices may respond before they confirm the write. It is also passed to the
    /// handlers and sequences of notifications.
    ///
    /// Requests whose responses come from the same characteristic run one after another. A response that arrives after
    /// its request has ended counts for the next request, if it matches.
    ///
    /// The operation fails with `timedOut` if there is no matching response within the timeout, with `disconnected` if
    /// the link ends, with `att` if the device rejects the request (often with code 0x80), and with the codes of
    /// `setNotifyValue(_:completion:)` and `writeValue(_:type:completion:)`.
    ///
    /// - Parameters:
    ///   - request: the bytes to write.
    ///   - type: the type of the write; `withResponse` by default.
    ///   - source: the characteristic that notifies the response; nil means this one.
    ///   - timeout: how long the request may take, not counting the time that it waits for earlier ones. The default is
    ///     30 s, like the timeout of ATT transactions (Core Specification, Vol 3, Part F, 3.3.3) and of the Bluetooth
    ///     SIG's control points.
    ///   - isResponse: returns whether a value is the response; by default, the first value is. Compare the operation
    ///     code.
    ///   - completion: gets the response, or the error.
    public func sendRequest(
        _ request: Data,
        type: CharacteristicWriteType = .withResponse,
        responsesFrom source: Characteristic? = nil,
        timeout: Duration = .seconds(30),
        isResponse: @escaping @BluetoothActor (Data) -> Bool = { _ in true },
        completion: @escaping @BluetoothActor (Data?, BluetoothError?) -> Void
    ) {
        startRequest(request, type, source ?? self, timeout, isResponse) { $0.split(completion) }
    }

    /// Writes a request to a control point, and returns the response; the async form of
    /// `sendRequest(_:type:responsesFrom:timeout:isResponse:completion:)`. Cancelling the task stops the wait. The
    /// device may still respond.
    public func sendRequest(
        _ request: Data,
        type: CharacteristicWriteType = .withResponse,
        responsesFrom source: Characteristic? = nil,
        timeout: Duration = .seconds(30),
        isResponse: @escaping @BluetoothActor (Data) -> Bool = { _ in true }
    ) async throws(BluetoothError) -> Data {
        try await AsyncBridge.wait { startRequest(request, type, source ?? self, timeout, isResponse, $0) }
    }

    @discardableResult
    private func startRequest(
        _ value: Data, _ type: CharacteristicWriteType, _ source: Characteristic, _ timeout: Duration,
        _ isResponse: @escaping @BluetoothActor (Data) -> Bool,
        _ completion: @escaping @BluetoothActor (Result<Data, BluetoothError>) -> Void
    ) -> any Cancellable {
        let request = ControlPointRequest(value, type, to: self, timeout, isResponse)
        let operation = Operation<Data>(
            "Requesting \(name) of \(deviceName ?? "a peripheral that is gone")", on: source.boundPath,
            needsConnection: true, limit: nil, in: peripheral?.central?.operations ?? OperationRegistry()
        ) { result in
            completion(result)
            source.requestDidEnd(request)
        }
        request.operation = operation
        source.controlPointRequests.append(request)
        if source.controlPointRequests.count == 1 { request.begin(from: source) }
        return operation
    }

    private func requestDidEnd(_ request: ControlPointRequest) {
        let isCurrent = controlPointRequests.first === request
        controlPointRequests.removeAll { $0 === request }
        if isCurrent { controlPointRequests.first?.begin(from: self) }
    }
}

/// A request to a control point. It waits for earlier requests, then for its response.
@BluetoothActor final class ControlPointRequest {
    var operation: Operation<Data>?
    private let value: Data
    private let type: CharacteristicWriteType
    private let target: Characteristic
    private let timeout: Duration
    private let isResponse: @BluetoothActor (Data) -> Bool
    private var isSent = false

    init(
        _ value: Data, _ type: CharacteristicWriteType, to target: Characteristic, _ timeout: Duration,
        _ isResponse: @escaping @BluetoothActor (Data) -> Bool
    ) {
        self.value = value
        self.type = type
        self.target = target
        self.timeout = timeout
        self.isResponse = isResponse
    }

    /// Subscribes to the responses, then writes the request.
    fileprivate func begin(from source: Characteristic) {
        guard let operation else { return }
        let timeout = timeout
        let timer = BluetoothActor.after(timeout) {
            operation.fail(BluetoothError(.timedOut, "\(operation.title): no response within \(timeout.roundedText)"))
        }
        operation.whenEnded { _ in timer.cancel() }
        source.startNotifyingAsWanted(true) { [self] result in
            if let error = result.failure { return operation.fail(error) }
            guard operation.isPending else { return }
            isSent = true
            target.startWriting(
                value, type,
                .error { error in
                    if let error { operation.fail(error) }
                })
        }
    }

    /// Handles a value of the characteristic that notifies the response.
    func receive(_ value: Data) {
        guard isSent, let operation, operation.isPending, isResponse(value) else { return }
        operation.succeed(value)
    }
}
