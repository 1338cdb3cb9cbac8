import CoreBlueZ
import Foundation
import Testing

@testable import gatt

/// The options of `gatt advertise`.
@Suite("The options of gatt advertise") struct AdvertisementOptionsTests {
    @Test("Every option is in the advertisement")
    func all() throws {
        let options = try AdvertisementOptions.parse([
            "--name", "Lamp", "--service", "1815", "--service", "180F", "--manufacturer", "0x004C:0215",
            "--manufacturer", "d:", "--service-data", "180F:64", "--data", "26:0102", "--appearance", "0x0341",
            "--tx-power", "-20", "--interval", "100ms-0.2", "--secondary-channel", "coded", "--not-connectable",
            "--timeout", "1m",
        ])
        var expected = LocalAdvertisement(localName: "Lamp", serviceUUIDs: [0x1815, 0x180F])
        expected.manufacturerData = [0x004C: Data([2, 0x15]), 0x000D: Data()]
        expected.serviceData = [0x180F: Data([0x64])]
        expected.structures = [0x26: Data([1, 2])]
        expected.appearance = 0x0341
        expected.txPower = -20
        expected.includesTxPower = true
        expected.interval = .milliseconds(100)...(.milliseconds(200))
        expected.secondaryChannel = .coded
        expected.isConnectable = false
        expected.timeout = .seconds(60)
        #expect(try options.advertisement() == expected)
        #expect(!options.isEmpty)
        #expect(try AdvertisementOptions.parse([]).isEmpty)
        #expect(try AdvertisementOptions.parse(["--appearance", "833"]).advertisement().appearance == 833)
    }

    @Test(
        "What is wrong is an error",
        arguments: [
            ["--service", "18"], ["--manufacturer", "004C"], ["--manufacturer", "0x1004C:00"],
            ["--manufacturer", "+4C:00"], ["--manufacturer", "4C:0"], ["--data", "126:00"], ["--data", ":00"],
            ["--service-data", "x:00"], ["--manufacturer", "4C:00", "--manufacturer", "0x004c:01"],
            ["--appearance", "65536"], ["--appearance", "-1"], ["--interval", "200ms-100ms"], ["--interval", "1-2-3"],
            ["--interval", "soon"], ["--secondary-channel", "3M"], ["--timeout", "0"], ["--timeout", "500ms"],
            ["--timeout", "20h"],
        ])
    func wrong(arguments: [String]) {
        #expect(throws: (any Error).self) { try AdvertisementOptions.parse(arguments) }
    }
}
