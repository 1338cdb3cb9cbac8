/// The number of an L2CAP channel's service.
public typealias CBL2CAPPSM = UInt16

/// An L2CAP channel. There are none on Linux yet: `CBPeripheral.openL2CAPChannel(_:)` responds with an error.
open class CBL2CAPChannel: NSObject {
    private let remote: CBPeer
    private let streams: (input: InputStream, output: OutputStream)
    private let number: CBL2CAPPSM

    init(_ peer: CBPeer, _ input: InputStream, _ output: OutputStream, _ psm: CBL2CAPPSM) {
        remote = peer
        streams = (input, output)
        number = psm
    }

    /// The device at the other end.
    open var peer: CBPeer! { remote }

    /// What the device sends.
    open var inputStream: InputStream! { streams.input }

    /// What is sent to the device.
    open var outputStream: OutputStream! { streams.output }

    /// The number of the service.
    open var psm: CBL2CAPPSM { number }
}
