import BlueZPrintableText
import BlueZScript
import BlueZSensorTag
import CoreBlueZ
import SensorTagProgram

/// Finds the requested tag.
@BluetoothActor final class TagFinder {
    let central: SensorTagManager
    let options: TagOptions
    /// The signal strength in dBm of the tag that was found, while it was advertising.
    private(set) var rssi: Int?
    private let say: @BluetoothActor (String) -> Void

    private static let timeout = 30

    init(_ options: TagOptions, bus address: String?, say: @escaping @BluetoothActor (String) -> Void) {
        self.options = options
        self.say = say
        central = SensorTagManager(bus: address.map { .address($0) } ?? .system, adapter: options.adapter)
        central.knownAddresses = Set([options.address].compactMap { $0 })
        central.knownPeripheralNames = Set([options.name].compactMap { $0 })
    }

    /// A tag that is already connected, which does not advertise; otherwise the first that advertises.
    func find() async throws -> SensorTag {
        try await central.waitUntilUsable()
        let connected = central.retrieveConnectedPeripherals().first { tag in
            DiscoveredDevice(tag).map(central.isKnownPeripheral) == true
        }
        if let tag = connected as? SensorTag { return tag }
        say("Looking for \(wanted)...")
        do throws(BluetoothError) {
            let found = try await central.firstPeripheral(timeout: .seconds(Self.timeout)) { [weak self] tag, _ in
                self?.rssi = tag.rssi
                return true
            }
            guard let tag = found as? SensorTag else {
                throw BluetoothError(.failed, "The manager did not create a SensorTag")
            }
            return tag
        } catch {
            throw error.code == .timedOut ? notFound : CommandFailure(error)
        }
    }

    private var notFound: CommandFailure {
        CommandFailure(
            .timedOut,
            """
            There was no sign of \(wanted) within \(Self.timeout) s. Press the tag's button so that it advertises (the \
            LED blinks), move it closer, and make sure that no other device is connected to it.
            """
        )
    }

    private var wanted: String {
        if let address = options.address { return "the SensorTag \(address)" }
        if let name = options.name { return "a SensorTag named \(name.escapedForTerminal())" }
        return "a SensorTag"
    }
}
