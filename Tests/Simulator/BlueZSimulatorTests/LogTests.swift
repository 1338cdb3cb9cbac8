import TestSupport
import Testing

@testable import BlueZSimulator

@Suite(.virtualTime) struct SimulatorLogTests {
    @Test("The log of a peripheral keeps its newest entries, and has an end")
    func limit() async throws {
        await SimulatorActor.run {
            let peripheral = SimulatedPeripheral(PeripheralSpecification(name: "Log", address: "00:AA:01:00:00:01"))
            let count = 2 * SimulatedPeripheral.logLimit + 7
            for index in 0..<count { peripheral.addEntry(.read, .clientConfiguration, [UInt8(index % 251)]) }
            #expect((SimulatedPeripheral.logLimit...2 * SimulatedPeripheral.logLimit).contains(peripheral.log.count))
            let newest = (count - SimulatedPeripheral.logLimit..<count).map { [UInt8($0 % 251)] }
            #expect(peripheral.log.suffix(SimulatedPeripheral.logLimit).map(\.value) == newest)
        }
    }
}
