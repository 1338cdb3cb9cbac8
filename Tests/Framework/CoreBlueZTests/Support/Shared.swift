import TestSupport

typealias PeripheralFixture = TestSupport.PeripheralFixture
typealias Patience = TestSupport.Patience
typealias SimulatorFixture = TestSupport.SimulatorFixture
typealias SplitMix64 = TestSupport.SplitMix64
