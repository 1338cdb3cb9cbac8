// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "tag",
    dependencies: [
        .package(path: "../CoreBlueZ")
    ],
    targets: [
        .executableTarget(
            name: "tag",
            dependencies: [
                .product(name: "CoreBlueZ", package: "CoreBlueZ")
            ]
        )
    ]
)
