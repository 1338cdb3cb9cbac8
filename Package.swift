// swift-tools-version: 6.2
import PackageDescription

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let heap: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")

func nio(_ name: String) -> Target.Dependency {
    .product(name: name, package: "swift-nio")
}

// MARK: Framework: D-Bus, the values of Bluetooth, the communication with bluetoothd, and CoreBlueZ on them

let framework: [Target] = [
    .systemLibrary(name: "CBlueZDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .target(name: "BlueZDBus", dependencies: ["BlueZPrintableText", "CBlueZDBus", heap, logging]),
    .target(name: "BlueZPrintableText"),
    .target(name: "BlueZJSONLine", dependencies: ["BlueZPrintableText"]),
    .target(name: "CBlueZTerminal"),
    .target(name: "BlueZUnixSockets", dependencies: ["BlueZDBus", "CBlueZDBus", "CBlueZTerminal"]),
    .target(name: "BlueZValues", dependencies: ["BlueZPrintableText"]),
    .target(name: "BlueZAdvertisements", dependencies: ["BlueZPrintableText", "BlueZValues"], packageAccess: false),
    .target(name: "BlueZClient", dependencies: ["BlueZDBus", "BlueZPrintableText", "BlueZValues", deque, logging]),
    .target(name: "CoreBlueZ", dependencies: ["BlueZClient", "BlueZDBus", "BlueZPrintableText", "BlueZValues", deque]),
    .target(name: "BlueZObservation", dependencies: ["BlueZPrintableText", "CoreBlueZ"]),
    .target(name: "CoreBluetooth", dependencies: ["CoreBlueZ", logging], packageAccess: false),
    .target(
        name: "BlueZScript",
        dependencies: ["BlueZDBus", "BlueZPrintableText", "CBlueZTerminal", "CoreBlueZ", logging, systemPackage]),
]

let frameworkTests: [Target] = [
    .testTarget(
        name: "BlueZDBusTests", dependencies: ["BlueZDBus", "BlueZUnixSockets", "CBlueZDBus", "TestSupport", logging]),
    .testTarget(
        name: "CoreBlueZTests",
        dependencies: [
            "BlueZClassic", "BlueZClient", "BlueZDBus", "BlueZServer", "BlueZSimulator", "BlueZUnixSockets",
            "CoreBlueZ", "TestSupport", logging,
        ]),
    .testTarget(
        name: "BlueZAdvertisementsTests", dependencies: ["BlueZAdvertisements", "BlueZPrintableText", "TestSupport"]),
    .testTarget(
        name: "BlueZObservationTests",
        dependencies: ["BlueZObservation", "BlueZSimulator", "CoreBlueZ", "TestSupport"]),
    .testTarget(name: "CoreBluetoothTests", dependencies: ["BlueZSimulator", "CoreBluetooth", "TestSupport"]),
    .testTarget(
        name: "BlueZScriptTests",
        dependencies: [
            "BlueZDBus", "BlueZJSONLine", "BlueZPrintableText", "BlueZScript", "BlueZSimulator", "CoreBlueZ",
            "TestSupport", logging,
        ]),
    .testTarget(
        name: "ContractTests",
        dependencies: [
            "BlueZDBus", "BlueZPrintableText", "BlueZRecording", "BlueZReplay", "BlueZSimulatedSensorTag",
            "BlueZSimulator", "BlueZUnixSockets", "BusRecorder", "CoreBlueZ", "CoreBluetooth", "TestSupport",
        ]),
]

// Targets with `packageAccess: false` use what a user has: the compiler proves that a user could have written them.

// MARK: Streams: bytes over RFCOMM and characteristics, and what other libraries built on them

let streams: [Target] = [
    .target(
        name: "BlueZClassic", dependencies: ["BlueZClient", "BlueZDBus", "BlueZPrintableText", "CoreBlueZ", deque]),
    .target(name: "BlueZSerial", dependencies: ["BlueZClassic", "CoreBlueZ", deque], packageAccess: false),
    .target(
        name: "BlueZAccessories", dependencies: ["BlueZClassic", "BlueZSerial", "CoreBlueZ"], packageAccess: false),
    .target(name: "BlueZAccessoryStreams", dependencies: ["BlueZAccessories", "CoreBlueZ"], packageAccess: false),
    .target(
        name: "BlueZSimulatedSerial", dependencies: ["BlueZSerial", "BlueZSimulator", deque], packageAccess: false),
]

let streamTests: [Target] = [
    .testTarget(
        name: "BlueZSerialTests",
        dependencies: [
            "BlueZDBus", "BlueZSerial", "BlueZSimulatedSerial", "BlueZSimulator", "CoreBlueZ", "StreamBenchmark",
            "TestSupport",
        ]),
    .testTarget(
        name: "BlueZAccessoriesTests",
        dependencies: [
            "BlueZAccessories", "BlueZAccessoryStreams", "BlueZClassic", "BlueZClient", "BlueZDBus", "BlueZSerial",
            "BlueZSimulatedSerial", "BlueZSimulator", "CoreBlueZ", "TestSupport",
        ]),
]

// MARK: Simulator: BlueZ's objects as served on a bus, and a simulated world behind them

let simulator: [Target] = [
    .target(name: "BlueZServer", dependencies: ["BlueZDBus", "BlueZPrintableText", "BlueZValues"]),
    .target(
        name: "BlueZSimulator",
        dependencies: [
            "BlueZDBus", "BlueZJSONLine", "BlueZPrintableText", "BlueZServer", "BlueZUnixSockets", "BlueZValues",
        ]),
    .target(name: "PeripheralServer", dependencies: ["BlueZSimulator", "CoreBlueZ"]),
]

let simulatorTests: [Target] = [
    .testTarget(
        name: "BlueZSimulatorTests",
        dependencies: [
            "BlueZDBus", "BlueZPrintableText", "BlueZSensorTag", "BlueZServer", "BlueZSimulatedSensorTag",
            "BlueZSimulator", "CoreBlueZ", "TestSupport",
        ],
        exclude: ["Servers"])
]

// MARK: Recordings: what passed on the bus or over the air, and the recorded world

let recordings: [Target] = [
    .target(name: "BlueZRecording", dependencies: ["BlueZJSONLine", "BlueZPrintableText", "BlueZValues"]),
    .target(
        name: "BusRecorder",
        dependencies: ["BlueZClient", "BlueZDBus", "BlueZRecording", "BlueZUnixSockets", "BlueZValues", deque]),
    .target(
        name: "BlueZReplay",
        dependencies: [
            "BlueZDBus", "BlueZJSONLine", "BlueZPrintableText", "BlueZRecording", "BlueZServer", "BlueZUnixSockets",
            "BlueZValues",
        ]),
]

let recordingTests: [Target] = [
    .testTarget(
        name: "BlueZRecordingTests", dependencies: ["BlueZJSONLine", "BlueZRecording", "BlueZValues", "TestSupport"]),
    .testTarget(
        name: "BusRecorderTests",
        dependencies: [
            "BlueZClient", "BlueZDBus", "BlueZPrintableText", "BlueZRecording", "BlueZReplay", "BlueZSimulator",
            "BusRecorder", "CoreBlueZ", "TestSupport",
        ],
        exclude: ["Recordings"]),
]

// MARK: Gateways: adapters of other machines, by MQTT

let gateways: [Target] = [
    .target(
        name: "GatewayProtocol", dependencies: ["BlueZDBus", "BlueZJSONLine", "BlueZPrintableText", "BlueZValues"]),
    .target(
        name: "Gateway",
        dependencies: ["BlueZDBus", "BlueZJSONLine", "BlueZValues", "CoreBlueZ", "GatewayProtocol", logging]),
    .target(
        name: "Fleet",
        dependencies: [
            "BlueZDBus", "BlueZJSONLine", "BlueZPrintableText", "BlueZServer", "BlueZValues", "GatewayProtocol",
            logging,
        ]),
    .systemLibrary(name: "CMosquitto"),
    .target(name: "Mosquitto", dependencies: ["BlueZDBus", "CMosquitto", "GatewayProtocol"]),
    .target(
        name: "BrokerOptions",
        dependencies: [
            "BlueZPrintableText", "BlueZScript", "GatewayProtocol", "Mosquitto", argumentParser, logging, systemPackage,
        ]),
    .executableTarget(
        name: "gatt-gateway",
        dependencies: ["BlueZScript", "BrokerOptions", "CoreBlueZ", "Gateway", "GatewayProtocol", argumentParser]),
    .executableTarget(
        name: "gatt-fleet",
        dependencies: [
            "BlueZScript", "BrokerOptions", "CoreBlueZ", "Fleet", "GatewayProtocol", argumentParser, systemPackage,
        ]),
]

let gatewayTests: [Target] = [
    .testTarget(
        name: "GatewayProtocolTests",
        dependencies: [
            "BlueZDBus", "BlueZJSONLine", "BlueZPrintableText", "BlueZValues", "GatewayProtocol", "TestSupport",
        ],
        exclude: ["decode.py"]),
    .testTarget(
        name: "GatewayTests",
        dependencies: [
            "BlueZDBus", "BlueZJSONLine", "BlueZSimulator", "BlueZValues", "CoreBlueZ", "Gateway", "GatewayProtocol",
            "TestSupport",
        ]),
    .testTarget(
        name: "FleetTests",
        dependencies: [
            "BlueZDBus", "BlueZServer", "BlueZSimulator", "BlueZValues", "CoreBlueZ", "Fleet", "Gateway",
            "GatewayProtocol", "TestSupport",
        ]),
    .executableTarget(
        name: "FleetStand",
        dependencies: [
            "BlueZDBus", "BlueZSimulatedSensorTag", "BlueZSimulator", "CoreBlueZ", "Fleet", "Gateway",
            "GatewayProtocol",
        ]),
    .testTarget(
        name: "MosquittoTests",
        dependencies: [
            "BlueZDBus", "BlueZSimulator", "BrokerOptions", "CMosquitto", "CoreBlueZ", "Fleet", "Gateway",
            "GatewayProtocol", "Mosquitto", "TestSupport",
        ]),
    .executableTarget(name: "many-radios", dependencies: ["BlueZSimulator", "CoreBlueZ", argumentParser]),
]

// MARK: Programs: gatt, and the simulator as a program

let programs: [Target] = [
    .executableTarget(
        name: "gatt",
        dependencies: [
            "BlueZAdvertisements", "BlueZDBus", "BlueZJSONLine", "BlueZPrintableText", "BlueZRecording", "BlueZReplay",
            "BlueZScript", "BlueZSerial", "BlueZSimulatedSerial", "BlueZSimulator", "BlueZUnixSockets", "BusRecorder",
            "CBlueZTerminal", "CoreBlueZ", "PeripheralServer", argumentParser, systemPackage,
        ]),
    .executableTarget(
        name: "bluez-simulator",
        dependencies: [
            "BlueZDBus", "BlueZJSONLine", "BlueZScript", "BlueZSimulatedSensorTag", "BlueZSimulator", "CoreBlueZ",
            argumentParser,
        ]),
]

let programTests: [Target] = [
    .testTarget(
        name: "GattCommandTests",
        dependencies: [
            "BlueZDBus", "BlueZJSONLine", "BlueZScript", "BlueZSerial", "BlueZSimulator", "BlueZUnixSockets",
            "CoreBlueZ", "gatt", "PeripheralServer", "TestSupport", argumentParser,
        ])
]

// MARK: Demos

let sensorTag: [Target] = [
    .target(name: "BlueZSensorTag", dependencies: ["CoreBlueZ"], packageAccess: false),
    .target(name: "BlueZSimulatedSensorTag", dependencies: ["BlueZSimulator"], packageAccess: false),
    .target(
        name: "SensorTagProgram",
        dependencies: [
            "BlueZDBus", "BlueZPrintableText", "BlueZScript", "BlueZSensorTag", "BlueZSimulatedSensorTag",
            "BlueZSimulator", "CoreBlueZ", argumentParser, systemPackage,
        ]),
    .executableTarget(
        name: "sensortag",
        dependencies: [
            "BlueZJSONLine", "BlueZPrintableText", "BlueZScript", "BlueZSensorTag", "BlueZSimulatedSensorTag",
            "BlueZSimulator", "CoreBlueZ", "PeripheralServer", "SensorTagProgram", argumentParser, systemPackage,
        ],
        exclude: ["README.md"]),
    .executableTarget(
        name: "sensortag-web",
        dependencies: [
            "BlueZDBus", "BlueZJSONLine", "BlueZPrintableText", "BlueZScript", "BlueZSensorTag",
            "BlueZSimulatedSensorTag", "CoreBlueZ", "SensorTagProgram", argumentParser, deque, nio("NIOCore"),
            nio("NIOHTTP1"), nio("NIOPosix"), systemPackage,
        ],
        resources: [.embedInCode("Page")]),
    .target(name: "Deanna", dependencies: ["BlueZSensorTag", "CoreBlueZ"], packageAccess: false),
]

let sensorTagTests: [Target] = [
    .testTarget(
        name: "BlueZSensorTagTests",
        dependencies: [
            "BlueZSensorTag", "BlueZSimulatedSensorTag", "BlueZSimulator", "CoreBlueZ", "PeripheralServer",
            "TestSupport",
        ],
        exclude: ["Vectors"]),
    .testTarget(
        name: "SensorTagCommandTests",
        dependencies: [
            "BlueZScript", "BlueZSensorTag", "BlueZSimulatedSensorTag", "BlueZSimulator", "CoreBlueZ", "sensortag",
            "SensorTagProgram", "TestSupport", argumentParser,
        ]),
    .testTarget(
        name: "SensorTagWebTests",
        dependencies: [
            "BlueZDBus", "BlueZJSONLine", "BlueZSensorTag", "CoreBlueZ", "sensortag-web", "SensorTagProgram",
            "TestSupport", nio("NIOCore"), nio("NIOEmbedded"), nio("NIOHTTP1"), nio("NIOPosix"),
        ]),
    .testTarget(
        name: "DeannaTests",
        dependencies: ["BlueZSimulatedSensorTag", "BlueZSimulator", "CoreBlueZ", "Deanna", "TestSupport"]),
]

let streamDemos: [Target] = [
    .executableTarget(
        name: "cardreader",
        dependencies: [
            "BlueZScript", "BlueZSerial", "BlueZSimulatedSerial", "BlueZSimulator", "CoreBlueZ", argumentParser,
        ],
        exclude: ["README.md"], packageAccess: false),
    .executableTarget(
        name: "terminal",
        dependencies: [
            "BlueZScript", "BlueZSerial", "BlueZSimulatedSerial", "BlueZSimulator", "CoreBlueZ", argumentParser,
        ],
        exclude: ["README.md"], packageAccess: false),
    .executableTarget(
        name: "modem",
        dependencies: ["BlueZScript", "BlueZSerial", "BlueZSimulatedSerial", "CoreBlueZ", argumentParser],
        exclude: ["README.md"], packageAccess: false),
    .executableTarget(
        name: "accessories",
        dependencies: [
            "BlueZAccessories", "BlueZScript", "BlueZSimulatedSerial", "BlueZSimulator", "CoreBlueZ", argumentParser,
        ],
        exclude: ["README.md"], packageAccess: false),
]

// MARK: For several areas

let benchmarks: [Target] = [
    .executableTarget(
        name: "StreamBenchmark",
        dependencies: [
            "BlueZAccessories", "BlueZClassic", "BlueZSerial", "BlueZSimulatedSerial", "BlueZSimulator", "CoreBlueZ",
            argumentParser,
        ],
        path: "streams/program"),
    .executableTarget(
        name: "InstructionBenchmark", dependencies: ["BlueZSimulator", "CoreBlueZ"], path: "instructions/program"),
]

let fuzzed: [Target.Dependency] = [
    "BlueZAdvertisements", "BlueZDBus", "BlueZJSONLine", "BlueZRecording", "BlueZReplay", "BlueZSensorTag",
    "BlueZSerial", "BlueZServer", "BlueZSimulator", "BlueZValues", "CBlueZDBus", "GatewayProtocol",
]

let tests: [Target] = [
    .target(
        name: "TestSupport",
        dependencies: ["BlueZClient", "BlueZDBus", "BlueZSimulator", "BlueZUnixSockets", "CoreBlueZ", "CoreBluetooth"]),
    .testTarget(name: "FuzzerTests", dependencies: fuzzed + ["TestSupport"], exclude: ["Corpora", "Driver"]),
]

// MARK: The package

/// The targets, by the folder in which each has one of its own name.
let areas = [
    ("Sources/Framework", framework),
    ("Tests/Framework", frameworkTests),
    ("Sources/Streams", streams),
    ("Tests/Streams", streamTests),
    ("Sources/Simulator", simulator),
    ("Tests/Simulator", simulatorTests),
    ("Sources/Recordings", recordings),
    ("Tests/Recordings", recordingTests),
    ("Sources/Gateways", gateways),
    ("Tests/Gateways", gatewayTests),
    ("Sources/Programs", programs),
    ("Tests/Programs", programTests),
    ("Demos/SensorTag", sensorTag),
    ("Tests/SensorTag", sensorTagTests),
    ("Demos/Streams", streamDemos),
    ("Benchmarks", benchmarks),
    ("Tests", tests),
]
for (folder, targets) in areas {
    for target in targets { target.path = "\(folder)/\(target.path ?? target.name)" }
}

let package = Package(
    name: "CoreBlueZ",
    // Programs have none: it would bring their dependencies to whoever depends on a library.
    products: [.library(name: "BlueZSerial", targets: ["BlueZSerial", "BlueZClassic"])]
        + [
            "CoreBlueZ", "CoreBluetooth", "BlueZScript", "BlueZObservation", "BlueZAdvertisements", "BlueZAccessories",
            "BlueZAccessoryStreams", "BlueZSimulator", "BlueZReplay", "BlueZSimulatedSerial", "BlueZSensorTag",
            "BlueZSimulatedSensorTag",
        ].map { .library(name: $0, targets: [$0]) },
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: areas.flatMap(\.1)
)

// libFuzzer's loop is available only if everything is built with -sanitize=fuzzer, as Scripts/fuzz does.
if Context.environment["COREBLUEZ_FUZZER"] != nil,
    let tests = package.targets.firstIndex(where: { $0.name == "FuzzerTests" })
{
    package.targets[tests] = .executableTarget(
        name: "Fuzzer", dependencies: fuzzed, path: "Tests/FuzzerTests", exclude: ["Corpora", "Replay"])
}

for target in package.targets where target.type != .system {
    target.swiftSettings = [.swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error)]
}
