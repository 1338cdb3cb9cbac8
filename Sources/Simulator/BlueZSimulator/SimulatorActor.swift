import BlueZServer
@_exported public import BlueZValues

/// The actor of all simulators of a process. Its executor is a separate event loop, so that a simulator and the client
/// under test never share a thread.
///
/// Enter it with `SimulatorActor.run`. Code that is already on it needs no `await`. `SimulatorActor.schedule(after:)`
/// runs a closure on it after a delay.
public typealias SimulatorActor = BlueZServerActor

/// A version of bluetoothd, for `SimulatedBlueZ.Configuration.version`.
package typealias BlueZVersion = BlueZServer.BlueZVersion

/// Why a link ended, for peripherals that others serve.
package typealias LinkEnd = BlueZServer.LinkEnd
