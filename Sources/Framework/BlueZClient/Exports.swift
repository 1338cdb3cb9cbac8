/// The actor, the errors and the values are part of the interface, so importing this module imports them too.
@_exported public import BlueZRuntime
