import BlueZDBus
import BlueZScript
import BlueZUnixSockets
import CoreBlueZ
import FoundationEssentials
import Glibc
import SystemPackage

/// `--pty`: the device as a pseudo-terminal, which stays when links are lost.
@BluetoothActor final class SerialPseudoTerminal: SerialEndpoint {
    /// How often to check whether a program uses the pseudo-terminal, if the system does not report it.
    private static let pause = Duration.milliseconds(250)

    private let terminal: PseudoTerminal
    private let bridge: ByteBridge
    private let link: SerialLink
    private let messages: SerialMessages
    private var watch: DescriptorWatch?
    private var isUsed = false
    private var check: Task<Void, Never>?

    let place: String?

    /// Creates the pseudo-terminal, and the link to it if its path is not empty.
    init(linkedAt linkPath: String, _ link: SerialLink, _ messages: SerialMessages) throws {
        do throws(DBusError) {
            terminal = try PseudoTerminal()
        } catch {
            throw CommandFailure(.cannotCreate, error.message)
        }
        self.link = link
        self.messages = messages
        place = linkPath.isEmpty ? terminal.path : linkPath
        bridge = ByteBridge(terminal.channel)
        if !linkPath.isEmpty { try Self.makeLink(terminal, linkPath) }
    }

    private static func makeLink(_ terminal: PseudoTerminal, _ path: String) throws(CommandFailure) {
        let code = terminal.link(at: path)
        guard code != 0 else { return }
        guard code == EEXIST else {
            throw CommandFailure(.cannotCreate, "The link \(path) cannot be created: \(Errno(rawValue: code))")
        }
        throw CommandFailure(
            .cannotCreate, "\(path) exists and is not replaced: remove it if nothing uses it, or give another path")
    }

    func start() {
        bridge.hasRoom = { [link] in link.hasRoom }
        bridge.receiveHandler = { [weak self] in self?.typed($0) }
        // No program has the other end open; the watch reports when one opens it.
        bridge.endHandler = {}
        bridge.dropHandler = { [messages] count in messages.report("\(count) bytes were dropped: they were not read") }
        link.receiveHandler = { [weak self] in self?.received($0) }
        link.spaceHandler = { [bridge] in bridge.resume() }
        watch = terminal.watch.map { descriptor in DescriptorWatch(descriptor) { [weak self] in self?.used() } }
        used()
        bridge.resume()
    }

    /// Ends it: programs see a hang-up, and the link is removed.
    func close() {
        check?.cancel()
        watch?.cancel()
        watch = nil
        bridge.close()
    }

    private func typed(_ bytes: Data) {
        isUsed = true
        messages.sent(bytes)
        link.send(bytes)
    }

    /// As with a serial port that no program has open, bytes that arrive now are lost.
    private func received(_ bytes: Data) {
        messages.received(bytes)
        if isUsed { bridge.write(bytes) }
    }

    /// Called when a program has opened or closed the other end.
    private func used() {
        update()
        watch?.wait(for: .readable)
        bridge.resume()
        check?.cancel()
        let repeats = watch == nil
        check = Task { [weak self] in
            repeat {
                // Checks again for a program that has opened it in the meantime; repeatedly if there is no watch.
                let pause = repeats ? Self.pause : .seconds(1)
                guard (try? await BluetoothActor.sleep(for: pause)) != nil else { return }
                self?.update()
            } while repeats
        }
    }

    private func update() {
        let wasUsed = isUsed
        isUsed = terminal.isUsed()
        guard wasUsed, !isUsed else { return }
        bridge.clear()
        terminal.reset()
    }
}
