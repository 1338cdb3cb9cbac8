import BlueZClient
import BlueZDBus
import BlueZRecording

/// The questions of bluetoothd to a client's pairing agent. Nothing of a question is read but its method and its device,
/// and nothing of an answer but whether it is an error: the rest contains passkeys and PINs.
extension ClientReader {
    /// Records a call of bluetoothd to an object of the client.
    func readQuestion(_ message: Message) {
        guard message.sender == daemon.owner, let member = message.member else { return }
        switch message.interface {
        case BlueZ.agent:
            if member == "Cancel" { return cancel() }
            var reader = message.reader
            guard let path = try? reader.readObjectPath(), let device = ObjectName(path.string)?.device else { return }
            questions[message.serial] = (member, device)
            log.add(.pairing(RecordedPairing(device: device.address, step: "question", method: member, by: .there)))
        case BlueZ.profile where member == "NewConnection":
            var reader = message.reader
            guard let path = try? reader.readObjectPath() else { return }
            let device = ObjectName(path.string)?.device
            log.addNote("rfcomm", "The bytes of an RFCOMM connection are not recorded", device: device)
        default: break
        }
    }

    /// Records the answer of the client's agent.
    func readAnswer(_ message: Message) {
        guard let question = questions.removeValue(forKey: message.replySerial) else { return }
        var event = RecordedPairing(
            device: question.device.address, step: "confirmed", method: question.member, by: .here)
        if message.kind == .error {
            event.step = "failed"
            event.text = message.error?.name
        }
        log.add(.pairing(event))
    }

    /// bluetoothd withdraws the last question.
    private func cancel() {
        guard let newest = questions.keys.max(), let question = questions.removeValue(forKey: newest) else { return }
        log.add(
            .pairing(
                RecordedPairing(device: question.device.address, step: "ended", method: question.member, by: .there)))
    }
}
