extension BluetoothError {
    /// The message of an error that concerns Bluetooth as a whole, not an operation.
    package static func unavailable(_ suggestion: String) -> String { "Bluetooth is not available: \(suggestion)" }

    static let daemonSuggestion = """
        bluetoothd is not running. Install and start it: apt-get install bluez; systemctl enable --now bluetooth
        """

    package static let daemonStoppedSuggestion = """
        bluetoothd stopped, and all links and scans ended; if it does not start again: systemctl restart bluetooth
        """

    static let pairingEndedSuggestion = """
        pairing was cancelled by a program, or the device went away or nobody answered in time; try again
        """

    static let echoSuggestion = """
        nothing was written: the peripheral had received other bytes than were sent, or the attribute was removed in the \
        meantime; write again
        """

    static let busLostSuggestion = """
        the connection to the message bus was lost, and all links and scans ended
        """

    static let rulesSuggestion = """
        the message bus has reached one of its limits for this program (limit in system.conf). Close programs that use \
        the bus, or raise the limit
        """

    static let accessSuggestion = """
        the message bus does not let this user talk to bluetoothd. On a desktop the logged-in user may; elsewhere add \
        the user to the group bluetooth (usermod -aG bluetooth USER, then log in again) or run as root; in a container \
        mount /run/dbus/system_bus_socket and run with the host's user identifiers
        """

    static let busSuggestion = """
        the system message bus cannot be reached. Start it (systemctl start dbus), or set DBUS_SYSTEM_BUS_ADDRESS; in \
        a container mount /run/dbus/system_bus_socket
        """

    package static let adapterSuggestion = """
        bluetoothd has no Bluetooth adapter. Plug one in, or see whether the kernel knows it: bluetoothctl list; dmesg
        """

    static let busyAdapterSuggestion = """
        the adapter stays busy: another program is switching it, or it is stuck. Wait, restart bluetoothd (systemctl \
        restart bluetooth), or plug the adapter in again
        """

    static let patternSuggestion = """
        A passive scan needs at least one pattern; give each 1 to 31 bytes that end within the advertisement's 31
        """

    static let monitorSuggestion = """
        Scanning passively: bluetoothd offers no advertisement monitors. Run it with --experimental (BlueZ 5.56 or \
        newer), or scan actively
        """

    static let monitorTypeSuggestion = """
        Scanning passively: the kernel or the adapter does not support pattern monitors. Use Linux 5.10 or newer, or \
        scan actively
        """

    static let monitorReleaseSuggestion = """
        Scanning passively: bluetoothd released the monitor, as it does if the kernel refuses it. Use Linux 5.10 or \
        newer, or scan actively
        """

    static let monitorSilenceSuggestion = """
        Scanning passively: bluetoothd accepted the monitor but never activated it. Scan actively, or restart \
        bluetoothd
        """

    static let bearerSuggestion = """
        BlueZ tried to connect over BR/EDR instead of LE. If bluetoothd runs with --experimental, CoreBlueZ selects \
        LE; otherwise remove the device (bluetoothctl remove ADDRESS) and connect while it advertises
        """

    static let staleSuggestion = """
        ; if its services have changed, as after a firmware update, BlueZ's cache of them is wrong: remove the device, \
        then connect and discover again
        """

    package static func cancelled(_ what: String) -> BluetoothError {
        BluetoothError(.cancelled, "\(what) was cancelled")
    }
}
