import DBus
import Logging

/// The log for events without a caller to report to. In normal operation, nothing is logged above `debug`. At `trace`,
/// which must be set before the bus is connected, every message is logged.
package let log = Logger(escapingWithLabel: "CoreBlueZ")

/// The log for invalid messages: a faulty sender sends thousands.
package let malformed = RateLimitedLog(log, on: BluetoothActor.loop)
