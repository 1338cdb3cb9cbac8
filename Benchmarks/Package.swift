// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "CoreBlueZ", path: "..")
    ],
    targets: [
        .executableTarget(
            name: "BenchmarkClient",
            dependencies: [.product(name: "CoreBlueZ", package: "CoreBlueZ")],
            path: "client",
            swiftSettings: [.swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error)]
        )
    ]
)
