import CoreBlueZ

/// One attempt to make a device ready: to connect, recognize the profile and subscribe within one timeout.
@BluetoothActor final class TxRxConnecting: Cancellable {
    private let device: TxRxDevice
    private weak var central: TxRxCentral?
    private var completion: (@BluetoothActor (Result<SerialService, BluetoothError>) -> Void)?
    private var timer: ScheduledCall?

    init(
        _ device: TxRxDevice, _ central: TxRxCentral?,
        completion: @escaping @BluetoothActor (Result<SerialService, BluetoothError>) -> Void
    ) {
        self.device = device
        self.central = central
        self.completion = completion
    }

    func begin() {
        guard completion != nil else { return }
        guard let central else { return fail(.centralIsGone(device.name)) }
        let limit = central.timeouts.connect
        timer = BluetoothActor.after(limit) { [weak self] in
            guard let self else { return }
            self.fail(
                BluetoothError(.connectionTimedOut, "\(self.device.name) was not ready within \(limit.roundedText)"))
        }
        device.peripheral.connect(options: ConnectOptions(timeout: limit)) { [self] error in
            guard completion != nil else { return }
            if let error { return refuse(error) }
            device.didConnectLink()
            recognize(central.profiles)
        }
    }

    private func recognize(_ profiles: [SerialProfile]) {
        device.peripheral.discoverSerialService(profiles) { [self] service, error in
            guard let service else {
                return fail(error ?? BluetoothError(.profileNotRecognized, "\(device.name) has no known profile"))
            }
            guard completion != nil else { return }
            service.eventHandler = { [weak device] in device?.takeEvent($0, $1) }
            service.open { [self] error in
                if let error { return fail(error) }
                guard completion != nil else { return service.close() }
                finish(.success(service))
            }
        }
    }

    /// Ends the attempt, and then the link. The other way round, the end of the attempt to make a link would be the
    /// failure.
    func fail(_ error: BluetoothError) {
        guard completion != nil else { return }
        finish(.failure(error))
        device.endLink(error)
    }

    /// Ends the attempt before there is a link.
    func refuse(_ error: BluetoothError) {
        finish(.failure(error))
    }

    private func finish(_ result: Result<SerialService, BluetoothError>) {
        guard let completion = self.completion.take() else { return }
        timer?.cancel()
        completion(result)
    }
}

extension BluetoothError {
    static func centralIsGone(_ name: String) -> BluetoothError {
        BluetoothError(.cancelled, "The central of \(name) is gone")
    }
}
