import CoreBlueZ

/// Which managers of the program use the link to a device, and whether one of them has made it.
///
/// A link belongs to the whole program, as one belongs to the whole of an Apple system. It ends when its last user
/// gives it up, unless another program made it.
@BluetoothActor enum LinkUses {
    private struct Link: Hashable {
        let bus: BusAddress
        let device: String
    }

    private struct Use {
        var users: Set<ObjectIdentifier> = []
        var isOurs = false
    }

    private static var uses: [Link: Use] = [:]

    /// Notes that a peripheral's manager uses the link, which is up.
    static func begin(_ peripheral: BridgedPeripheral, on bus: BusAddress) {
        let link = Link(bus: bus, device: peripheral.id)
        uses[link, default: Use()].users.insert(ObjectIdentifier(peripheral))
        if peripheral.hasOwnLink { uses[link]?.isOurs = true }
    }

    /// Notes that a peripheral's manager no longer uses the link.
    ///
    /// - Returns: whether the link must end.
    static func end(_ peripheral: BridgedPeripheral, on bus: BusAddress) -> Bool {
        let link = Link(bus: bus, device: peripheral.id)
        guard var use = uses[link] else { return peripheral.hasOwnLink }
        use.users.remove(ObjectIdentifier(peripheral))
        uses[link] = use.users.isEmpty ? nil : use
        return use.users.isEmpty && use.isOurs
    }

    /// Notes that the link is lost.
    static func forget(_ peripheral: BridgedPeripheral, on bus: BusAddress) {
        uses[Link(bus: bus, device: peripheral.id)] = nil
    }
}
