import Foundation

/// How often the tests of races and of random input repeat what they test. `COREBLUEZ_TEST_ROUNDS` says how often;
/// Scripts/faults and Scripts/verify set it.
public enum Rounds {
    /// The number of rounds.
    ///
    /// - Parameter standard: how many there are if the environment says nothing.
    public static func count(_ standard: Int) -> Int {
        ProcessInfo.processInfo.environment["COREBLUEZ_TEST_ROUNDS"].flatMap(Int.init) ?? standard
    }
}
