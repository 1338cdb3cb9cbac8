/// The simulator with a tag in it.
enum SimulatedBus {
    /// Starts it and returns the address of its message bus.
    static func start() async throws(CommandFailure) -> String {
        throw CommandFailure(.unavailable, "This build has no simulator")
    }
}
