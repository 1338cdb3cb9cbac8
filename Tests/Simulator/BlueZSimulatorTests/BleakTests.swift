import Foundation
import TestSupport
import Testing

/// A central that was not written against the simulator: the same script that shows in the lab whether bluetoothd and
/// the lab's peripherals behave as they should.
@Suite(.realTime) struct BleakTests {
    private static let python = ProcessInfo.processInfo.environment["COREBLUEZ_TEST_PYTHON"]

    @Test(
        "bleak finds, connects, discovers, reads, writes and is notified",
        .enabled("needs a Python with bleak, named by COREBLUEZ_TEST_PYTHON") { python != nil },
        .timeLimit(.minutes(2))
    )
    func bleak() async throws {
        let binaries = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let directory = FileManager.default.temporaryDirectory.appending(path: "corebluez-bleak-\(UUID())")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: directory) }
        let control = directory.appending(path: "control").path

        let simulator = Process()
        simulator.executableURL = binaries.appending(path: "bluez-simulator")
        simulator.arguments = ["--control", control, "--experimental"]
        let output = Pipe()
        simulator.standardOutput = output
        simulator.standardError = FileHandle.nullDevice
        try simulator.run()
        defer {
            simulator.terminate()
            simulator.waitUntilExit()
        }
        let line = try #require(await Self.firstLine(of: output))
        let address = try #require(line.split(separator: "=", maxSplits: 1).last)

        let script = Process()
        script.executableURL = URL(fileURLWithPath: try #require(Self.python))
        script.arguments = ["-B", package.appending(path: "Lab/smoke.py").path]
        script.environment = ProcessInfo.processInfo.environment.merging(
            ["DBUS_SYSTEM_BUS_ADDRESS": String(address), "COREBLUEZ_TEST_CONTROL": control]
        ) { $1 }
        let report = Pipe()
        script.standardOutput = report
        script.standardError = report
        try script.run()
        let text = String(decoding: try #require(try report.fileHandleForReading.readToEnd()), as: UTF8.self)
        script.waitUntilExit()
        #expect(script.terminationStatus == 0, "\(text)")
        #expect(text.contains("50 notifications in order"))
    }

    private static func firstLine(of pipe: Pipe) async -> String? {
        var bytes: [UInt8] = []
        while !bytes.contains(UInt8(ascii: "\n")) {
            let data = pipe.fileHandleForReading.availableData
            guard !data.isEmpty else { return nil }
            bytes += data
        }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
