import TestSupport

typealias PeripheralFixture = TestSupport.PeripheralFixture
typealias SimulatorFixture = TestSupport.SimulatorFixture
typealias SplitMix64 = TestSupport.SplitMix64
