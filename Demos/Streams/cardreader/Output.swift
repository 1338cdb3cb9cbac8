import BlueZScript
import BlueZSerial
import CoreBlueZ
import FoundationEssentials

/// The standard output.
struct Output: Sendable {
    let isJSON: Bool
    let showsCardNumbers: Bool
    let device: String

    /// Prints the tracks of a stripe.
    func write(_ read: MagneticTracks) throws {
        let tracks = showsCardNumbers ? read : read.masked
        let all = [tracks.track1, tracks.track2, tracks.track3]
        if isJSON {
            let record = TracksRecord(
                device: device, track1: tracks.track1, track2: tracks.track2, track3: tracks.track3,
                data: HexadecimalBytes(tracks.data).description)
            return try write(json: record)
        }
        for (number, track) in all.enumerated() {
            if let track { try write(line: "track \(number + 1)   \(track.escapedForTerminal())") }
        }
        guard all.allSatisfy({ $0 == nil }) else { return }
        let bytes = showsCardNumbers ? HexadecimalBytes(read.data).description : "\(read.data.count) bytes"
        try write(line: "no track  \(bytes)")
    }

    /// Prints the chip's response.
    func write(_ response: ResponseAPDU, to apdu: HexadecimalBytes) throws {
        let status = HexadecimalBytes([UInt8(response.status >> 8), UInt8(response.status & 0xFF)]).description
        let data = showsCardNumbers ? HexadecimalBytes(response.data).description : response.maskedData
        if isJSON {
            try write(json: ResponseRecord(device: device, apdu: apdu.description, status: status, data: data))
        } else {
            try write(line: "response  \(status)  \(data)")
        }
    }

    private struct TracksRecord: Encodable {
        var type = "tracks"
        let device: String
        let track1: String?
        let track2: String?
        let track3: String?
        let data: String
    }

    private struct ResponseRecord: Encodable {
        var type = "response"
        let device: String
        let apdu: String
        let status: String
        let data: String
    }

    private func write(json record: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try write(line: String(decoding: try encoder.encode(record), as: UTF8.self))
    }

    private func write(line: String) throws(CommandFailure) { try StandardOutput.write("\(line)\n".utf8) }
}
