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
        .library(name: "BluetoothClassic", targets: ["BluetoothClassic"]),
        .library(name: "BluetoothScript", targets: ["BluetoothScript"]),
        .library(name: "BluetoothObservation", targets: ["BluetoothObservation"]),
        .library(name: "DBus", targets: ["DBus"]),
        .library(name: "PrintableText", targets: ["PrintableText"]),
        .library(name: "Captures", targets: ["Captures", "JSONLine", "Recording"]),
        .library(name: "CommandLineSupport", targets: ["CommandLineSupport"]),
        .library(name: "BlueZSimulator", targets: ["BlueZSimulator"]),
        .library(name: "GatewayProtocol", targets: ["GatewayProtocol"]),
        .library(name: "Gateway", targets: ["Gateway"]),
        .library(name: "Fleet", targets: ["Fleet"]),
        .library(name: "BLESerial", targets: ["BLESerial"]),
        .library(name: "Accessories", targets: ["Accessories"]),
        .library(name: "AccessoryStreams", targets: ["AccessoryStreams"]),
        .library(name: "SimulatedSerial", targets: ["SimulatedSerial"]),
        .library(name: "SensorTag", targets: ["SensorTag"]),
        .library(name: "SimulatedSensorTag", targets: ["SimulatedSensorTag"]),
        .executable(name: "accessories", targets: ["AccessoriesCommand"]),
        .executable(name: "bluez-simulator", targets: ["BlueZSimulatorCommand"]),
        .executable(name: "cardreader", targets: ["CardReaderCommand"]),
        .executable(name: "gatt", targets: ["GattCommand"]),
        .executable(name: "modem", targets: ["ModemCommand"]),
        .executable(name: "sensortag", targets: ["SensorTagCommand"]),
        .executable(name: "sensortag-web", targets: ["SensorTagWebCommand"]),
        .executable(name: "terminal", targets: ["TerminalCommand"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .target(
            name: "DBus",
            dependencies: [
                "CDBus", "PrintableText", .product(name: "HeapModule", package: "swift-collections"),
                logging,
            ]
        ),
        .target(name: "BluetoothValues", dependencies: ["PrintableText"]),
        .target(
            name: "BluetoothRuntime", dependencies: ["BluetoothValues", "DBus", "PrintableText", logging]),
        .target(
            name: "BlueZClient", dependencies: ["BluetoothRuntime", "DBus", "PrintableText", deque]),
        .target(
            name: "CoreBlueZ", dependencies: ["BlueZClient", "BluetoothRuntime", "DBus", "PrintableText", deque]),
        .target(
            name: "BluetoothClassic", dependencies: ["BlueZClient", "CoreBlueZ", "DBus", "PrintableText", deque]),
        .target(
            name: "BluetoothScript",
            dependencies: ["CommandLineSupport", "CoreBlueZ", "DBus", "PrintableText", systemPackage]
        ),
        .target(name: "BluetoothObservation", dependencies: ["CoreBlueZ", "PrintableText"]),
        .target(
            name: "BLESerial", dependencies: ["BluetoothClassic", "CoreBlueZ", "PrintableText", deque]),
        .target(
            name: "Accessories", dependencies: ["BLESerial", "BluetoothClassic", "CoreBlueZ", "DBus", "PrintableText"]
        ),
        .target(name: "AccessoryStreams", dependencies: ["Accessories", "CoreBlueZ", "DBus"]),
        .target(
            name: "Fleet",
            dependencies: [
                "BlueZServer", "BluetoothValues", "DBus", "GatewayProtocol", "JSONLine", "PrintableText", logging,
            ]
        ),
        .target(
            name: "BlueZServer", dependencies: ["BluetoothValues", "DBus", "PrintableText"]),
        .target(
            name: "Replay", dependencies: ["BlueZServer", "BluetoothValues", "DBus", "PrintableText", "Recording"]),
        .target(
            name: "BlueZSimulator",
            dependencies: ["BlueZServer", "BluetoothValues", "DBus", "JSONLine", "Recording", "Replay", "UnixSockets"]),
        .target(
            name: "PeripheralServer", dependencies: ["BlueZSimulator", "CoreBlueZ"]),
        .target(
            name: "SimulatedSerial", dependencies: ["BLESerial", "BlueZSimulator", deque]),
        .target(
            name: "GatewayProtocol", dependencies: ["BluetoothValues", "DBus", "PrintableText"]),
        .target(
            name: "Gateway", dependencies: ["BluetoothValues", "CoreBlueZ", "DBus", "GatewayProtocol", logging]),
        .target(name: "UnixSockets", dependencies: ["CDBus", "CTerminal", "DBus"]),
        .target(
            name: "BusRecorder",
            dependencies: ["BluetoothRuntime", "BluetoothValues", "DBus", "Recording", "UnixSockets", deque]
        ),
        .target(name: "PrintableText"),
        .target(
            name: "Recording", dependencies: ["BluetoothValues", "JSONLine", "PrintableText"]),
        .target(name: "Captures", dependencies: ["BluetoothValues", "Recording"]),
        .target(name: "JSONLine", dependencies: ["PrintableText"]),
        .target(
            name: "SimulatorControl",
            dependencies: ["BlueZSimulator", "DBus", "JSONLine", "PrintableText", "UnixSockets"]),
        .target(name: "CTerminal"),
        .target(
            name: "CommandLineSupport",
            dependencies: ["CTerminal", "CoreBlueZ", "DBus", "PrintableText", logging, systemPackage]
        ),
        .executableTarget(
            name: "BlueZSimulatorCommand",
            dependencies: [
                "BlueZSimulator", "CommandLineSupport", "CoreBlueZ", "DBus", "JSONLine", "SimulatorControl",
                "SimulatedSensorTag",
                argumentParser,
            ],
            path: "Sources/bluez-simulator"),
        .executableTarget(
            name: "GattCommand",
            dependencies: [
                "BLESerial", "BusRecorder", "CTerminal", "Captures", "CommandLineSupport", "CoreBlueZ",
                "BlueZSimulator", "DBus", "JSONLine", "PeripheralServer", "PrintableText", "Recording",
                "Replay", "SimulatedSerial", "UnixSockets",
                argumentParser,
                systemPackage,
            ],
            path: "Sources/gatt"),
        .target(name: "SensorTag", dependencies: ["CoreBlueZ"], path: "Demos/SensorTag"),
        .target(
            name: "SimulatedSensorTag",
            dependencies: ["BlueZSimulator"],
            path: "Demos/SimulatedSensorTag"
        ),
        .target(
            name: "SensorTagProgram",
            dependencies: [
                "BlueZSimulator", "CommandLineSupport", "CoreBlueZ", "SensorTag", "SimulatedSensorTag",
                argumentParser,
            ],
            path: "Demos/SensorTagProgram"
        ),
        .target(
            name: "Deanna", dependencies: ["CoreBlueZ", "SensorTag"], path: "Demos/Deanna"),
        .executableTarget(
            name: "SensorTagCommand",
            dependencies: [
                "BlueZSimulator", "CTerminal", "CommandLineSupport", "CoreBlueZ", "DBus", "JSONLine",
                "PeripheralServer", "PrintableText", "SensorTag", "SensorTagProgram", "SimulatedSensorTag",
                argumentParser,
                systemPackage,
            ],
            path: "Demos/sensortag",
            exclude: ["README.md"]
        ),
        .executableTarget(
            name: "SensorTagWebCommand",
            dependencies: [
                "CommandLineSupport", "CoreBlueZ", "DBus", "JSONLine", "PrintableText", "SensorTag", "SensorTagProgram",
                "SimulatedSensorTag",
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
            name: "CardReaderCommand",
            dependencies: [
                "BLESerial", "BlueZSimulator", "CommandLineSupport", "CoreBlueZ", "PrintableText", "SimulatedSerial",
                argumentParser,
            ],
            path: "Demos/cardreader",
            exclude: ["README.md"]
        ),
        .executableTarget(
            name: "AccessoriesCommand",
            dependencies: [
                "Accessories", "BlueZSimulator", "CommandLineSupport", "CoreBlueZ", "SimulatedSerial",
                argumentParser,
            ],
            path: "Demos/accessories",
            exclude: ["README.md"]
        ),
        .executableTarget(
            name: "TerminalCommand",
            dependencies: [
                "BLESerial", "BlueZSimulator", "CommandLineSupport", "CoreBlueZ", "SimulatedSerial",
                argumentParser,
            ],
            path: "Demos/terminal",
            exclude: ["README.md"]
        ),
        .executableTarget(
            name: "ModemCommand",
            dependencies: [
                "BLESerial", "CommandLineSupport", "CoreBlueZ", "PrintableText", "SimulatedSerial",
                argumentParser,
            ],
            path: "Demos/modem",
            exclude: ["README.md"]
        ),
        .executableTarget(
            name: "StreamBenchmark",
            dependencies: [
                "BluetoothClassic", "Accessories", "BLESerial", "BlueZSimulator", "CoreBlueZ", "SimulatedSerial",
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
            name: "Mosquitto", dependencies: ["CMosquitto", "DBus", "GatewayProtocol"],
            path: "Gateways/Sources/Mosquitto"),
        .target(
            name: "BrokerOptions",
            dependencies: [
                "CommandLineSupport", "GatewayProtocol", "Mosquitto", "PrintableText",
                argumentParser, logging, systemPackage,
            ],
            path: "Gateways/Sources/BrokerOptions"),
        .executableTarget(
            name: "gatt-gateway",
            dependencies: [
                "BrokerOptions", "CommandLineSupport", "CoreBlueZ", "Gateway", "GatewayProtocol", argumentParser,
            ],
            path: "Gateways/Sources/gatt-gateway"),
        .executableTarget(
            name: "gatt-fleet",
            dependencies: [
                "BrokerOptions", "CommandLineSupport", "CoreBlueZ", "Fleet", "GatewayProtocol",
                argumentParser, systemPackage,
            ],
            path: "Gateways/Sources/gatt-fleet"),
        .executableTarget(
            name: "many-radios", dependencies: ["BlueZSimulator", "CoreBlueZ", argumentParser],
            path: "Gateways/Sources/many-radios"),
        .target(
            name: "TestSupport", dependencies: ["BlueZClient", "BlueZSimulator", "CoreBlueZ", "DBus"],
            path: "Tests/TestSupport"),
        .testTarget(
            name: "DBusTests", dependencies: ["CDBus", "DBus", "TestSupport", "UnixSockets", logging]),
        .testTarget(
            name: "CoreBlueZTests",
            dependencies: [
                "BluetoothClassic", "BlueZClient", "BlueZServer", "BlueZSimulator", "CoreBlueZ", "DBus", "TestSupport",
                "UnixSockets",
                logging,
            ]
        ),
        .testTarget(
            name: "BLESerialTests",
            dependencies: [
                "BluetoothClassic", "BLESerial", "BlueZSimulator", "CardReaderCommand", "CoreBlueZ", "DBus",
                "ModemCommand",
                "SimulatedSerial", "StreamBenchmark", "TerminalCommand", "TestSupport",
            ]
        ),
        .testTarget(
            name: "AccessoriesTests",
            dependencies: [
                "BluetoothClassic", "Accessories", "AccessoriesCommand", "AccessoryStreams", "BLESerial",
                "BlueZSimulator", "CoreBlueZ",
                "SimulatedSerial", "TestSupport",
            ]
        ),
        .testTarget(
            name: "BlueZSimulatorTests",
            dependencies: [
                "BlueZServer", "BlueZSimulator", "CoreBlueZ", "SimulatorControl", "SimulatedSensorTag", "SensorTag",
                "DBus", "PrintableText", "TestSupport",
            ],
            exclude: ["Recordings", "Servers"]
        ),
        .testTarget(
            name: "CommandLineSupportTests",
            dependencies: ["CommandLineSupport", "CoreBlueZ", "JSONLine", "PrintableText", "TestSupport", logging]
        ),
        .testTarget(
            name: "BluetoothObservationTests",
            dependencies: ["BlueZSimulator", "BluetoothObservation", "CoreBlueZ", "TestSupport"]
        ),
        .testTarget(
            name: "GattCommandTests",
            dependencies: [
                "BLESerial", "BlueZSimulator", "CommandLineSupport", "CoreBlueZ", "DBus", "GattCommand",
                "JSONLine", "PeripheralServer", "TestSupport", "UnixSockets",
            ]
        ),
        .testTarget(
            name: "BusRecorderTests",
            dependencies: [
                "BlueZSimulator", "BluetoothRuntime", "BusRecorder", "CoreBlueZ", "DBus", "Recording", "Replay",
                "TestSupport",
            ]),
        .testTarget(
            name: "BluetoothScriptTests",
            dependencies: ["BlueZSimulator", "BluetoothScript", "CoreBlueZ", "DBus", "TestSupport"]
        ),
        .testTarget(
            name: "DeannaTests",
            dependencies: ["BlueZSimulator", "CoreBlueZ", "Deanna", "SimulatedSensorTag", "TestSupport"]
        ),
        .testTarget(
            name: "SensorTagTests",
            dependencies: [
                "SensorTag", "SimulatedSensorTag", "CoreBlueZ", "BlueZSimulator", "PeripheralServer", "TestSupport",
            ],
            exclude: ["Vectors/vectors.py"]),
        .testTarget(
            name: "SensorTagCommandTests",
            dependencies: [
                "SensorTagCommand", "SensorTag", "SensorTagProgram", "CoreBlueZ", "BlueZSimulator",
                "SimulatedSensorTag", "TestSupport",
                argumentParser,
            ]
        ),
        .testTarget(
            name: "GatewayProtocolTests",
            dependencies: ["BluetoothValues", "DBus", "GatewayProtocol", "PrintableText", "TestSupport"],
            exclude: ["decode.py"]),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "BlueZSimulator", "BluetoothValues", "CoreBlueZ", "DBus", "Gateway", "GatewayProtocol", "TestSupport",
            ]
        ),
        .testTarget(
            name: "MosquittoTests",
            dependencies: [
                "BlueZSimulator", "BrokerOptions", "CoreBlueZ", "DBus", "Fleet", "Gateway", "GatewayProtocol",
                "Mosquitto", "gatt-fleet", "gatt-gateway",
                argumentParser, logging,
            ],
            path: "Gateways/Tests/MosquittoTests"),
        .testTarget(
            name: "SensorTagWebTests",
            dependencies: [
                "CoreBlueZ", "JSONLine", "SensorTag", "SensorTagProgram", "SensorTagWebCommand", "TestSupport",
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "RecordingTests",
            dependencies: ["BluetoothValues", "JSONLine", "PrintableText", "Recording"]),
        .testTarget(
            name: "CapturesTests", dependencies: ["BluetoothValues", "Captures", "Recording"]),
        .testTarget(
            name: "FuzzerTests",
            dependencies: [
                "BLESerial", "BlueZServer", "BlueZSimulator", "BluetoothValues", "CDBus", "Captures", "DBus",
                "GatewayProtocol", "JSONLine", "Recording", "Replay", "SensorTag",
            ],
            exclude: ["Corpora", "Driver"]),
        .executableTarget(
            name: "FleetStand",
            dependencies: [
                "BlueZSimulator", "CoreBlueZ", "DBus", "Fleet", "Gateway", "GatewayProtocol", "SimulatedSensorTag",
                "SimulatorControl",
            ],
            path: "Tests/FleetStand"
        ),
        .testTarget(
            name: "FleetTests",
            dependencies: [
                "BlueZServer", "BlueZSimulator", "BluetoothValues", "CoreBlueZ", "DBus", "Fleet", "Gateway",
                "GatewayProtocol", "TestSupport",
            ]
        ),
        .testTarget(
            name: "ContractTests",
            dependencies: [
                "BlueZSimulator", "BusRecorder", "CoreBlueZ", "DBus", "PrintableText", "Recording", "Replay",
                "SimulatorControl", "SimulatedSensorTag", "TestSupport",
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
                "BLESerial", "BlueZServer", "BlueZSimulator", "BluetoothValues", "CDBus", "Captures", "DBus",
                "GatewayProtocol", "JSONLine", "Recording", "Replay", "SensorTag",
            ],
            path: "Tests/FuzzerTests",
            exclude: ["Corpora", "Replay"]))
}

for target in package.targets where target.type != .system {
    target.swiftSettings = [.swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error)]
}
