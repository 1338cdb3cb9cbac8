/// The actor, errors and values are part of the interface: what imports this module has them.
@_exported public import BluetoothRuntime
