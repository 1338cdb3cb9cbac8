import CoreBlueZ

/// A search for devices.
@BluetoothActor final class DeviceSearch {
    private let listener: any DeviceSearchListener
    private let terminal: ExchangeTerminal
    /// Called once with the result of starting.
    private var began: (@BluetoothActor (ExchangeSearchCode) -> Void)?
    private let ended: @BluetoothActor () -> Void
    private var found = AddressTable<Void>()
    private var observation: EventObservation?

    private var central: CentralManager { terminal.central }

    init(
        _ listener: any DeviceSearchListener,
        _ terminal: ExchangeTerminal,
        began: @escaping @BluetoothActor (ExchangeSearchCode) -> Void,
        ended: @escaping @BluetoothActor () -> Void
    ) {
        self.listener = listener
        self.terminal = terminal
        self.began = began
        self.ended = ended
    }

    /// Waits until the state is known, then searches.
    func begin(_ duration: Duration) {
        central.waitUntilPoweredOn { [self] error in
            guard error == nil else { return end(ExchangeSearchCode(central.state) ?? .cannotStart) }
            if central.isScanning { report(.begun) }
            observation = central.observeEvents { [weak self] event in
                if case .scanBegan = event { self?.report(.begun) }
            }
            central.scanForPeripherals(options: ScanOptions(duration: duration)) { [self] peripheral, _, _ in
                guard let address = peripheral.address, found[address] == nil else { return }
                found[address] = ()
                terminal.didFind(address)
                listener.discoverOneDevice(DeviceInfo(name: peripheral.name, identifier: address.description))
            } completion: { [self] error in
                observation = nil
                end(error == nil ? .begun : .cannotStart)
            }
        }
    }

    private func report(_ code: ExchangeSearchCode) {
        began?(code)
        began = nil
    }

    /// - Parameter code: the result of starting, if it has not been reported yet.
    private func end(_ code: ExchangeSearchCode) {
        let hasBegun = began == nil || code == .begun
        ended()
        report(code)
        if hasBegun { listener.discoverComplete() }
    }
}

extension ExchangeSearchCode {
    /// Creates the reason why no search can begin in a state; nil if a search can begin, or the state is not known yet.
    init?(_ state: CentralManagerState) {
        switch state {
        case .poweredOff: self = .poweredOff
        case .unsupported, .unauthorized, .resetting: self = .noBluetooth
        case .poweredOn, .unknown: return nil
        }
    }
}
