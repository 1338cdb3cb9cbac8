import BlueZSimulator
import CoreBlueZ
import Foundation
import Testing

@testable import gatt

/// The drivers of devices. Tests/Programs/check-drivers compiles some.
@Suite struct SwiftDriverTests {
    /// The driver of the first device of a file.
    private func driver(_ name: String, _ names: [String], _ services: String) throws -> String {
        let text = #"{"name": "", "address": "00:AA:02:00:00:07", "services": [\#(services)]}"#
        let file = try SimulationFile(Data(text.utf8), path: "file")
        let description = try #require(file.peripherals.first)
        return SwiftDriver(try DriverName(name), DriverDevice(names: names, description: description)).text
    }

    @Test("The driver of a lamp, as a whole")
    func whole() throws {
        let text = try driver(
            "Lamp", ["Lamp"],
            """
            {"uuid": "F0001000-0451-4000-B000-000000000000", "characteristics": [
              {"uuid": "F0001001-0451-4000-B000-000000000000", "properties": ["read", "write"], "descriptors": [
                {"uuid": "2901", "text": "Colour"}]},
              {"uuid": "2A19", "properties": ["notify"]}]}
            """)
        #expect(text == Self.lamp)
    }

    private static let lamp = """
        import CoreBlueZ
        import FoundationEssentials

        /// "Lamp", as `gatt inspect` has found it. The file is yours: give names to what has only numbers, and decode the
        /// values.
        ///
        /// ```swift
        /// let central = CentralManager(knownPeripheralNames: Lamp.knownNames)
        /// central.peripheralBuilder = { Lamp($0) }
        /// let device = try await central.firstPeripheral(as: Lamp.self)
        /// try await device.withConnection {
        ///     try await device.discoverServices()
        ///     let value = try await device.service1000.readValue1001()
        /// }
        /// ```
        final class Lamp: Peripheral {
            /// The names of the device, for the `knownPeripheralNames` of a manager.
            nonisolated static let knownNames: Set = ["Lamp"]

            /// The base UUID. An offset replaces its third and fourth bytes.
            nonisolated static let base = BluetoothUUID(high: 0xF000_0000_0451_4000, low: 0xB000_0000_0000_0000)

            /// The service F0001000-0451-4000-B000-000000000000.
            let service1000 = Service1000()

            /// Declares the services.
            override init(_ device: DiscoveredDevice) {
                super.init(device)
                addService(service1000)
            }
        }

        extension Lamp {
            /// The service F0001000-0451-4000-B000-000000000000.
            final class Service1000: Service {
                /// Called with each value of Battery Level, 2A19, and with the error that has ended the notifications.
                var batteryLevelHandler: (@BluetoothActor (Data?, BluetoothError?) -> Void)?

                /// Declares the service and its characteristics.
                init() {
                    super.init(name: "service1000", base: Lamp.base, offset: 0x1000)
                    addCharacteristic("value1001", offset: 0x1001)
                    addCharacteristic("batteryLevel", uuid: 0x2A19)
                }

                // MARK: F0001001-0451-4000-B000-000000000000, "Colour"

                /// Reads the value.
                func readValue1001(completion: @escaping @BluetoothActor (Data?, BluetoothError?) -> Void) {
                    characteristic("value1001").readValue(completion: completion)
                }

                /// The async form of `readValue1001(completion:)`.
                func readValue1001() async throws(BluetoothError) -> Data {
                    try await characteristic("value1001").readValue()
                }

                /// Writes the value, with a response.
                func writeValue1001(_ value: Data, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
                    characteristic("value1001").writeValue(value, completion: completion)
                }

                /// The async form of `writeValue1001(_:completion:)`.
                func writeValue1001(_ value: Data) async throws(BluetoothError) {
                    try await characteristic("value1001").writeValue(value)
                }

                // MARK: Battery Level, 2A19

                /// Switches the notifications on or off. `batteryLevelHandler` gets their values.
                func setNotifyBatteryLevel(_ isOn: Bool, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
                    characteristic("batteryLevel").setNotifyValue(isOn, completion: completion)
                }

                /// The async form of `setNotifyBatteryLevel(_:completion:)`.
                func setNotifyBatteryLevel(_ isOn: Bool) async throws(BluetoothError) {
                    try await characteristic("batteryLevel").setNotifyValue(isOn)
                }

                /// Switches the notifications on, and returns their values as a sequence.
                func batteryLevelNotifications() async throws(BluetoothError) -> EventSequence<Data> {
                    try await characteristic("batteryLevel").notifications()
                }

                // MARK: What the device sends

                /// Passes the values on to the handlers.
                override func notificationHandler(_ characteristic: Characteristic, error: BluetoothError?) {
                    let value = error == nil ? characteristic.value : nil
                    switch characteristic.name {
                    case "batteryLevel": batteryLevelHandler?(value, error)
                    default: break
                    }
                }
            }
        }

        """

    @Test("Methods write as the properties permit")
    func writing() throws {
        let text = try driver(
            "Lamp", [],
            """
            {"uuid": "FFE0", "characteristics": [
              {"uuid": "FFE1", "properties": ["write"]}, {"uuid": "FFE2", "properties": ["write-without-response"]},
              {"uuid": "FFE3", "properties": ["write", "write-without-response"]},
              {"uuid": "FFE4", "properties": ["broadcast", "authenticated-signed-writes"]}]}
            """)
        #expect(text.contains("characteristic(\"valueFFE1\").writeValue(value, completion: completion)\n"))
        #expect(text.contains("try await characteristic(\"valueFFE2\").writeValue(value, type: .withoutResponse)\n"))
        #expect(text.contains("try await characteristic(\"valueFFE3\").writeValue(value, type: type)\n"))
        #expect(text.contains("_ value: Data, type: CharacteristicWriteType = .withResponse"))
        #expect(text.contains(#"addCharacteristic("valueFFE4", uuid: 0xFFE4)"#))
        #expect(!text.contains("ValueFFE4("))
        #expect(!text.contains("knownNames") && text.contains(#"device.address?.description == "00:AA:02:00:00:07""#))
    }

    @Test("Equal services share a class, others with the same UUID don't")
    func equalServices() throws {
        let battery = #"{"uuid": "180F", "characteristics": [{"uuid": "2A19", "properties": ["read"]}]}"#
        let text = try driver("Lamp", [], [battery, battery, #"{"uuid": "180F"}"#].joined(separator: ","))
        #expect(text.contains("    let battery = BatteryService()\n"))
        #expect(text.contains(#"    let battery2 = BatteryService(name: "battery2")"# + "\n"))
        #expect(text.contains("    let battery3 = Battery3Service()\n"))
        #expect(text.contains(#"init(name: String = "battery") {"#))
        #expect(text.components(separatedBy: ": Service {").count == 3)
    }

    @Test("What the device says stays in comments and literals")
    func hostile() throws {
        let text = try driver(
            "Lamp", ["\"\n}\nexit(1) /* \\(exit(1))"],
            #"""
            {"uuid": "FFE0", "characteristics": [{"uuid": "FFE1", "properties": ["read"], "descriptors": [
              {"uuid": "2901", "text": "a\nfunc b() {}\r\u2028\u202e"}]}]}
            """#)
        #expect(text.contains(#"static let knownNames: Set = ["\"\u{a}}\u{a}exit(1) /* \\(exit(1))"]"#))
        #expect(text.contains(#"// MARK: FFE1, "a\u{a}func b() {}\u{d}\u{2028}\u{202e}""#))
        #expect(!text.contains { $0.isNewline && $0 != "\n" })
        let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        #expect(!code.contains { $0.contains("exit(1)") && !$0.contains("knownNames") })
        #expect(!code.contains { $0.contains("func b") })
    }

    @Test("A device without services has a class, and texts need no Data")
    func small() throws {
        let empty = try driver("Lamp", ["L"], "")
        #expect(empty.hasSuffix("    nonisolated static let knownNames: Set = [\"L\"]\n}\n"))
        #expect(!empty.contains("FoundationEssentials"))
        let text = try driver(
            "Lamp", [], #"{"uuid": "180A", "characteristics": [{"uuid": "2A29", "properties": ["read"]}]}"#)
        #expect(text.contains("func readManufacturerNameString() async throws(BluetoothError) -> String {"))
        #expect(!text.contains("FoundationEssentials"))
    }

    @Test("A description keeps everything in its text")
    func roundTrip() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../GattTests/odd.json").path
        for peripheral in try SimulationFile.read(path).peripherals {
            let again = try SimulationFile(Data(peripheral.text.utf8), path: "text").peripherals
            #expect(again.map(\.specification) == [peripheral.specification])
        }
    }

    @Test("Each attribute has a line of its own in the text, and what is usual is left out")
    func layout() throws {
        let text = """
            {
                "name": "A",
                "address": "00:AA:02:00:00:09",
                "manufacturerData": {"000D": "01", "004C": "02"},
                "services": [
                    {"uuid": "180F", "characteristics": [
                        {"uuid": "2A19", "properties": ["read", "notify"], "value": "64", "descriptors": [
                            {"uuid": "2902", "value": "0000"},
                            {"uuid": "2901", "text": "B"}
                        ]}
                    ]},
                    {"uuid": "FFE0", "primary": false}
                ]
            }

            """
        let peripheral = try #require(try SimulationFile(Data(text.utf8), path: "text").peripherals.first)
        #expect(peripheral.text == text)
    }
}
