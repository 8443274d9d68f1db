import Foundation
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Testing

/// The whole way of the issue, with the commands as they are written there.
struct GatectlTests {
    @Test func anOperatorTakesAFileOverKillsAndOpens() async throws {
        let server = try await Server.start()
        let gatectl = try Gatectl(server)
        let file = try gatectl.home.file("config.json", #"{"ios":{"requiredUpdate":{"minimumVersion":"1.1","message":"Please update."}}}"#)

        #expect(try await gatectl("apps", "add", "shop", "--name", "Shop", "--platforms", "ios,android").status == 0)
        #expect(try await gatectl("import", "shop", "-f", file, "-y", "-r", "takeover").status == 0)
        let imported = try await server.feedText("/feeds/shop/launchgate.json")
        #expect(imported == #"{"ios":{"requiredUpdate":{"minimumVersion":"1.1","message":"Please update."}},"android":{}}"#)
        let prince = try await server.feedText("/feeds/shop/prince-of-versions.json")
        let bellerophon = try await server.feedText("/feeds/shop/ios/bellerophon.json")

        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back at 09:30.", "-r", "test", "-y").status == 0)
        #expect(
            try await server.feedText("/feeds/shop/launchgate.json")
                == #"{"ios":{"alert":{"message":"Back at 09:30.","blocking":true}},"android":{}}"#
        )
        #expect(
            try await server.feedText("/feeds/shop/ios/bellerophon.json")
                == #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"Back at 09:30."}"#
        )
        #expect(try await server.feedText("/feeds/shop/prince-of-versions.json") == prince)

        #expect(try await gatectl("open", "shop", "ios", "-r", "test", "-y").status == 0)
        #expect(try await server.feedText("/feeds/shop/launchgate.json") == imported)
        #expect(try await server.feedText("/feeds/shop/ios/bellerophon.json") == bellerophon)

        let history = try await gatectl("history", "shop", "ios", "--json").json()
        #expect(history["items"]?.array?.compactMap { $0["kind"]?.string } == ["set", "set", "import", "create"])
        #expect(history["items"]?.array?.compactMap { $0["source"]?.string } == Array(repeating: "gatectl", count: 4))
        #expect(history["items.0.reason"]?.string == "test")
    }

    @Test func anAliasServesTheSameBytesBeforeAndAfterAKill() async throws {
        let server = try await Server.start()
        let gatectl = try Gatectl(server)
        _ = try await gatectl("apps", "add", "shop", "--name", "Shop", "--platforms", "ios,android")
        #expect(try await gatectl("apps", "set", "shop", "--alias", "/config.json=launchgate").status == 0)
        let before = try await server.feed("/config.json")
        #expect(before.status == 200)
        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y").status == 0)
        #expect(try await server.feedText("/config.json") == server.feedText("/feeds/shop/launchgate.json"))
        #expect(try await server.feed("/config.json").body != before.body)
        #expect(try await gatectl("open", "shop", "ios", "-y").status == 0)
        #expect(try await server.feed("/config.json").body == before.body)
    }
}
