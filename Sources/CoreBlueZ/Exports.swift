/// The actor, errors, sequences and values are part of the interface: what imports CoreBlueZ has them.
@_exported public import BluetoothRuntime
