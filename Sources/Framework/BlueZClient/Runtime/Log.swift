import BlueZDBus
import Logging

/// The log for events that cannot be reported to a caller. In normal operation, nothing is logged above `debug`. At
/// `trace`, every message is logged, if the level was set before the bus is connected.
package let log = Logger(escapingWithLabel: "CoreBlueZ")

/// The log for invalid messages, whose rate is limited because a faulty sender may send thousands.
package let malformed = RateLimitedLog(log, on: BluetoothActor.loop)
