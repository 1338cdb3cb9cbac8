// swift-tools-version: 6.2
import PackageDescription

// A separate package: libFuzzer's loop is available only if everything is built with -sanitize=fuzzer.
let package = Package(
    name: "Fuzzer",
    dependencies: [.package(name: "CoreBlueZ", path: "../..")],
    targets: [
        .executableTarget(
            name: "Fuzzer",
            dependencies: ["BLESerial", "BlueZSimulator", "Captures", "DBus", "GatewayProtocol", "SensorTag"].map {
                .product(name: $0, package: "CoreBlueZ")
            },
            path: ".",
            sources: ["Driver", "Targets"],
            swiftSettings: [.swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error)]
        )
    ]
)
