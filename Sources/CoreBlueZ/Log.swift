import Logging

/// Where the framework says what has no caller to tell. Nothing above `debug` is logged while all goes well. At `trace`, which
/// counts from the connection to the bus on, every message that passes there is logged.
let log = Logger(label: "CoreBlueZ")
