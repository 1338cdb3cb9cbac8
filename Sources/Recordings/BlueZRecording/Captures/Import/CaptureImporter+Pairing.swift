import BlueZValues

extension CaptureImporter {
    /// Steps of a pairing (Core Specification, volume 3, part H, 3.5), without what its packets contain.
    mutating func handlePairing(_ key: LinkKey, isReceived: Bool, _ payload: ArraySlice<UInt8>) {
        guard let device = links[key]?.device, let code = payload.first else { return }
        let by: RecordedSide = isReceived ? .there : .here
        let fields = Array(payload.dropFirst())
        switch code {
        case 0x01:
            links[key]?.pairingRequest = fields
            links[key]?.isPairing = true
            add(.pairing(RecordedPairing(device: device, step: "begun", by: by)))
        case 0x02:
            guard let request = links[key]?.pairingRequest else { return }
            let method = Self.method(request, fields)
            add(.pairing(RecordedPairing(device: device, step: "method", method: method)))
        case 0x05:
            links[key]?.isPairing = false
            add(.pairing(RecordedPairing(device: device, step: "failed", reason: fields.first, by: by)))
        case 0x0B: add(.pairing(RecordedPairing(device: device, step: "requested", by: by)))
        default: break
        }
    }

    mutating func encryptionChanged(_ handle: UInt16, _ status: UInt8, isOn: Bool) {
        let key = LinkKey(adapter: packet.adapter, handle: handle & 0xFFF)
        guard let link = links[key], !link.isClassic else { return }
        links[key]?.isPairing = false
        if status != 0 {
            let text = "The link was not encrypted: controller's error \(status)"
            add(.pairing(RecordedPairing(device: link.device, step: "failed", text: text)))
        } else if isOn {
            let step = link.isPairing ? "ended" : "encrypted"
            add(.pairing(RecordedPairing(device: link.device, step: step)))
        }
    }

    /// The method, by what both sides can (volume 3, part H, 2.3.5.1).
    private static func method(_ request: [UInt8], _ response: [UInt8]) -> String? {
        guard request.count >= 3, response.count >= 3 else { return nil }
        let isSecure = request[2] & response[2] & 8 != 0
        let hasOutOfBand = isSecure ? request[1] | response[1] != 0 : request[1] & response[1] != 0
        if hasOutOfBand { return "out of band" }
        let justWorks = "just works"
        guard (request[2] | response[2]) & 4 != 0 else { return justWorks }
        let (initiator, responder) = (request[0], response[0])
        guard initiator != 3, responder != 3, initiator <= 4, responder <= 4 else { return justWorks }
        if initiator == 2 || responder == 2 { return "passkey" }
        // Displays that can ask for a confirmation compare numbers.
        if isSecure, initiator != 0, responder != 0 { return "numeric comparison" }
        return initiator == 4 || responder == 4 ? "passkey" : justWorks
    }
}
