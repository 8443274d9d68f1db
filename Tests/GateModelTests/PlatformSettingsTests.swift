import GateJSON
import GateModel
import Testing

@Suite struct PlatformSettingsTests {
    private func apply(_ json: String, to settings: PlatformSettings = .standard(for: .ios)) throws -> PlatformSettings {
        var settings = settings
        try settings.apply(json: JSONReader.read(json))
        return settings
    }

    @Test func schemeOfAndroidIsCodeAndOfOthersDotted() throws {
        #expect(PlatformSettings.standard(for: .android).versionScheme == .code)
        #expect(PlatformSettings.standard(for: .ios).versionScheme == .dotted)
        #expect(PlatformSettings.standard(for: try #require(PlatformKey("huawei"))).versionScheme == .dotted)
        #expect(
            PlatformSettings.standard(for: .ios).json.text
                == #"{"versionScheme":"dotted","storeURL":null,"releases":[],"defaultRetryInterval":15,"clients":null}"#
        )
    }

    @Test func whatIsNotNamedStays() throws {
        var settings = try apply(#"{"releases":["1.9","1.10"],"storeURL":"https://apps.apple.com/app/id1"}"#)
        settings = try apply(#"{"defaultRetryInterval":3600}"#, to: settings)
        #expect(
            settings.json.text
                == #"{"versionScheme":"dotted","storeURL":"https://apps.apple.com/app/id1","releases":["1.9","1.10"],"defaultRetryInterval":3600,"clients":null}"#
        )
        #expect(settings.newestRelease == "1.10")
        #expect(try apply(#"{"storeURL":null}"#, to: settings).storeURL == nil)
    }

    @Test func releasesAreKeptOnceAndReadUnderTheSchemeOfTheSameWrite() throws {
        #expect(try apply(#"{"releases":["1.0","1.0"]}"#).releases == ["1.0"])
        #expect(try apply(#"{"releases":["41"],"versionScheme":"code"}"#).releases == ["41"])
    }

    @Test(arguments: [
        ("[]", "malformed", ""), (#"{"colour":1}"#, "malformed", "/colour"), (#"{"versionScheme":1}"#, "malformed", "/versionScheme"),
        (#"{"versionScheme":"semver"}"#, "invalid_version_scheme", "/versionScheme"), (#"{"storeURL":1}"#, "malformed", "/storeURL"),
        (#"{"storeURL":""}"#, "invalid_store_url", "/storeURL"), (#"{"storeURL":"http://a.b"}"#, "invalid_store_url", "/storeURL"),
        (#"{"storeURL":"https://u@a.b"}"#, "invalid_store_url", "/storeURL"),
        (#"{"storeURL":"https://u:p@a.b"}"#, "invalid_store_url", "/storeURL"),
        (#"{"storeURL":"https://"}"#, "invalid_store_url", "/storeURL"),
        (#"{"storeURL":"javascript:alert(1)"}"#, "invalid_store_url", "/storeURL"),
        (#"{"storeURL":"https://a.b/\n"}"#, "invalid_store_url", "/storeURL"),
        (#"{"storeURL":"https://a.b/é"}"#, "invalid_store_url", "/storeURL"),
        (#"{"releases":"1.0"}"#, "malformed", "/releases"), (#"{"releases":[1]}"#, "malformed", "/releases/0"),
        (#"{"releases":["1.0","v1"]}"#, "invalid_version", "/releases/1"),
        (#"{"releases":["1.0"],"versionScheme":"code"}"#, "invalid_version", "/releases/0"),
        (#"{"defaultRetryInterval":0}"#, "invalid_retry_interval", "/defaultRetryInterval"),
        (#"{"defaultRetryInterval":4}"#, "invalid_retry_interval", "/defaultRetryInterval"),
        (#"{"defaultRetryInterval":3601}"#, "invalid_retry_interval", "/defaultRetryInterval"),
        (#"{"defaultRetryInterval":null}"#, "malformed", "/defaultRetryInterval"),
        (#"{"defaultRetryInterval":"15"}"#, "malformed", "/defaultRetryInterval"),
    ])
    func otherSettingsAreRefusedByField(json: String, code: String, field: String) {
        #expect { try apply(json) } throws: { error in
            let error = error as? ModelError
            return error?.code == code && error?.field == field
        }
    }

    @Test(arguments: ["null", #""15""#, "0", "7.5"])
    func aRefusedIntervalIsNamedAsItIsInTheDocument(json: String) throws {
        let settings = try #require(throws: ModelError.self) { try apply(#"{"defaultRetryInterval":\#(json)}"#) }
        #expect(settings.detail.hasPrefix("defaultRetryInterval is a whole number of seconds"))
        guard json != "null" else { return }
        let rule = try JSONReader.read(#"{"killSwitch":{"message":"a","retryInterval":\#(json)}}"#)
        let refused = try #require(throws: ModelError.self) { try Gate(json: rule, settings: .standard(for: .ios)) }
        #expect(refused.detail.hasPrefix("retryInterval is a whole number of seconds"))
    }

    @Test func refusedSettingsChangeNothing() throws {
        var settings = PlatformSettings.standard(for: .ios)
        #expect(throws: ModelError.self) { try settings.apply(json: JSONReader.read(#"{"defaultRetryInterval":30,"releases":["x"]}"#)) }
        #expect(settings == .standard(for: .ios))
    }

    @Test func theLibrariesOfAnAppAreNamedOnceAndInOneOrder() throws {
        #expect(try apply(#"{"clients":null}"#).clients == nil)
        #expect(try apply(#"{"clients":["gatekit","launchgate","gatekit"]}"#).clients == [.launchgate, .gatekit])
        let all = ClientLibrary.allCases.map { #""\#($0.rawValue)""# }.joined(separator: ",")
        #expect(try apply(#"{"clients":[\#(all)]}"#).clients == ClientLibrary.allCases)
        #expect(
            ClientLibrary.allCases.map(\.rawValue) == [
                "bellerophon", "launchgate", "gandalf", "prince-of-versions", "gatekit", "openfeature",
            ]
        )
    }

    @Test(arguments: [
        (#"{"clients":[]}"#, "invalid_client", "/clients"), (#"{"clients":["sparkle"]}"#, "invalid_client", "/clients/0"),
        (#"{"clients":["launchgate",1]}"#, "malformed", "/clients/1"), (#"{"clients":"launchgate"}"#, "malformed", "/clients"),
        (#"{"clients":["a","a","a","a","a","a","a"]}"#, "invalid_client", "/clients"),
    ])
    func librariesThatThereAreNotAreRefused(_ text: String, _ code: String, _ field: String) throws {
        let error = try #require(throws: ModelError.self) { try apply(text) }
        #expect((error.code, error.field) == (code, field))
    }
}
