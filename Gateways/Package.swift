// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "Gateways",
    products: [
        .executable(name: "gatt-gateway", targets: ["GatewayCommand"]),
        .executable(name: "gatt-fleet", targets: ["FleetCommand"]),
        .executable(name: "many-radios", targets: ["ManyRadios"]),
    ],
    dependencies: [
        .package(name: "CoreBlueZ", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.4.0"),
    ],
    targets: [
        .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .target(
            name: "Mosquitto",
            dependencies: [
                "CMosquitto", .product(name: "DBus", package: "CoreBlueZ"),
                .product(name: "GatewayProtocol", package: "CoreBlueZ"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "BrokerOptions",
            dependencies: [
                "Mosquitto", .product(name: "CommandLineSupport", package: "CoreBlueZ"),
                .product(name: "GatewayProtocol", package: "CoreBlueZ"),
                .product(name: "PrintableText", package: "CoreBlueZ"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "GatewayCommand",
            dependencies: [
                "BrokerOptions", .product(name: "CommandLineSupport", package: "CoreBlueZ"),
                .product(name: "CoreBlueZ", package: "CoreBlueZ"), .product(name: "Gateway", package: "CoreBlueZ"),
                .product(name: "GatewayProtocol", package: "CoreBlueZ"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/gatt-gateway",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "FleetCommand",
            dependencies: [
                "BrokerOptions", .product(name: "CommandLineSupport", package: "CoreBlueZ"),
                .product(name: "CoreBlueZ", package: "CoreBlueZ"), .product(name: "Fleet", package: "CoreBlueZ"),
                .product(name: "GatewayProtocol", package: "CoreBlueZ"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Sources/gatt-fleet",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "ManyRadios",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "BlueZSimulator", package: "CoreBlueZ"),
                .product(name: "CoreBlueZ", package: "CoreBlueZ"),
            ],
            path: "Sources/many-radios",
            swiftSettings: strict
        ),
        .testTarget(
            name: "MosquittoTests",
            dependencies: [
                "BrokerOptions", "Mosquitto",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"), .product(name: "BlueZSimulator", package: "CoreBlueZ"),
                .product(name: "CoreBlueZ", package: "CoreBlueZ"), .product(name: "DBus", package: "CoreBlueZ"),
                .product(name: "Fleet", package: "CoreBlueZ"), .product(name: "Gateway", package: "CoreBlueZ"),
                .product(name: "GatewayProtocol", package: "CoreBlueZ"),
            ],
            swiftSettings: strict
        ),
    ]
)
