import SensorTagProgram
import Testing

@testable import sensortag

@Suite("Numbers are written with a fixed count of decimals") struct FixedPointTests {
    @Test(
        "A number is rounded",
        arguments: [
            (0, 2, "0.00"), (26.75, 2, "26.75"), (-0.078125, 2, "-0.08"), (1021.485, 0, "1021"), (-0.001, 2, "0.00"),
            (0.005, 2, "0.01"), (9.999, 2, "10.00"), (1.05, 1, "1.1"), (-12.34, 2, "-12.34"), (83865.6, 2, "83865.60"),
        ] as [(Double, Int, String)])
    func rounds(value: Double, decimals: Int, text: String) {
        #expect(FixedPoint.text(value, decimals: decimals) == text)
    }

    @Test(
        "What does not fit is written as it is",
        arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 9.3e16])
    func large(value: Double) {
        #expect(FixedPoint.text(value, decimals: 2) == "\(value)")
    }
}
