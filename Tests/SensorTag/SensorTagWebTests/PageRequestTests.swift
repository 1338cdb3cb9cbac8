import NIOHTTP1
import Testing

@testable import sensortag_web

@Suite("Requests of the page") struct PageRequestTests {
    @Test(
        "Path and query are told apart",
        arguments: [
            ("/", "/", [:]), ("/events?token=ab", "/events", ["token": "ab"]),
            ("/history?tag=BC%3A6A:29&seconds=180", "/history", ["tag": "BC:6A:29", "seconds": "180"]),
            ("/a?b", "/a", ["b": ""]), ("/a?b=1&b=2", "/a", ["b": "1"]), ("/a?b=c=d", "/a", ["b": "c=d"]),
            ("/?&&=", "/", ["": ""]), ("?", "", [:]), ("*", "*", [:]), ("", "", [:]),
        ] as [(String, String, [String: String])])
    func parts(_ uri: String, path: String, query: [String: String]) {
        let request = PageRequest(HTTPRequestHead(version: .http1_1, method: .GET, uri: uri))
        #expect(request.path == path)
        #expect(request.query == query)
    }

    @Test("The secret comes in a header or in the query; the header counts") func token() {
        func token(_ uri: String, _ headers: HTTPHeaders) -> String? {
            PageRequest(HTTPRequestHead(version: .http1_1, method: .GET, uri: uri, headers: headers)).token
        }
        #expect(token("/events?token=1", [:]) == "1")
        #expect(token("/command", ["x-token": "2"]) == "2")
        #expect(token("/command?token=1", ["X-Token": "2"]) == "2")
        #expect(token("/command", [:]) == nil)
    }

    @Test("A connection of HTTP/1.0 is not kept, because it cannot show where a response without a length ends")
    func oldVersion() {
        for (version, isKept) in [(HTTPVersion.http1_0, false), (.http1_1, true)] {
            let head = HTTPRequestHead(version: version, method: .GET, uri: "/", headers: ["Connection": "keep-alive"])
            #expect(PageRequest(head).isKeptAlive == isKept)
        }
    }

    @Test(
        "The limit of open files is the soft one",
        arguments: [
            (
                "Limit                     Soft Limit           Hard Limit           Units\n"
                    + "Max open files            256                  4096                 files\n", 256
            ),
            ("Max open files            unlimited            unlimited            files\n", .max),
            ("Max open files            \n", 1024), ("", 1024), ("Max open files x", 1024),
        ])
    func openFiles(_ text: String, limit: Int) {
        #expect(OpenFiles.limit(in: text) == limit)
    }
}
