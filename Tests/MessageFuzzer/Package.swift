// swift-tools-version: 6.2
import PackageDescription

// A package of its own: libFuzzer's loop is there only if everything is built with -sanitize=fuzzer.
let package = Package(
    name: "MessageFuzzer",
    dependencies: [.package(name: "CoreBlueZ", path: "../..")],
    targets: [
        .executableTarget(
            name: "MessageFuzzer",
            dependencies: [.product(name: "DBus", package: "CoreBlueZ")],
            path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error)]
        )
    ]
)
