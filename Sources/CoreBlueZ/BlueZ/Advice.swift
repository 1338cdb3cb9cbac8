extension BluetoothError {
    static let daemonAdvice = """
        bluetoothd does not run. Install and start it: apt-get install bluez; systemctl enable --now bluetooth
        """

    static let daemonStoppedAdvice = """
        bluetoothd stopped; all links and scans ended with it. It is used again as soon as it is back; if it does not come \
        back: systemctl restart bluetooth
        """

    static let busLostAdvice = """
        the connection to the message bus was lost, and all links and scans with it. It is made again as soon as the bus is back
        """

    static let accessAdvice = """
        the message bus does not let this user talk to bluetoothd. On a desktop the logged-in user may; elsewhere add the \
        user to the group bluetooth (usermod -aG bluetooth USER, then log in again) or run as root; in a container mount \
        /run/dbus/system_bus_socket and run with the host's user identifiers
        """

    static let busAdvice = """
        the system message bus cannot be reached. Start it (systemctl start dbus), or set DBUS_SYSTEM_BUS_ADDRESS; in a \
        container mount /run/dbus/system_bus_socket
        """

    static let adapterAdvice = """
        bluetoothd has no Bluetooth adapter. Plug one in, or see whether the kernel knows it: bluetoothctl list; dmesg
        """

    static func cancelled(_ what: String) -> BluetoothError {
        BluetoothError(.cancelled, "\(what) was cancelled")
    }
}
