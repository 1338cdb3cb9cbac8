import Foundation

/// libFuzzer's loop (compiler-rt/lib/fuzzer/FuzzerInterface.h), which no Swift module declares.
@_silgen_name("LLVMFuzzerRunDriver") private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Gives the input that libFuzzer makes to a target, and stops if the target refuses the result.
///
/// usage: FUZZ_TARGET=TARGET Fuzzer [libFuzzer's arguments]
@main enum Fuzzer {
    // Not an argument: libFuzzer starts the program again with its own arguments to merge what it has found.
    private static let target = ProcessInfo.processInfo.environment["FUZZ_TARGET"].flatMap { FuzzTarget(rawValue: $0) }

    static func main() {
        guard target != nil else {
            fatalError("FUZZ_TARGET must be one of \(FuzzTarget.allCases.map(\.rawValue))")
        }
        var count = CommandLine.argc
        var arguments = unsafe CommandLine.unsafeArgv
        _ = unsafe runFuzzer(&count, &arguments) { start, count in
            let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
            let end = DispatchSemaphore(value: 0)
            Task.detached {
                do { try await Fuzzer.target?.test(bytes) } catch { fatalError("\(error)") }
                end.signal()
            }
            end.wait()
            return 0
        }
    }
}
