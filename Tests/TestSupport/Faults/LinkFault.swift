import BlueZSimulator

/// What goes wrong with a peripheral, its link or the computer's Bluetooth, or right again.
public enum LinkFault: String, CaseIterable, Sendable {
    case daemonKilled, daemonStarted, adapterUnplugged, adapterPlugged, powerOff, powerOn
    case linkLost, peerSilent, peerReturns, deviceRemoved
    case noAnswers, repliesLost, repliesLate, errors, healed

    /// What repairs it, if something other than connecting again does.
    public var remedy: LinkFault? {
        switch self {
        case .daemonKilled: .daemonStarted
        case .adapterUnplugged: .adapterPlugged
        case .powerOff: .powerOn
        case .peerSilent: .peerReturns
        default: nil
        }
    }

    /// Whether calls may remain without an answer.
    public var isSilencing: Bool { [.noAnswers, .repliesLost, .peerSilent].contains(self) }
}

extension SimulatorFixture {
    /// Lets a fault happen.
    ///
    /// - Parameter target: the peripheral that it happens to; nil is the simulator's first.
    public func cause(_ fault: LinkFault, of target: SimulatedPeripheral? = nil) async throws {
        let target = target ?? peripheral
        let characteristics = target.services.flatMap(\.characteristics)
        switch fault {
        case .daemonKilled: bluez.simulateCrash()
        case .daemonStarted: try await bluez.restart()
        case .adapterUnplugged: bluez.adapters.first?.simulateUnplug()
        case .adapterPlugged: bluez.adapters.first?.simulateReplug()
        case .powerOff: bluez.adapters.first?.simulatePower(false)
        case .powerOn: bluez.adapters.first?.simulatePower(true)
        case .linkLost: target.simulateDisconnection()
        case .peerSilent: target.simulateRangeLoss(supervisionTimeout: .milliseconds(20))
        case .peerReturns: target.simulateReturn()
        case .deviceRemoved: bluez.simulateDeviceRemoval(of: target)
        case .noAnswers:
            for member in ["ReadValue", "WriteValue", "StartNotify", "AcquireNotify", "AcquireWrite"] {
                bluez.simulateReply(.silence, to: member, of: "org.bluez.GattCharacteristic1", times: 3)
            }
        case .repliesLost: for characteristic in characteristics { characteristic.faults.losesReplies = true }
        case .repliesLate: for characteristic in characteristics { characteristic.faults.delay = .milliseconds(6) }
        case .errors:
            for characteristic in characteristics {
                characteristic.faults.readError = ATTError(rawValue: 0x80)
                characteristic.faults.writeError = ATTError(rawValue: 0x81)
            }
        case .healed: heal(target)
        }
    }

    /// Makes everything work again.
    public func mend(_ target: SimulatedPeripheral? = nil) async throws {
        let target = target ?? peripheral
        heal(target)
        if !bluez.isRunning { try await bluez.restart() }
        bluez.adapters.first?.simulateReplug()
        bluez.adapters.first?.simulatePower(true)
        target.simulateReturn()
    }

    /// Whether the peripheral could be found and connected.
    public func isReachable(_ target: SimulatedPeripheral? = nil) -> Bool {
        let target = target ?? peripheral
        guard let adapter = bluez.adapters.first, bluez.isRunning, adapter.isPowered, !adapter.isUnplugged else {
            return false
        }
        return target.isAdvertising || target.isConnected
    }
}
