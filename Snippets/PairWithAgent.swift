// Pairs with a lock that shows a passkey or a number to compare, asking the person at the terminal.
import CoreBlueZ

/// A line from the terminal, without holding up the Bluetooth thread.
func answer(_ question: String) async -> String {
    await Task.detached {
        print(question, terminator: " ")
        return readLine() ?? ""
    }.value
}

do {
    try await BluetoothActor.run {
        let central = CentralManager(knownPeripheralNames: ["Lock"])
        let lock = try await central.firstPeripheral(timeout: .seconds(20))
        let agent = PairingAgent()
        agent.setPasskeyHandler { lock in
            guard let passkey = Passkey(await answer("The passkey that \(lock.displayName) shows:")) else {
                throw BluetoothError(.cancelled, "That is no passkey")
            }
            return passkey
        }
        agent.setConfirmationHandler { lock, passkey in
            await answer("Does \(lock.displayName) show \(passkey)? [y/N]") == "y"
        }
        agent.displayPasskeyHandler = { lock, passkey, _ in
            print("Type \(passkey) on \(lock.displayName)")
        }
        agent.cancelHandler = { _ in print("The question is withdrawn") }
        try await central.registerPairingAgent(agent)
        try await lock.pair()
        print("paired:", lock.isPaired, "bonded:", lock.isBonded)
        try await central.unregisterPairingAgent()
        try await lock.disconnect()
    }
} catch {
    print(error)
}
