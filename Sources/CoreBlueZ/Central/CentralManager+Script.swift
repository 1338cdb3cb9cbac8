extension CentralManager {
    /// Ends the links that the program's managers have made, and the attempts to make more: what a script leaves
    /// behind.
    package static func disconnectAllMade() async {
        let managers = BlueZClient.present.flatMap(\.presentObservers).compactMap { $0 as? CentralManager }
        await withTaskGroup(of: Void.self) { group in
            for peripheral in managers.flatMap(\.peripherals) where peripheral.link.isProgramsOwn {
                group.addTask { try? await peripheral.disconnect() }
            }
        }
    }
}
