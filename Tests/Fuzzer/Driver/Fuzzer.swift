/// libFuzzer's loop (compiler-rt/lib/fuzzer/FuzzerInterface.h), which no Swift module declares.
@_silgen_name("LLVMFuzzerRunDriver") private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Gives the input that libFuzzer makes to a target, and stops if the target refuses the result.
///
/// usage: Fuzzer TARGET [libFuzzer's arguments]
@main enum Fuzzer {
    private static let target = FuzzTarget(rawValue: CommandLine.arguments.dropFirst().first ?? "")

    static func main() {
        guard target != nil else {
            fatalError("The first argument must be one of \(FuzzTarget.allCases.map(\.rawValue))")
        }
        // Without the name of the target.
        var count = CommandLine.argc - 1
        var arguments = unsafe CommandLine.unsafeArgv + 1
        _ = unsafe runFuzzer(&count, &arguments) { start, count in
            let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
            do { try Fuzzer.target?.test(bytes) } catch { fatalError("\(error)") }
            return 0
        }
    }
}
