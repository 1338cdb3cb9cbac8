// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error)]

let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "CoreBlueZ", path: "..")
    ],
    targets: [
        .target(name: "Measuring", path: "measuring", swiftSettings: settings),
        .executableTarget(
            name: "BenchmarkClient",
            dependencies: [
                "Measuring", .product(name: "BlueZAdvertisements", package: "CoreBlueZ"),
                .product(name: "CoreBlueZ", package: "CoreBlueZ"),
            ],
            path: "client",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "DelegateClient",
            dependencies: ["Measuring", .product(name: "CoreBluetooth", package: "CoreBlueZ")],
            path: "delegate",
            swiftSettings: settings
        ),
    ]
)
