import BlueZClient
import Testing

/// Runs each test of a suite on the virtual clock, if the process has one.
public struct VirtualTimeTrait: TestTrait, SuiteTrait, TestScoping {
    /// Suites in a suite have it too.
    public var isRecursive: Bool { true }

    /// Leaves a test to another process, if this one is only for those on the real clock.
    public func prepare(for test: Test) async throws {
        let trait: ConditionTrait = .disabled(if: VirtualTime.isElsewhere, "on the virtual clock")
        try await trait.prepare(for: test)
    }

    /// Runs a test on the only loop.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await VirtualTime.run(function)
    }
}

extension VirtualTime {
    /// Runs a test on the only loop, if the process has a virtual clock, otherwise on the framework's. Traits don't do so
    /// for the body of an exit test.
    public static func run(_ body: @Sendable () async throws -> Void) async throws {
        guard let loop else {
            return try await withTaskExecutorPreference(BluetoothActor.loop) { try await body() }
        }
        try await withTaskExecutorPreference(loop) {
            begin()
            defer {
                if let reason = end() {
                    Issue.record("Nothing is in progress, and nothing can happen any more. \(reason)")
                }
            }
            try await body()
        }
    }
}

extension Trait where Self == VirtualTimeTrait {
    /// Runs the tests on the virtual clock, if the process has one.
    public static var virtualTime: Self { Self() }
}

extension Trait where Self == ConditionTrait {
    /// Leaves the tests to another process, if this one has a virtual clock.
    public static var realTime: Self { .disabled(if: VirtualTime.isOn, "on the real clock") }
}
