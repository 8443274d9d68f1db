import GateJSON
import GateModel
import Testing

@Suite struct AppTests {
    @Test func documentShowsPlatformsByName() throws {
        let key = try #require(AppKey("shop"))
        func target(_ platform: PlatformKey) -> Target {
            Target(
                key: TargetKey(app: key, platform: platform),
                settings: .standard(for: platform),
                gate: .open,
                revision: 1,
                sequence: 1,
                since: Timestamp(milliseconds: 0),
                changedAt: Timestamp(milliseconds: 0)
            )
        }
        let app = App(
            key: key,
            name: "Shop",
            aliases: [Alias(path: "/config.json", feed: .launchgate, platform: nil)],
            platforms: [.ios: target(.ios), .android: target(.android)]
        )
        let document =
            #"{"key":"shop","name":"Shop","aliases":[{"path":"/config.json","feed":"launchgate.json"}],"platforms":{"#
            + #""android":{"versionScheme":"code","storeURL":null,"releases":[],"defaultRetryInterval":15,"clients":null},"#
            + #""ios":{"versionScheme":"dotted","storeURL":null,"releases":[],"defaultRetryInterval":15,"clients":null}}}"#
        #expect(app.json.text == document)
    }

    @Test func nameIsOneCleanLine() throws {
        #expect(try App.name(validating: " Shop ", field: "/name") == "Shop")
        for name in ["", "a\nb", "a\u{202E}b", String(repeating: "a", count: 101)] {
            #expect { try App.name(validating: name, field: "/name") } throws: { error in
                let error = error as? ModelError
                return error?.code == "invalid_name" && error?.field == "/name"
            }
        }
    }
}
