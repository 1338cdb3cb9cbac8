import BlueZClient
import BlueZDBus
import BlueZRecording
import FoundationEssentials

/// The sockets of AcquireNotify and AcquireWrite.
extension ClientReader {
    func replaceDescriptors(of message: Message) -> [UnixFileDescriptor] {
        let descriptors = message.receivedDescriptors
        guard message.kind == .methodReturn, case .acquire(_, let object) = pending[message.replySerial],
            let device = object.device, let handle = object.valueHandle, descriptors.count == 1
        else {
            // The profile's own note says more.
            if message.interface != BlueZ.profile {
                noteOnce("descriptor", "What passes through a file descriptor of bluetoothd's message is not recorded")
            }
            return descriptors
        }
        do throws(DBusError) {
            return [try splice(descriptors[0], device, handle)]
        } catch {
            log.addNote("socket", "The values of a socket are not recorded: \(error.message)", device: device)
            return descriptors
        }
    }

    /// Connects both ends of a socket, and returns the client's.
    private func splice(
        _ descriptor: UnixFileDescriptor, _ device: ObjectName.Device, _ handle: UInt16
    ) throws(DBusError) -> UnixFileDescriptor {
        let socket = try SplicedSocket(PacketSocket(descriptor)) { [daemon, client] packet, isFromClient in
            Self.record([UInt8](packet), isFromClient, device, handle, client, daemon.log)
        } closed: { [sockets] in
            sockets.remove($0)
        }
        guard let end = socket.takeClientEnd() else { return descriptor }
        sockets.add(socket)
        return end
    }

    /// A packet that the client sends is a write command, for which there is no response.
    private static func record(
        _ packet: [UInt8], _ isFromClient: Bool, _ device: ObjectName.Device, _ handle: UInt16, _ client: String?,
        _ log: EventLog
    ) {
        guard isFromClient else {
            let value = RecordedValue(device: device.address, handle: handle, value: packet, by: .socket)
            return log.add(.value(value))
        }
        var request = RecordedRequest(number: log.nextNumber(), .command, device: device.address)
        request.client = client
        request.handle = handle
        request.value = packet
        request.setting = ["by": "socket"]
        log.add(.request(request))
    }
}
