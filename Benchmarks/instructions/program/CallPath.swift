#if CALL_PATHS
    import CoreBlueZ
    import Glibc
    import Synchronization

    @_silgen_name("__llvm_profile_reset_counters") private func resetCounters()
    @_silgen_name("__llvm_profile_write_file") private func writeProfile() -> CInt

    /// An operation, until its handler or completion runs, whose functions Scripts/call-paths lists.
    enum CallPath: String, Sendable {
        case notification, read, connection

        /// Set when the client was idle and the counters were reset.
        private static let isCounting = Atomic(false)

        /// Does it twice with a `NotifyingPeer`, and leaves the profile of the second time: the first initializes what is
        /// initialized once. For a connection the device is new each time.
        @BluetoothActor func run() async throws {
            let central = CentralManager()
            try await central.waitUntilPoweredOn(timeout: .seconds(60))
            var peripheral = try await central.firstPeripheral(withServices: [0x180D])
            if self != .connection { try await peripheral.connectAndDiscover() }
            if self == .notification { try await peripheral[0x180D]?[0x2A37]?.setNotifyValue(true) }
            for isLast in [false, true] {
                // What is left of that ends.
                try await Task.sleep(for: .seconds(1))
                try await Work.completion { completion in
                    begin(peripheral) { error in
                        guard error == nil, isLast else { return completion(error) }
                        // Not `exit`, which would write another profile.
                        _exit(Self.isCounting.load(ordering: .relaxed) ? writeProfile() : 2)
                    }
                }
                if self == .connection {
                    try await central.forgetPeripheral(peripheral)
                    peripheral = try await central.firstPeripheral(withServices: [0x180D])
                }
            }
        }

        @BluetoothActor private func begin(
            _ peripheral: Peripheral, _ completion: @escaping @BluetoothActor (BluetoothError?) -> Void
        ) {
            let service = peripheral[0x180D]
            let location = service?[0x2A38]
            Self.isCounting.store(false, ordering: .relaxed)
            switch self {
            case .notification:
                service?.updateHandler = { _, error in completion(error) }
                service?[0x2A39]?.writeValue(Work.bytes(0)) { error in if error != nil { completion(error) } }
                // In another thread: nothing but the notification wakes the actor's.
                Task.detached {
                    try await Task.sleep(for: .seconds(1))
                    Self.count()
                }
            case .read:
                Self.count()
                location?.readValue { _, error in completion(error) }
            case .connection:
                Self.count()
                peripheral.connectAndDiscover { _, error in completion(error) }
            }
        }

        private static func count() {
            isCounting.store(true, ordering: .relaxed)
            resetCounters()
        }
    }
#endif
