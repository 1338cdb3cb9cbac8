@testable import DBus

/// libFuzzer's loop (compiler-rt/lib/fuzzer/FuzzerInterface.h), which no Swift module declares.
@_silgen_name("LLVMFuzzerRunDriver") private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Reads the input that libFuzzer makes, and stops if libdbus reads it otherwise.
@main enum MessageFuzzer {
    static func main() {
        var count = CommandLine.argc
        var arguments = unsafe CommandLine.unsafeArgv
        _ = unsafe runFuzzer(&count, &arguments) { start, count in
            MessageFuzzer.test(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
            return 0
        }
    }

    private static func test(_ bytes: [UInt8]) {
        let message = Message.received(bytes)
        precondition(message?.bytes == Message.reference(bytes), "libdbus reads something else")
        guard let message else { return }
        _ = (message.path, message.interface, message.member, message.sender, message.destination, message.error)
        var reader = message.reader
        _ = try? reader.readRemainingValues()
    }
}
