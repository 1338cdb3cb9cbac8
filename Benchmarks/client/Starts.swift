import BlueZAdvertisements
import CoreBlueZ
import Glibc
import Measuring

/// What a program does at its start, and scans.
@BluetoothActor enum Starts {
    /// What it takes of the peripherals that BlueZ knows.
    enum Extent {
        case known, objects, discovered
    }

    /// Takes what BlueZ knows.
    static func tree() async throws {
        let usage = ResourceUsage()
        try await Mock.shared.powerOn()
        usage.end(1)
    }

    /// Takes what BlueZ knows and finds the first peripheral.
    static func start(_ extent: Extent) async throws {
        let usage = ResourceUsage()
        let mock = Mock.shared
        try await mock.powerOn()
        _ = try await mock.central.firstPeripheral(withServices: [0x180D])
        let peripherals = extent == .known ? [] : mock.central.retrieveKnownPeripherals()
        if extent == .discovered {
            for index in peripherals.indices { _ = try await mock.number(index) }
        }
        usage.end(max(1, peripherals.count))
        withExtendedLifetime(peripherals) {}
    }

    /// All advertisements after the first, decoded.
    static func decodedScan(_ count: Int) async throws {
        let decoder = AdvertisementDecoder()
        var readings = 0
        try await scan(count) { peripheral, data in
            readings += decoder.decode(data, from: peripheral.address).readings.count
        }
        guard readings >= 8 * count else { throw Client.Failure(description: "The advertisements were not decoded") }
    }

    /// All advertisements after the first.
    static func scan(
        _ count: Int, _ body: @escaping @BluetoothActor (Peripheral, AdvertisementData) -> Void = { _, _ in }
    ) async throws {
        let mock = Mock.shared
        try await mock.powerOn()
        var left = count
        var usage = ResourceUsage()
        try await completion { completion in
            mock.central.scanForPeripherals(options: ScanOptions(allowDuplicates: true)) { peripheral, data, _ in
                if left == count { usage = ResourceUsage() }
                body(peripheral, data)
                left -= 1
                if left == 0 { completion(nil) }
            } completion: { error in
                completion(error)
            }
        }
        usage.end(count - 1)
    }

    /// Peripherals whose addresses change all the time; BlueZ removes the old ones.
    static func rotating(_ count: Int) async throws {
        let mock = Mock.shared
        try await mock.powerOn()
        var left = count
        let usage = ResourceUsage()
        try await completion { completion in
            mock.central.scanForPeripherals { _, _, _ in
                left -= 1
                if left == 0 { completion(nil) }
            } completion: { error in
                completion(error)
            }
        }
        usage.end(count)
    }

    /// Connects and discovers one peripheral again and again; each time is printed.
    static func connections(_ count: Int) async throws {
        let mock = Mock.shared
        try await mock.powerOn()
        let peripheral = try await mock.central.firstPeripheral(withServices: [0x180D])
        for _ in 0..<count {
            let usage = ResourceUsage()
            try await peripheral.connect()
            try await peripheral.discoverServices()
            usage.end(1)
            guard peripheral.service(0x180D).characteristics.count == 21 else {
                throw Client.Failure(description: "Characteristics are missing")
            }
            try await peripheral.disconnect()
        }
    }

    /// Finds, connects, and reads one value.
    static func process() async throws {
        let usage = ResourceUsage()
        let heart = try await Mock.shared.firstFound()
        try await heart.readOnly.readValue()
        usage.end(1)
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
