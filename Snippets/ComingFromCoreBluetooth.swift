// A heart-rate monitor, as the article Coming from CoreBluetooth shows it beside CoreBluetooth's delegates.
import CoreBlueZ
import FoundationEssentials

@BluetoothActor final class HeartRateMonitor {
    let central = CentralManager()

    func start() {
        central.scanForPeripherals(withServices: [0x180D]) { [self] sensor, _, rssi in
            print("found", sensor.displayName, rssi ?? 0)
            central.stopScan()
            connect(to: sensor)
        } completion: { error in
            if let error { print("The scan failed:", error) }
        }
    }
}

extension HeartRateMonitor {
    func connect(to sensor: Peripheral) {
        sensor.disconnectHandler = { _, error in
            print("disconnected:", error?.message ?? "as asked")
        }
        sensor.connect { [self] error in
            if let error { return print("No link:", error) }
            discover(sensor)
        }
    }
}

extension HeartRateMonitor {
    func discover(_ sensor: Peripheral) {
        sensor.discoverServices([0x180D, 0x180F]) { [self] services, error in
            if let error { return print("No services:", error) }
            let heartRate = sensor.service(0x180D)
            read(sensor.service(0x180F).characteristic(0x2A19))
            reset(heartRate.characteristic(0x2A39))
            follow(heartRate.characteristic(0x2A37))
        }
    }
}

extension HeartRateMonitor {
    func read(_ battery: Characteristic) {
        battery.readValue { value, error in
            if let error { return print("No battery level:", error) }
            print("battery:", value?.first ?? 0, "%")
        }
    }
}

extension HeartRateMonitor {
    func reset(_ control: Characteristic) {
        control.writeValue(Data([1]), type: .withResponse) { error in
            if let error { print("Not reset:", error) }
        }
    }
}

extension HeartRateMonitor {
    func follow(_ measurement: Characteristic) {
        measurement.startNotifying { value, error in
            if let error { return print("No more values:", error) }
            print("heart rate:", value?.dropFirst().first ?? 0)
        } completion: { error in
            if let error { print("Not subscribed:", error) }
        }
    }
}

extension HeartRateMonitor {
    func explain(_ error: BluetoothError) {
        switch error.code {
        case .connectionTimedOut: print("Is the sensor worn and in range?")
        case .disconnected: print("The sensor went away")
        default:
            if let refusal = error.attError { return print("It refused:", refusal.name) }
            print(error)
        }
    }
}

extension HeartRateMonitor {
    func send(_ firmware: Data, to image: Characteristic) {
        image.acquireWrite { error in
            if let error { print("No more writes:", error) }
        } completion: { writer, error in
            guard let writer else { return print("No socket:", error?.message ?? "") }
            writer.writeInChunks(firmware) { error in
                print(error?.message ?? "sent")
                writer.close()
            }
        }
    }
}

extension HeartRateMonitor {
    func known(_ address: BluetoothAddress) -> Peripheral? {
        central.retrievePeripherals(withIdentifiers: [address]).first
            ?? central.retrieveConnectedPeripherals(withServices: [0x180D]).first
    }
}

let monitor = await HeartRateMonitor()
await monitor.start()
try? await Task.sleep(for: .seconds(60))
