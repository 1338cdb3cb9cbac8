import FoundationEssentials
import TestSupport

@testable import CoreBlueZ

extension CentralRound {
    /// Everything can be used by others: no queue, link or subscription is left in a state of its own.
    func probe() async throws {
        try await simulator.mend()
        var central: CentralManager?
        if let anchor { central = anchor } else { central = await makeCentral(timeout: nil) }
        var isDone = false
        var lastError: (any Error)?
        let task = Task { @BluetoothActor [central, record] in
            while !isDone, !Task.isCancelled {
                // A disconnection of the round may be under way still.
                do {
                    try await Self.probe(central, record)
                    isDone = true
                } catch {
                    lastError = error
                }
            }
        }
        defer { task.cancel() }
        try await demand(.unusable, "the probe of all attributes (\(lastError.map { "\($0)" } ?? "no error"))") {
            isDone
        }
        await task.value
        central?.removeAllPeripherals()
        anchor = nil
        central = nil
        try await demand(.leftOver, "bluetoothd to have no subscriber") { await self.simulator.subscribed.isEmpty }
    }

    private static func probe(_ central: CentralManager?, _ record: CentralRecord) async throws {
        guard let central else { return }
        try await central.waitUntilPoweredOn(timeout: .seconds(10))
        let peripheral = try await peripheral(of: central, within: .seconds(10))
        try await peripheral.connect()
        try await discover(peripheral)
        for attribute in CentralSchedule.Attribute.allCases {
            guard let characteristic = characteristic(attribute, of: peripheral) else {
                throw BluetoothError(.notDiscovered, "The probe misses \(attribute)")
            }
            try await characteristic.readValue()
            let number = record.makeNumber()
            let index = record.begin(
                "write \(attribute) by the probe", attribute, isTask: true, number: number, isWithResponse: true)
            do throws(BluetoothError) {
                try await characteristic.writeValue(Data(CentralRecord.bytes(number)))
                record.end(index, nil)
            } catch {
                record.end(index, error)
                throw error
            }
        }
    }
}
