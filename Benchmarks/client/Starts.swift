import CoreBlueZ
import Glibc

/// What a program does at its start, and scans.
@BluetoothActor enum Starts {
    /// What it takes of the peripherals that BlueZ knows.
    enum Extent {
        case known, objects, discovered
    }

    /// Takes what BlueZ knows.
    static func tree() async throws {
        let measurement = Measurement()
        try await Mock.shared.powerOn()
        measurement.end(1)
    }

    /// Takes what BlueZ knows and finds the first peripheral.
    static func start(_ extent: Extent) async throws {
        let measurement = Measurement()
        let mock = Mock.shared
        try await mock.powerOn()
        _ = try await mock.central.firstPeripheral(withServices: [0x180D])
        let peripherals = extent == .known ? [] : mock.central.retrieveKnownPeripherals()
        if extent == .discovered {
            for index in peripherals.indices { _ = try await mock.number(index) }
        }
        measurement.end(max(1, peripherals.count))
        withExtendedLifetime(peripherals) {}
    }

    /// All advertisements after the first.
    static func scan(_ count: Int) async throws {
        let mock = Mock.shared
        try await mock.powerOn()
        var left = count
        var measurement = Measurement()
        try await completion { completion in
            mock.central.scanForPeripherals(options: ScanOptions(allowDuplicates: true)) { _, _, _ in
                if left == count { measurement = Measurement() }
                left -= 1
                if left == 0 { completion(nil) }
            } completion: { error in
                completion(error)
            }
        }
        measurement.end(count - 1)
    }

    /// Peripherals whose addresses change all the time; BlueZ removes the old ones.
    static func rotating(_ count: Int) async throws {
        let mock = Mock.shared
        try await mock.powerOn()
        var left = count
        let measurement = Measurement()
        try await completion { completion in
            mock.central.scanForPeripherals { _, _, _ in
                left -= 1
                if left == 0 { completion(nil) }
            } completion: { error in
                completion(error)
            }
        }
        measurement.end(count)
    }

    /// Connects and discovers one peripheral again and again; each time is printed.
    static func connections(_ count: Int) async throws {
        let mock = Mock.shared
        try await mock.powerOn()
        let peripheral = try await mock.central.firstPeripheral(withServices: [0x180D])
        for _ in 0..<count {
            let measurement = Measurement()
            try await peripheral.connect()
            try await peripheral.discoverServices()
            measurement.end(1)
            guard peripheral.service(0x180D).characteristics.count == 21 else {
                throw Client.Failure(description: "Characteristics are missing")
            }
            try await peripheral.disconnect()
        }
    }

    /// Finds, connects, and reads one value.
    static func process() async throws {
        let measurement = Measurement()
        let heart = try await Mock.shared.firstFound()
        try await heart.readOnly.readValue()
        measurement.end(1)
        try await heart.peripheral.disconnect()
    }

    /// Is connected and subscribed, and waits until it is ended.
    static func idle() async throws {
        let mock = Mock.shared
        let heart = try await mock.first()
        try await heart.notified.setNotifyValue(true)
        print("ready")
        fflush(nil)
        try await BluetoothActor.sleep(for: .seconds(86400))
    }
}
