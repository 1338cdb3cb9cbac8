import CoreBlueZ
import Glibc

/// The client in Swift, by the library's public interface: does one piece of work on the mock, and prints what it took.
@main enum Client {
    /// Why it ends without having done what it was asked to.
    struct Failure: Error {
        let description: String
    }

    /// The main thread only waits: valgrind crashes if libdispatch ends it, as after an asynchronous `main`.
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        BluetoothActor.perform {
            Task {
                do {
                    try await BluetoothActor.run { try await run(arguments) }
                    exit(0)
                } catch {
                    print("client:", (error as? Failure)?.description ?? "\(error)")
                    exit(1)
                }
            }
        }
        while true { pause() }
    }

    @BluetoothActor private static func run(_ arguments: [String]) async throws {
        guard let name = arguments.first, let work = Work(rawValue: name) else {
            let names = Work.allCases.map(\.rawValue).joined(separator: "|")
            throw Failure(description: "Usage: BenchmarkClient \(names) [NUMBER...]")
        }
        let numbers = arguments.dropFirst().compactMap { UInt32($0) }
        try await work.run(numbers + [UInt32](repeating: 0, count: 4))
    }
}
