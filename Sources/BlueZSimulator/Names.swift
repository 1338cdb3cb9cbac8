import BlueZServer

/// The actor of all simulators of a process. Its executor is an event loop of its own, so that a simulator and the
/// client under test never share a thread.
///
/// Enter it with `SimulatorActor.run`; code that is already on it needs no `await`. `SimulatorActor.schedule(after:)`
/// runs a closure on it after a delay.
public typealias SimulatorActor = BlueZServerActor

/// A call that is due later, which `SimulatorActor.schedule(after:)` returns. Its method `cancel()` cancels the call.
public typealias ScheduledCall = BlueZServer.ScheduledCall

/// The UUID of a service, characteristic or descriptor: 36 characters in lowercase. Literals are 16-bit numbers, such as
/// `0x180D`, or text of 4, 8 or 36 characters.
public typealias AttributeUUID = BlueZServer.AttributeUUID
