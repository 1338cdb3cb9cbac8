import BLESerial
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import SimulatedSerial
import Testing

@BluetoothActor private final class Delegate: BLECardReaderDelegate {
    var told: [String] = []
    var data: [Data] = []
    func didNotifyFailConnectService(_ peripheral: Peripheral, error: BluetoothError) { told.append("no service") }
    func didNotifyFailConnectChar(_ peripheral: Peripheral, error: BluetoothError) { told.append("no characteristic") }
    func didFoundReadChar(_ characteristic: Characteristic) { told.append("read \(characteristic.uuid)") }
    func didFoundWriteChar(_ characteristic: Characteristic) { told.append("write \(characteristic.uuid)") }
    func didFoundCharacteristic(_ characteristic: Characteristic, withPeripheral peripheral: Peripheral) {
        told.append("found")
    }
    func didNotifyReadError(_ error: any Error) {
        told.append((error as? FramingError).map { "\($0.reason)" } ?? (error as? BluetoothError)?.code.rawValue ?? "?")
    }
    func didNotifyReadData(_ data: Data) {
        self.data.append(data)
        told.append("data")
    }
}

extension ExchangeDevices {
    @Suite("The card reader library's callbacks") @BluetoothActor struct BLECardReaderTests {
        /// A reader, its delegate, and the peripheral with an address.
        private func withReader(
            _ others: [SimulatedSerialProfile] = [],
            profile: SerialProfile = .issc,
            address: String = CardReaderWorld.address,
            _ body: (BLECardReader, Delegate, Peripheral, CardReaderWorld) async throws -> Void
        ) async throws {
            let world = try await CardReaderWorld(others: others)
            let central = CentralManager(bus: world.bus)
            try await central.waitUntilPoweredOn()
            let peripheral = try await central.firstPeripheral { found, _ in found.address?.description == address }
            let delegate = Delegate()
            let reader = BLECardReader(profile: profile)
            reader.delegate = delegate
            try await body(reader, delegate, peripheral, world)
            withExtendedLifetime(central) {}
        }

        @Test("Connecting reports the characteristics that were found")
        func found() async throws {
            try await withReader { reader, delegate, peripheral, _ in
                reader.connect(peripheral)
                try await Patience.wait(for: "the callbacks", until: { delegate.told.count == 4 })
                #expect(delegate.told.filter { $0 == "found" }.count == 2)
                #expect(delegate.told.contains("read \(SerialProfile.issc.notify)"))
                #expect(delegate.told.contains("write \(SerialProfile.issc.write)"))
            }
        }

        @Test("A device without the service is reported as such, and so is one that does not answer")
        func noService() async throws {
            try await withReader([.nordic], address: "00:AA:02:00:00:10") { reader, delegate, peripheral, world in
                reader.connect(peripheral)
                try await Patience.wait(for: "the callback", until: { delegate.told == ["no service"] })
                try await peripheral.disconnect()
                await world.perform { $0.stopOthers() }
                reader.connectTimeout = .milliseconds(100)
                reader.connect(peripheral)
                try await Patience.wait(for: "the callback", until: { delegate.told == ["no service", "no service"] })
            }
        }

        @Test("A service without the characteristics is reported as such")
        func noCharacteristic() async throws {
            var profile = SerialProfile.issc
            profile.write = SerialProfile.nordic.write
            try await withReader(profile: profile) { reader, delegate, peripheral, _ in
                reader.connect(peripheral)
                try await Patience.wait(for: "the callback", until: { delegate.told == ["no characteristic"] })
            }
        }

        @Test("Answers are reported whole, even two in one notification, and damaged ones as errors")
        func data() async throws {
            try await withReader { reader, delegate, peripheral, world in
                reader.write(command: 0xC1, subcommand: 0x07, data: Data([0, 0]))
                #expect(delegate.told == ["notConnected"])
                reader.connect(peripheral)
                try await Patience.wait(for: "the characteristics", until: { delegate.told.count == 5 })
                try await Patience.wait(for: "the subscription") { await world.perform { $0.device.isSubscribed } }
                await world.perform { $0.script.faults = [.unsolicitedFrame, .wrongChecksum] }
                delegate.told = []
                try await Patience.wait(for: "the stream") {
                    reader.write(command: 0xC1, subcommand: 0x08, data: Data([0, 1, 2, 3]))
                    return delegate.told.last != "notConnected"
                }
                try await Patience.wait(for: "both frames", until: { delegate.data.count == 2 })
                let frames = await world.perform {
                    [$0.script.frame(0xEE, 0x01, [1]), $0.script.frame(0xC1, 0x08, [0x6D, 0x00])]
                }
                #expect(delegate.data == frames.map { Data($0) })
                reader.write(command: 0xC1, subcommand: 0x08, data: Data([0, 1, 2, 3]))
                try await Patience.wait(for: "the error", until: { delegate.told.last == "wrongChecksum" })
                await world.perform { $0.device.peripheral.simulateDisconnection() }
                try await Patience.wait(for: "the link's end", until: { delegate.told.last == "disconnected" })
            }
        }
    }
}
