import GateJSON
import GateModel
import Testing

@Suite struct AliasTests {
    private func read(_ json: String) throws -> Alias { try Alias(json: JSONReader.read(json)) }

    @Test(arguments: [
        #"{"path":"/config.json","feed":"launchgate.json"}"#, #"{"path":"/a/b-c_d.e~f/","feed":"prince-of-versions.json"}"#,
        #"{"path":"/v1/status","feed":"bellerophon.json","platform":"ios"}"#, #"{"path":"/x","feed":"combined.json","platform":"android"}"#,
        #"{"path":"/feedsx","feed":"launchgate.json"}"#,
    ])
    func aliasComesBack(json: String) throws {
        #expect(try read(json).json.text == json)
    }

    @Test(arguments: [
        (#"[]"#, "malformed", ""), (#"{"feed":"launchgate.json"}"#, "malformed", "/path"), (#"{"path":"/a"}"#, "malformed", "/feed"),
        (#"{"path":1,"feed":"launchgate.json"}"#, "malformed", "/path"),
        (#"{"path":"/a","feed":"launchgate.json","x":1}"#, "malformed", "/x"),
        (#"{"path":"/a","feed":"launchgate"}"#, "invalid_alias", "/feed"),
        (#"{"path":"/a","feed":"bellerophon.json"}"#, "invalid_alias", "/platform"),
        (#"{"path":"/a","feed":"launchgate.json","platform":"ios"}"#, "invalid_alias", "/platform"),
        (#"{"path":"/a","feed":"gate.json","platform":"IOS"}"#, "invalid_platform_key", "/platform"),
        (#"{"path":"/a","feed":"gate.json","platform":1}"#, "malformed", "/platform"),
        (#"{"path":"","feed":"launchgate.json"}"#, "invalid_alias", "/path"),
        (#"{"path":"/","feed":"launchgate.json"}"#, "invalid_alias", "/path"),
        (#"{"path":"a","feed":"launchgate.json"}"#, "invalid_alias", "/path"),
        (#"{"path":"/a?b","feed":"launchgate.json"}"#, "invalid_alias", "/path"),
        (#"{"path":"/a#b","feed":"launchgate.json"}"#, "invalid_alias", "/path"),
        (#"{"path":"/a%20b","feed":"launchgate.json"}"#, "invalid_alias", "/path"),
        (#"{"path":"/a b","feed":"launchgate.json"}"#, "invalid_alias", "/path"),
        (#"{"path":"/é","feed":"launchgate.json"}"#, "invalid_alias", "/path"),
        (#"{"path":"//a","feed":"launchgate.json"}"#, "invalid_alias", "/path"),
        (#"{"path":"/a//b","feed":"launchgate.json"}"#, "invalid_alias", "/path"),
        (#"{"path":"/a/../b","feed":"launchgate.json"}"#, "invalid_alias", "/path"),
        (#"{"path":"/./a","feed":"launchgate.json"}"#, "invalid_alias", "/path"),
        (#"{"path":"/feeds/x","feed":"launchgate.json"}"#, "invalid_alias", "/path"),
        (#"{"path":"/api","feed":"launchgate.json"}"#, "invalid_alias", "/path"),
        (#"{"path":"/healthz/live","feed":"launchgate.json"}"#, "invalid_alias", "/path"),
        (#"{"path":"/ofrep/v1","feed":"launchgate.json"}"#, "invalid_alias", "/path"),
        (#"{"path":"/metrics","feed":"launchgate.json"}"#, "invalid_alias", "/path"),
        (#"{"path":"/rehearsals","feed":"launchgate.json"}"#, "invalid_alias", "/path"),
        (#"{"path":"/rehearsals/a/feeds/shop/launchgate.json","feed":"launchgate.json"}"#, "invalid_alias", "/path"),
    ])
    func otherAliasesAreRefusedByField(json: String, code: String, field: String) {
        #expect { try read(json) } throws: { error in
            let error = error as? ModelError
            return error?.code == code && error?.field == field
        }
    }
}
