import BlueZDBus
import Testing

@Suite struct NameTests {
    @Test(
        "A path contains another by components",
        arguments: [
            ("/", "/", true), ("/", "/org", true), ("/org", "/", false), ("/org/bluez", "/org/bluez", true),
            ("/org/bluez/hci1", "/org/bluez/hci1/dev_1", true), ("/org/bluez/hci1", "/org/bluez/hci10", false),
            ("/org/bluez/hci1", "/org/bluez/hci10/dev_1", false), ("/org/bluez/hci10", "/org/bluez/hci1", false),
        ]
    )
    func contains(_ above: String, _ below: String, _ expected: Bool) throws {
        #expect(try ObjectPath(above).contains(ObjectPath(below)) == expected)
    }

    @Test(
        "A path has a parent, a last component and components",
        arguments: [
            ("/", nil, "", []), ("/a", "/", "a", ["a"]),
            ("/org/bluez/hci0", "/org/bluez", "hci0", ["org", "bluez", "hci0"]),
        ] as [(String, String?, String, [String])]
    )
    func parts(_ text: String, _ parent: String?, _ last: String, _ components: [String]) throws {
        let path = try ObjectPath(text)
        #expect(path.parent?.string == parent)
        #expect(path.lastComponent == last)
        #expect(path.components.map(String.init) == components)
    }

    @Test(
        "What is not a path is an error",
        arguments: ["", "a", "/a/", "//", "/a//b", "/a-b", "/ä", "/a\u{0}", "/a b", "\u{0}/a"]
    )
    func wrongPath(_ text: String) {
        #expect(throws: DBusError.self) { try ObjectPath(text) }
    }

    @Test("A component is appended if it is valid")
    func appending() throws {
        #expect(try ObjectPath.root.appending("org").string == "/org")
        #expect(try ObjectPath("/org").appending("bluez_1").string == "/org/bluez_1")
        for component in ["", "-", "a/", "/", "a b", "\u{0}"] {
            #expect(throws: DBusError.self) { try ObjectPath("/org").appending(component) }
        }
    }

    @Test("A match rule says its parts, with apostrophes quoted")
    func matchRule() throws {
        let rule = MatchRule(
            sender: "org.bluez", interface: "a.b", member: "C", path: try ObjectPath("/x"), pathNamespace: .root,
            argument0: "it's '"
        )
        #expect(
            rule.description
                == #"type='signal',sender='org.bluez',interface='a.b',member='C',path='/x',path_namespace='/',"#
                + #"arg0='it'\''s '\'''"#
        )
        #expect(MatchRule().description == "type='signal'")
        #expect(MatchRule(member: "A") == MatchRule(member: "A"))
        #expect(MatchRule(member: "A") != MatchRule(interface: "A"))
        #expect(Set([MatchRule(member: "A"), MatchRule(member: "A"), MatchRule(member: "B")]).count == 2)
    }

    @Test("An error says its name and text")
    func errors() {
        #expect(DBusError(name: "a.B", message: "text").description == "a.B: text")
        #expect(DBusError(name: "a.B", message: "").description == "a.B")
        #expect(DBusError.disconnected().isLocal)
    }
}
