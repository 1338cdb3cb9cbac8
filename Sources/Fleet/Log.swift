import DBus
import Logging

/// The log of all fleets of a process. What other machines have sent is escaped.
let log = Logger(escapingWithLabel: "CoreBlueZ.Fleet")
