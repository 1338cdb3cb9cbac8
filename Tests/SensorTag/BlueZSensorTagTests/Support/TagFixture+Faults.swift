import BlueZSimulator

/// What the tag does wrong.
extension FakeTagFixture {
    /// The value of a characteristic, as the tag has it.
    func value(_ short: String) async -> [UInt8]? {
        await simulated[short]?.value
    }

    func refuseWrites(_ short: String, _ code: UInt8?) async {
        await simulated.change(short) { @SimulatorActor in $0.faults.writeError = code.map { ATTError(rawValue: $0) } }
    }

    func refuseReads(_ short: String, _ code: UInt8?) async {
        await simulated.change(short) { @SimulatorActor in $0.faults.readError = code.map { ATTError(rawValue: $0) } }
    }

    func delay(_ short: String, _ delay: Duration) async {
        await simulated.change(short) { @SimulatorActor in $0.faults.delay = delay }
    }

    /// Writes succeed, but the characteristic keeps this value.
    func refuseSilently(_ short: String, _ value: [UInt8]) async {
        await simulated.freeze(short, value)
    }

    func withoutCalibration() async {
        await simulated.loseCalibration()
    }

    func disconnect() async {
        await simulated.peripheral.simulateDisconnection()
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
