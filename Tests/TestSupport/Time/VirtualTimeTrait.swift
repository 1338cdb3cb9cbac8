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
        guard let loop = VirtualTime.loop else { return try await function() }
        try await withTaskExecutorPreference(loop) {
            VirtualTime.begin()
            defer {
                if let reason = VirtualTime.end() {
                    Issue.record("Nothing is in progress, and nothing can happen any more. \(reason)")
                }
            }
            try await function()
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
