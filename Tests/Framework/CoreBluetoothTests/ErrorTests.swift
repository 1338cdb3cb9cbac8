import CoreBluetooth
import Testing

/// CBError and CBATTError, as Apple's.
@Suite struct ErrorTests {
    private func code(of error: any Error) -> Int {
        do {
            throw error
        } catch CBError.connectionTimeout {
            return 1
        } catch CBATTError.readNotPermitted {
            return 2
        } catch let error as CBError {
            return 100 + error.errorCode
        } catch {
            return 0
        }
    }

    @Test("An error is caught by its code, or by its type")
    func catching() {
        #expect(code(of: CBError(.connectionTimeout)) == 1)
        #expect(code(of: CBATTError(.readNotPermitted)) == 2)
        #expect(code(of: CBError(.peripheralDisconnected)) == 107)
        #expect(code(of: CBATTError(.insufficientEncryption)) == 0)
    }

    @Test("An error is an NSError with Apple's domain and code")
    func bridging() {
        let error: any Error = CBError(.peripheralDisconnected, userInfo: [NSLocalizedDescriptionKey: "It left"])
        #expect(error.localizedDescription == "It left")
        let foundation = error as NSError
        #expect(foundation.domain == "CBErrorDomain" && foundation.code == 7)
        #expect(foundation.userInfo[NSLocalizedDescriptionKey] as? String == "It left")
        #expect(CBError.errorDomain == CBErrorDomain && CBATTError.errorDomain == CBATTErrorDomain)
        #expect(CBError(.unknown) == CBError(.unknown) && CBError(.unknown) != CBError(.notConnected))
    }

    @Test("A code without a name is unknown, and keeps its number")
    func unknownCode() {
        #expect(CBError(_nsError: NSError(domain: CBErrorDomain, code: 6)).code == .connectionTimeout)
        let error = CBError(_nsError: NSError(domain: CBErrorDomain, code: 99))
        #expect(error.code == .unknown && error.errorCode == 99 && code(of: error) == 199)
    }

    @Test(
        "An error that a program makes has a description of its code",
        arguments: [
            (CBError(.peripheralDisconnected) as any Error, "The peripheral has ended the link"),
            (CBError(_nsError: NSError(domain: CBErrorDomain, code: 99)), "Unknown error"),
            (CBATTError(.readNotPermitted), "The peripheral has returned ATT error 0x02 (read not permitted)"),
            (CBATTError(.other(0x80)), "The peripheral has returned ATT error 0x80 (application error)"),
            (CBATTError(.other(-1)), "Unknown error -1"),
        ])
    func descriptions(_ error: any Error, _ text: String) {
        #expect(error.localizedDescription == text)
        #expect((error as NSError).localizedDescription == text)
    }

    @Test("A code that a service defines keeps its number")
    func ownCodes() {
        #expect((0...17).allSatisfy { CBATTError.Code(rawValue: $0)?.rawValue == $0 })
        let own = CBATTError.Code(rawValue: 0x80)
        #expect(own == .other(0x80) && own?.rawValue == 0x80)
        #expect(own.map { CBATTError($0).code.rawValue } == 0x80)
        #expect(Set([CBATTError.Code.success, .other(0x80), .other(0x81), .success]).count == 3)
    }
}
