import DBus
import Logging

/// The log for what has no caller to report to. Nothing above `debug` is logged while all goes well. At `trace`, which
/// takes effect when the bus is connected, every message that passes is logged.
package let log = Logger(escapingWithLabel: "CoreBlueZ")

/// The log for messages that make no sense: a sender of one sends thousands.
package let malformed = RateLimitedLog(log, on: BluetoothActor.loop)
