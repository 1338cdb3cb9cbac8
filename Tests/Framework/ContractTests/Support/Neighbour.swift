import BlueZDBus
import CoreBlueZ
import Foundation

/// Another program on the same adapter: Lab/neighbour.py, which uses bleak.
final class Neighbour: Sendable {
    /// A Python with bleak, if the environment names one.
    static let python: String? = {
        let environment = ProcessInfo.processInfo.environment
        return environment["COREBLUEZ_TEST_PYTHON"] ?? environment["LAB_PYTHON"]
    }()

    private let process: Process
    private let input = Pipe()
    private let received = Lock([UInt8]())

    init(bus: BusAddress, python: String) throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../../..")
            .standardized
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-B", package.appending(path: "Lab/neighbour.py").path]
        process.environment = ProcessInfo.processInfo.environment
            .merging(["DBUS_SYSTEM_BUS_ADDRESS": bus.description]) { $1 }
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        self.process = process
        output.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            self?.received.withLock { $0 += data }
        }
        try process.run()
    }

    deinit {
        if process.isRunning { process.terminate() }
    }

    /// The lines that it has said.
    var lines: [String] {
        received.withLock { bytes in
            bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The rest of each line whose first word this is.
    func said(_ word: String) -> [String] {
        lines.map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
            .filter { $0.first == word }.map { $0.count > 1 ? $0[1] : "" }
    }

    func tell(_ command: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
    }

    /// Lets it disconnect and end, if it hasn't.
    func end() throws {
        try input.fileHandleForWriting.close()
    }

    var isRunning: Bool { process.isRunning }
}
