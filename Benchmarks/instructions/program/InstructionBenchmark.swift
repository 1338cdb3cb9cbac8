import Glibc

/// The program that Benchmarks/instructions/measure starts.
@main enum InstructionBenchmark {
    /// Why the program ends without having done its work.
    struct Failure: Error {
        let description: String
    }

    /// The main thread only waits: valgrind crashes if libdispatch ends it, as after an asynchronous `main`.
    static func main() {
        Task.detached {
            do {
                try await run(Array(CommandLine.arguments.dropFirst()))
                exit(0)
            } catch {
                print("instruction-benchmark:", (error as? Failure)?.description ?? "\(error)")
                exit(1)
            }
        }
        while true { pause() }
    }

    private static func run(_ arguments: [String]) async throws {
        if arguments == ["peer"] { return try await NotifyingPeer.run() }
        guard arguments.count == 2, let work = Work(rawValue: arguments[0]), let count = UInt32(arguments[1]), count > 0
        else {
            let names = Work.allCases.map(\.rawValue).joined(separator: "|")
            throw Failure(description: "Usage: InstructionBenchmark peer, or InstructionBenchmark \(names) COUNT")
        }
        try await work.run(count)
    }
}
