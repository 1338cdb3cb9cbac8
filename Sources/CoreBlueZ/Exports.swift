/// The actor, errors, sequences and values are part of the interface: importing CoreBlueZ imports them too.
@_exported public import BluetoothRuntime
