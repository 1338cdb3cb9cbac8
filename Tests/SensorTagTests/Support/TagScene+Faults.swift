import BlueZSimulator

/// What the tag does wrong.
extension TagScene {
    /// The value of a characteristic, as the tag has it.
    func value(_ short: String) async -> [UInt8]? {
        await fake[short]?.value
    }

    func refuseWrites(_ short: String, _ code: UInt8?) async {
        await fake.change(short) { @SimulatorActor in $0.faults.writeError = code.map { ATTError(rawValue: $0) } }
    }

    func refuseReads(_ short: String, _ code: UInt8?) async {
        await fake.change(short) { @SimulatorActor in $0.faults.readError = code.map { ATTError(rawValue: $0) } }
    }

    func delay(_ short: String, _ delay: Duration) async {
        await fake.change(short) { @SimulatorActor in $0.faults.delay = delay }
    }

    /// Writes succeed, but the characteristic keeps this value.
    func refuseSilently(_ short: String, _ value: [UInt8]) async {
        await fake.freeze(short, value)
    }

    func withoutCalibration() async {
        await fake.loseCalibration()
    }

    func disconnect() async {
        await fake.peripheral.simulateDisconnection()
    }
}

extension FakeTag {
    func change(_ short: String, _ body: @SimulatorActor (SimulatedCharacteristic) -> Void) {
        if let characteristic = self[short] { body(characteristic) }
    }

    func loseCalibration() { hasCalibration = false }

    func freeze(_ short: String, _ value: [UInt8]) {
        frozen.insert(short)
        self[short]?.value = value
    }
}
