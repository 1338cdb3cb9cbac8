import BlueZScript

extension ExitStatus {
    /// The section of the help about exit statuses.
    static let manual = section(
        [
            .success: "success, also after q or --duration, or if the reader of the output has exited",
            .notFound: "the tag has none of the sensors",
            .connection: "the tag could not be connected, or the link was lost",
            .unavailable: "Bluetooth is not available, or the tag does not support the operation",
            .software: "a response is invalid",
            .cannotCreate: "the file cannot be opened, or has the columns of another tag",
            .timedOut: """
            no such SensorTag was found, or it did not respond, in time; or it is busy. Trying again may help
            """,
            .attError: "the tag returned an ATT error",
        ],
        ending: """
            . The command cleans up first. If that fails, it prints which sensors may still be on, and the status is \
            that of the error
            """)

    /// The section of the help of `sensortag serve` about exit statuses.
    static let manualOfServing =
        section(
            [
                .success: "success: with --simulate, the reader of the output has exited",
                .data: "the advertisement is too large",
                .unavailable: """
                Bluetooth is not available, or BlueZ or the adapter cannot advertise or offer services
                """,
                .software: "BlueZ refused the services or the advertisement for another reason",
                .inputOutput: "with --simulate, the output cannot be written",
                .timedOut: """
                bluetoothd did not respond in time, or all advertisements of the adapter are in use. Trying again \
                may help
                """,
            ], ending: ". The command withdraws the tag first. If that fails, the status is that of the error")
        + "\nWith --simulate, errors of reading have the statuses of sensortag print."
}
