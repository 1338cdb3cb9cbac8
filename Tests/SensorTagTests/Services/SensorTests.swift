import CoreBlueZ
import SensorTag
import Testing

@Suite("Sensors follow generation and firmware", .timeLimit(.minutes(1))) struct SensorTests {
    @Test(
        "The generation is that of the services",
        arguments: [
            (
                FakeTag.Model.cc2541(firmware: "1.3 (x)"), SensorTagGeneration.cc2541,
                FirmwareVersion(major: 1, minor: 3)
            ),
            (.cc2650(firmware: "1.50 (x)"), .cc2650, FirmwareVersion(major: 1, minor: 50)),
        ])
    func generation(model: FakeTag.Model, generation: SensorTagGeneration, firmware: FirmwareVersion) async throws {
        try await TagScene.run(model, isPrepared: false) { scene in
            let recognised = try await scene.tag.prepare()
            #expect(recognised == generation)
            #expect(scene.tag.generation == generation)
            #expect(scene.tag.firmware == firmware)
        }
    }

    @Test("A device with a tag's name but without its services is no tag")
    func stranger() async throws {
        try await TagScene.run(.stranger, isPrepared: false) { scene in
            let code = await errorCode { () throws(BluetoothError) in try await scene.tag.prepare() }
            #expect(code == .notSupported)
        }
    }

    @Test(
        "The accelerometer's range is that of the firmware",
        arguments: [("1.3 (x)", "write aa12 01", 1.0), ("1.5 (x)", "write aa12 03", 1.0), ("?", "write aa12 01", 4.0)])
    func range(firmware: String, write: String, x: Double) async throws {
        try await TagScene.run(.cc2541(firmware: firmware)) { scene in
            let received = Received<AccelerometerReading>()
            scene.tag.accelerometer.readingHandler = received.take
            try await scene.tag.accelerometer.turnOn()
            #expect(await scene.log().contains(write))
            await scene.notify("aa11", [64, 0, 0xC0])
            try await scene.wait { received.count == 1 }
            #expect(received.values == [AccelerometerReading(x: x, y: 0, z: -x)])
        }
    }

    @Test("Calibrating the magnetometer twice in the same field gives zero twice")
    func zeroPoint() async throws {
        try await TagScene.run { scene in
            let magnetometer = scene.tag.magnetometer
            let received = Received<MagnetometerReading>()
            magnetometer.readingHandler = received.take
            #expect(!magnetometer.calibrate())
            try await magnetometer.turnOn()
            for index in 1...3 {
                await scene.notify("aa31", [0x79, 0xF7, 0x7C, 0x07, 0xE7, 0x04])
                try await scene.wait { received.count == index }
                #expect(magnetometer.calibrate())
            }
            #expect(received.values.map(\.magnitude).dropFirst() == [0, 0])
        }
    }

    @Test("The gyroscope is switched on with all axes")
    func axes() async throws {
        try await TagScene.run { scene in
            try await scene.tag.gyroscope.turnOn()
            #expect(await scene.value("aa52") == [7])
        }
    }

    @Test("Keys are read without a configuration, and releasing them is a reading")
    func keys() async throws {
        try await TagScene.run { scene in
            let received = Received<SimpleKeys>()
            scene.tag.keys.readingHandler = received.take
            try await scene.tag.keys.turnOn()
            await scene.notify("ffe1", [3])
            await scene.notify("ffe1", [0])
            try await scene.wait { received.count == 2 }
            #expect(received.values == [[.left, .right], []])
        }
    }

    @Test("The movement sensor is asked for the range that all firmware has, and its first zeros are no reading")
    func movement() async throws {
        try await TagScene.run(.cc2650(firmware: "1.20 (x)")) { scene in
            let received = Received<MovementReading>()
            scene.tag.movement.readingHandler = received.take
            scene.tag.movement.configuration.range = .twoG
            try await scene.tag.movement.turnOn()
            #expect(await scene.value("aa82") == [0x7F, 0x02])
            await scene.notify("aa81", [UInt8](repeating: 0, count: 10) + [0, 0x10] + [UInt8](repeating: 0, count: 6))
            try await scene.wait { received.count > 0 }
            #expect(received.values.map(\.accelerometer) == [AccelerometerReading(x: 0, y: 0, z: 1)])
            try await scene.tag.movement.turnOff()
            #expect(await scene.value("aa82") == [0, 0])
        }
    }

    @Test("Outputs are cleared before the tag is put into remote mode")
    func outputs() async throws {
        try await TagScene.run(.cc2650(firmware: "1.50 (x)")) { scene in
            let mark = await scene.mark()
            try await scene.tag.io.setOutputs([.redLED, .buzzer])
            try await scene.tag.io.setOutputs(.greenLED)
            try await scene.tag.io.releaseOutputs()
            #expect(
                await scene.log(after: mark) == [
                    "write aa65 00", "write aa66 01", "write aa65 05", "write aa65 02", "write aa65 00",
                    "write aa66 00",
                ])
        }
    }

    @Test("Device information is read whole: texts end before NUL, the PnP ID is 2A50")
    func information() async throws {
        try await TagScene.run { scene in
            let information = try await scene.tag.information.readInformation()
            #expect(information.model == "N.A.")
            #expect(information.firmware == "1.5 (Oct 23 2013)")
            #expect(information.manufacturer == "Texas Instruments")
            #expect(information.systemIdentifier?.description == "a5:a4:a3:00:00:a2:a1:a0")
            #expect(information.pnpIdentifier?.vendor == 0x000D)
            #expect(information.serialNumber == nil)
            #expect(information.failures.isEmpty)
        }
    }

    @Test("A value that cannot be read is told, and the others are there")
    func partialInformation() async throws {
        try await TagScene.run { scene in
            await scene.refuseReads("2a24", 0x80)
            let information = try await scene.tag.information.readInformation()
            #expect(information.model == nil)
            #expect(information.failures.map(\.code) == [.att])
            #expect(information.manufacturer == "Texas Instruments")
        }
    }
}
