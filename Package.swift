// swift-tools-version: 6.2
import PackageDescription

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")

let package = Package(
    name: "CoreBlueZ",
    products: [
        .library(name: "CoreBlueZ", targets: ["CoreBlueZ"]),
        .library(name: "BlueZClassic", targets: ["BlueZClassic"]),
        .library(name: "BlueZScript", targets: ["BlueZScript"]),
        .library(name: "BlueZObservation", targets: ["BlueZObservation"]),
        .library(name: "BlueZDBus", targets: ["BlueZDBus"]),
        .library(name: "BlueZPrintableText", targets: ["BlueZPrintableText"]),
        .library(name: "Captures", targets: ["Captures", "BlueZJSONLine", "BlueZRecording"]),
        .library(name: "BlueZCommandLine", targets: ["BlueZCommandLine"]),
        .library(name: "BlueZSimulator", targets: ["BlueZSimulator"]),
        .library(name: "GatewayProtocol", targets: ["GatewayProtocol"]),
        .library(name: "Gateway", targets: ["Gateway"]),
        .library(name: "Fleet", targets: ["Fleet"]),
        .library(name: "BlueZSerial", targets: ["BlueZSerial"]),
        .library(name: "BlueZAccessories", targets: ["BlueZAccessories"]),
        .library(name: "BlueZAccessoryStreams", targets: ["BlueZAccessoryStreams"]),
        .library(name: "BlueZSimulatedSerial", targets: ["BlueZSimulatedSerial"]),
        .library(name: "BlueZSensorTag", targets: ["BlueZSensorTag"]),
        .library(name: "BlueZSimulatedSensorTag", targets: ["BlueZSimulatedSensorTag"]),
        .executable(name: "accessories", targets: ["accessories"]),
        .executable(name: "bluez-simulator", targets: ["bluez-simulator"]),
        .executable(name: "cardreader", targets: ["cardreader"]),
        .executable(name: "gatt", targets: ["gatt"]),
        .executable(name: "modem", targets: ["modem"]),
        .executable(name: "sensortag", targets: ["sensortag"]),
        .executable(name: "sensortag-web", targets: ["sensortag-web"]),
        .executable(name: "terminal", targets: ["terminal"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        .systemLibrary(name: "CBlueZDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .target(
            name: "BlueZDBus",
            dependencies: [
                "CBlueZDBus", "BlueZPrintableText", .product(name: "HeapModule", package: "swift-collections"),
                logging,
            ]
        ),
        .target(name: "BlueZValues", dependencies: ["BlueZPrintableText"]),
        .target(
            name: "BlueZRuntime", dependencies: ["BlueZValues", "BlueZDBus", "BlueZPrintableText", logging]),
        .target(
            name: "BlueZClient", dependencies: ["BlueZRuntime", "BlueZDBus", "BlueZPrintableText", deque]),
        .target(
            name: "CoreBlueZ", dependencies: ["BlueZClient", "BlueZRuntime", "BlueZDBus", "BlueZPrintableText", deque]),
        .target(
            name: "BlueZClassic", dependencies: ["BlueZClient", "CoreBlueZ", "BlueZDBus", "BlueZPrintableText", deque]),
        .target(
            name: "BlueZScript",
            dependencies: ["BlueZCommandLine", "CoreBlueZ", "BlueZDBus", "BlueZPrintableText", systemPackage]
        ),
        .target(name: "BlueZObservation", dependencies: ["CoreBlueZ", "BlueZPrintableText"]),
        .target(
            name: "BlueZSerial", dependencies: ["BlueZClassic", "CoreBlueZ", "BlueZPrintableText", deque]),
        .target(
            name: "BlueZAccessories",
            dependencies: ["BlueZSerial", "BlueZClassic", "CoreBlueZ", "BlueZDBus", "BlueZPrintableText"]
        ),
        .target(name: "BlueZAccessoryStreams", dependencies: ["BlueZAccessories", "CoreBlueZ", "BlueZDBus"]),
        .target(
            name: "Fleet",
            dependencies: [
                "BlueZServer", "BlueZValues", "BlueZDBus", "GatewayProtocol", "BlueZJSONLine", "BlueZPrintableText",
                logging,
            ]
        ),
        .target(
            name: "BlueZServer", dependencies: ["BlueZValues", "BlueZDBus", "BlueZPrintableText"]),
        .target(
            name: "BlueZReplay",
            dependencies: ["BlueZServer", "BlueZValues", "BlueZDBus", "BlueZPrintableText", "BlueZRecording"]),
        .target(
            name: "BlueZSimulator",
            dependencies: [
                "BlueZServer", "BlueZValues", "BlueZDBus", "BlueZJSONLine", "BlueZRecording", "BlueZReplay",
                "BlueZUnixSockets",
            ]),
        .target(
            name: "PeripheralServer", dependencies: ["BlueZSimulator", "CoreBlueZ"]),
        .target(
            name: "BlueZSimulatedSerial", dependencies: ["BlueZSerial", "BlueZSimulator", deque]),
        .target(
            name: "GatewayProtocol", dependencies: ["BlueZValues", "BlueZDBus", "BlueZPrintableText"]),
        .target(
            name: "Gateway", dependencies: ["BlueZValues", "CoreBlueZ", "BlueZDBus", "GatewayProtocol", logging]),
        .target(name: "BlueZUnixSockets", dependencies: ["CBlueZDBus", "CBlueZTerminal", "BlueZDBus"]),
        .target(
            name: "BusRecorder",
            dependencies: ["BlueZRuntime", "BlueZValues", "BlueZDBus", "BlueZRecording", "BlueZUnixSockets", deque]
        ),
        .target(name: "BlueZPrintableText"),
        .target(
            name: "BlueZRecording", dependencies: ["BlueZValues", "BlueZJSONLine", "BlueZPrintableText"]),
        .target(name: "Captures", dependencies: ["BlueZValues", "BlueZRecording"]),
        .target(name: "BlueZJSONLine", dependencies: ["BlueZPrintableText"]),
        .target(
            name: "SimulatorControl",
            dependencies: ["BlueZSimulator", "BlueZDBus", "BlueZJSONLine", "BlueZPrintableText", "BlueZUnixSockets"]),
        .target(name: "CBlueZTerminal"),
        .target(
            name: "BlueZCommandLine",
            dependencies: ["CBlueZTerminal", "CoreBlueZ", "BlueZDBus", "BlueZPrintableText", logging, systemPackage]
        ),
        .executableTarget(
            name: "bluez-simulator",
            dependencies: [
                "BlueZSimulator", "BlueZCommandLine", "CoreBlueZ", "BlueZDBus", "BlueZJSONLine", "SimulatorControl",
                "BlueZSimulatedSensorTag",
                argumentParser,
            ],
            path: "Sources/bluez-simulator"),
        .executableTarget(
            name: "gatt",
            dependencies: [
                "BlueZSerial", "BusRecorder", "CBlueZTerminal", "Captures", "BlueZCommandLine", "CoreBlueZ",
                "BlueZSimulator", "BlueZDBus", "BlueZJSONLine", "PeripheralServer", "BlueZPrintableText",
                "BlueZRecording",
                "BlueZReplay", "BlueZSimulatedSerial", "BlueZUnixSockets",
                argumentParser,
                systemPackage,
            ],
            path: "Sources/gatt"),
        .target(name: "BlueZSensorTag", dependencies: ["CoreBlueZ"], path: "Demos/SensorTag"),
        .target(
            name: "BlueZSimulatedSensorTag",
            dependencies: ["BlueZSimulator"],
            path: "Demos/SimulatedSensorTag"
        ),
        .target(
            name: "SensorTagProgram",
            dependencies: [
                "BlueZSimulator", "BlueZCommandLine", "CoreBlueZ", "BlueZSensorTag", "BlueZSimulatedSensorTag",
                argumentParser,
            ],
            path: "Demos/SensorTagProgram"
        ),
        .target(
            name: "Deanna", dependencies: ["CoreBlueZ", "BlueZSensorTag"], path: "Demos/Deanna"),
        .executableTarget(
            name: "sensortag",
            dependencies: [
                "BlueZSimulator", "CBlueZTerminal", "BlueZCommandLine", "CoreBlueZ", "BlueZDBus", "BlueZJSONLine",
                "PeripheralServer", "BlueZPrintableText", "BlueZSensorTag", "SensorTagProgram",
                "BlueZSimulatedSensorTag",
                argumentParser,
                systemPackage,
            ],
            path: "Demos/sensortag",
            exclude: ["README.md"]
        ),
        .executableTarget(
            name: "sensortag-web",
            dependencies: [
                "BlueZCommandLine", "CoreBlueZ", "BlueZDBus", "BlueZJSONLine", "BlueZPrintableText", "BlueZSensorTag",
                "SensorTagProgram",
                "BlueZSimulatedSensorTag",
                argumentParser, deque,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                systemPackage,
            ],
            path: "Demos/sensortag-web",
            resources: [.embedInCode("Page")]
        ),
        .executableTarget(
            name: "cardreader",
            dependencies: [
                "BlueZSerial", "BlueZSimulator", "BlueZCommandLine", "CoreBlueZ", "BlueZPrintableText",
                "BlueZSimulatedSerial",
                argumentParser,
            ],
            path: "Demos/cardreader",
            exclude: ["README.md"]
        ),
        .executableTarget(
            name: "accessories",
            dependencies: [
                "BlueZAccessories", "BlueZSimulator", "BlueZCommandLine", "CoreBlueZ", "BlueZSimulatedSerial",
                argumentParser,
            ],
            path: "Demos/accessories",
            exclude: ["README.md"]
        ),
        .executableTarget(
            name: "terminal",
            dependencies: [
                "BlueZSerial", "BlueZSimulator", "BlueZCommandLine", "CoreBlueZ", "BlueZSimulatedSerial",
                argumentParser,
            ],
            path: "Demos/terminal",
            exclude: ["README.md"]
        ),
        .executableTarget(
            name: "modem",
            dependencies: [
                "BlueZSerial", "BlueZCommandLine", "CoreBlueZ", "BlueZPrintableText", "BlueZSimulatedSerial",
                argumentParser,
            ],
            path: "Demos/modem",
            exclude: ["README.md"]
        ),
        .executableTarget(
            name: "StreamBenchmark",
            dependencies: [
                "BlueZClassic", "BlueZAccessories", "BlueZSerial", "BlueZSimulator", "CoreBlueZ",
                "BlueZSimulatedSerial",
                argumentParser,
            ],
            path: "Benchmarks/streams/program"),
        .executableTarget(
            name: "InstructionBenchmark",
            dependencies: ["BlueZSimulator", "CoreBlueZ"],
            path: "Benchmarks/instructions/program"
        ),
        .systemLibrary(name: "CMosquitto", path: "Gateways/Sources/CMosquitto"),
        .target(
            name: "Mosquitto", dependencies: ["CMosquitto", "BlueZDBus", "GatewayProtocol"],
            path: "Gateways/Sources/Mosquitto"),
        .target(
            name: "BrokerOptions",
            dependencies: [
                "BlueZCommandLine", "GatewayProtocol", "Mosquitto", "BlueZPrintableText",
                argumentParser, logging, systemPackage,
            ],
            path: "Gateways/Sources/BrokerOptions"),
        .executableTarget(
            name: "gatt-gateway",
            dependencies: [
                "BrokerOptions", "BlueZCommandLine", "CoreBlueZ", "Gateway", "GatewayProtocol", argumentParser,
            ],
            path: "Gateways/Sources/gatt-gateway"),
        .executableTarget(
            name: "gatt-fleet",
            dependencies: [
                "BrokerOptions", "BlueZCommandLine", "CoreBlueZ", "Fleet", "GatewayProtocol",
                argumentParser, systemPackage,
            ],
            path: "Gateways/Sources/gatt-fleet"),
        .executableTarget(
            name: "many-radios", dependencies: ["BlueZSimulator", "CoreBlueZ", argumentParser],
            path: "Gateways/Sources/many-radios"),
        .target(
            name: "TestSupport", dependencies: ["BlueZClient", "BlueZSimulator", "CoreBlueZ", "BlueZDBus"],
            path: "Tests/TestSupport"),
        .testTarget(
            name: "BlueZDBusTests",
            dependencies: ["CBlueZDBus", "BlueZDBus", "TestSupport", "BlueZUnixSockets", logging]),
        .testTarget(
            name: "CoreBlueZTests",
            dependencies: [
                "BlueZClassic", "BlueZClient", "BlueZServer", "BlueZSimulator", "CoreBlueZ", "BlueZDBus", "TestSupport",
                "BlueZUnixSockets",
                logging,
            ]
        ),
        .testTarget(
            name: "BlueZSerialTests",
            dependencies: [
                "BlueZClassic", "BlueZSerial", "BlueZSimulator", "cardreader", "CoreBlueZ", "BlueZDBus",
                "modem",
                "BlueZSimulatedSerial", "StreamBenchmark", "terminal", "TestSupport",
            ]
        ),
        .testTarget(
            name: "BlueZAccessoriesTests",
            dependencies: [
                "BlueZClassic", "BlueZAccessories", "accessories", "BlueZAccessoryStreams", "BlueZSerial",
                "BlueZSimulator", "CoreBlueZ",
                "BlueZSimulatedSerial", "TestSupport",
            ]
        ),
        .testTarget(
            name: "BlueZSimulatorTests",
            dependencies: [
                "BlueZServer", "BlueZSimulator", "CoreBlueZ", "SimulatorControl", "BlueZSimulatedSensorTag",
                "BlueZSensorTag",
                "BlueZDBus", "BlueZPrintableText", "TestSupport",
            ],
            exclude: ["Recordings", "Servers"]
        ),
        .testTarget(
            name: "BlueZCommandLineTests",
            dependencies: [
                "BlueZCommandLine", "CoreBlueZ", "BlueZJSONLine", "BlueZPrintableText", "TestSupport", logging,
            ]
        ),
        .testTarget(
            name: "BlueZObservationTests",
            dependencies: ["BlueZSimulator", "BlueZObservation", "CoreBlueZ", "TestSupport"]
        ),
        .testTarget(
            name: "GattCommandTests",
            dependencies: [
                "BlueZSerial", "BlueZSimulator", "BlueZCommandLine", "CoreBlueZ", "BlueZDBus", "gatt",
                "BlueZJSONLine", "PeripheralServer", "TestSupport", "BlueZUnixSockets",
            ]
        ),
        .testTarget(
            name: "BusRecorderTests",
            dependencies: [
                "BlueZSimulator", "BlueZRuntime", "BusRecorder", "CoreBlueZ", "BlueZDBus", "BlueZRecording",
                "BlueZReplay",
                "TestSupport",
            ]),
        .testTarget(
            name: "BlueZScriptTests",
            dependencies: ["BlueZSimulator", "BlueZScript", "CoreBlueZ", "BlueZDBus", "TestSupport"]
        ),
        .testTarget(
            name: "DeannaTests",
            dependencies: ["BlueZSimulator", "CoreBlueZ", "Deanna", "BlueZSimulatedSensorTag", "TestSupport"]
        ),
        .testTarget(
            name: "BlueZSensorTagTests",
            dependencies: [
                "BlueZSensorTag", "BlueZSimulatedSensorTag", "CoreBlueZ", "BlueZSimulator", "PeripheralServer",
                "TestSupport",
            ],
            exclude: ["Vectors/vectors.py"]),
        .testTarget(
            name: "SensorTagCommandTests",
            dependencies: [
                "sensortag", "BlueZSensorTag", "SensorTagProgram", "CoreBlueZ", "BlueZSimulator",
                "BlueZSimulatedSensorTag", "TestSupport",
                argumentParser,
            ]
        ),
        .testTarget(
            name: "GatewayProtocolTests",
            dependencies: ["BlueZValues", "BlueZDBus", "GatewayProtocol", "BlueZPrintableText", "TestSupport"],
            exclude: ["decode.py"]),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "BlueZSimulator", "BlueZValues", "CoreBlueZ", "BlueZDBus", "Gateway", "GatewayProtocol", "TestSupport",
            ]
        ),
        .testTarget(
            name: "MosquittoTests",
            dependencies: [
                "BlueZSimulator", "BrokerOptions", "CoreBlueZ", "BlueZDBus", "Fleet", "Gateway", "GatewayProtocol",
                "Mosquitto", "gatt-fleet", "gatt-gateway",
                argumentParser, logging,
            ],
            path: "Gateways/Tests/MosquittoTests"),
        .testTarget(
            name: "SensorTagWebTests",
            dependencies: [
                "CoreBlueZ", "BlueZJSONLine", "BlueZSensorTag", "SensorTagProgram", "sensortag-web", "TestSupport",
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "BlueZRecordingTests",
            dependencies: ["BlueZValues", "BlueZJSONLine", "BlueZPrintableText", "BlueZRecording"]),
        .testTarget(
            name: "CapturesTests", dependencies: ["BlueZValues", "Captures", "BlueZRecording"]),
        .testTarget(
            name: "FuzzerTests",
            dependencies: [
                "BlueZSerial", "BlueZServer", "BlueZSimulator", "BlueZValues", "CBlueZDBus", "Captures", "BlueZDBus",
                "GatewayProtocol", "BlueZJSONLine", "BlueZRecording", "BlueZReplay", "BlueZSensorTag",
            ],
            exclude: ["Corpora", "Driver"]),
        .executableTarget(
            name: "FleetStand",
            dependencies: [
                "BlueZSimulator", "CoreBlueZ", "BlueZDBus", "Fleet", "Gateway", "GatewayProtocol",
                "BlueZSimulatedSensorTag",
                "SimulatorControl",
            ],
            path: "Tests/FleetStand"
        ),
        .testTarget(
            name: "FleetTests",
            dependencies: [
                "BlueZServer", "BlueZSimulator", "BlueZValues", "CoreBlueZ", "BlueZDBus", "Fleet", "Gateway",
                "GatewayProtocol", "TestSupport",
            ]
        ),
        .testTarget(
            name: "ContractTests",
            dependencies: [
                "BlueZSimulator", "BusRecorder", "CoreBlueZ", "BlueZDBus", "BlueZPrintableText", "BlueZRecording",
                "BlueZReplay",
                "SimulatorControl", "BlueZSimulatedSensorTag", "TestSupport",
            ]
        ),
    ]
)

// libFuzzer's loop is available only if everything is built with -sanitize=fuzzer, as Scripts/fuzz does.
if Context.environment["COREBLUEZ_FUZZER"] != nil {
    package.targets.removeAll { $0.name == "FuzzerTests" }
    package.targets.append(
        .executableTarget(
            name: "Fuzzer",
            dependencies: [
                "BlueZSerial", "BlueZServer", "BlueZSimulator", "BlueZValues", "CBlueZDBus", "Captures", "BlueZDBus",
                "GatewayProtocol", "BlueZJSONLine", "BlueZRecording", "BlueZReplay", "BlueZSensorTag",
            ],
            path: "Tests/FuzzerTests",
            exclude: ["Corpora", "Replay"]))
}

for target in package.targets where target.type != .system {
    target.swiftSettings = [.swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error)]
}
