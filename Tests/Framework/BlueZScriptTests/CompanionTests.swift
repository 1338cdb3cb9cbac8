import Glibc
import Testing

@testable import BlueZScript

@Suite("Programs that a command becomes") struct CompanionTests {
    @Test("One that is missing is named, with suggestion on how to get it; any other error is given by its number")
    func messages() {
        let missing = Companion.web.message("tag-web", "tag", ENOENT, "Build it with: swift build")
        #expect(missing == "The program tag-web is neither next to tag nor on the PATH. Build it with: swift build")
        let forbidden = Companion.web.message("tag-web", "tag", EACCES, "Build it with: swift build")
        #expect(forbidden == "The program tag-web cannot be started: error 13")
    }

    @Test("Without the companion the command fails as unavailable, and this program goes on")
    func missing() {
        #expect(Companion.gateway.replace("tag", suggestion: "").status == .unavailable)
    }
}
