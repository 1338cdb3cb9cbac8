/// The actor, the errors and the values are part of the interface, and what prints names and values safely belongs to
/// it, so importing CoreBlueZ imports them too.
@_exported public import BlueZClient
@_exported public import BlueZPrintableText
