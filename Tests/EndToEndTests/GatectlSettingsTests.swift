import Foundation
import GateJSON
import GateModel
import GateTesting
import Testing

/// Where the server and the token come from, and how they are kept.
struct GatectlSettingsTests {
    private static func signedIn() async throws -> Gatectl {
        var gatectl = try await Gatectl.withShop()
        gatectl.environment["GATECTL_TOKEN"] = nil
        gatectl.environment["GATECTL_SERVER"] = nil
        let outcome = try await gatectl(
            "auth",
            "login",
            "--with-token",
            "--server",
            gatectl.server.admin,
            input: gatectl.server.token + "\n"
        )
        try #require(outcome.status == 0, "\(outcome)")
        return gatectl
    }

    private static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func aTokenIsTakenFromStandardInputAndKeptReadableByItsOwnerAlone() async throws {
        let gatectl = try await Self.signedIn()
        let folder = gatectl.home.path + "/.config/gatectl"
        #expect(try Self.mode(folder + "/credentials.json") == 0o600)
        #expect(try Self.mode(folder) == 0o700)
        #expect(try await gatectl("status").status == 0)
        let status = try await gatectl("auth", "status", "--json").json()
        #expect(status["tokenFrom"]?.string == folder + "/credentials.json")
        #expect(status["serverFrom"]?.string?.hasPrefix("context development") == true)
        #expect(status["user.role"]?.string == "admin")
        #expect(try !String(contentsOfFile: folder + "/config.json", encoding: .utf8).contains(gatectl.server.token))
    }

    @Test func credentialsThatOthersCanReadAreRefused() async throws {
        let gatectl = try await Self.signedIn()
        let file = gatectl.home.path + "/.config/gatectl/credentials.json"
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        let outcome = try await gatectl("status")
        #expect(outcome.status == 4)
        #expect(outcome.err.contains("chmod 600"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        #expect(try await gatectl("status").status == 0)
    }

    @Test func aTokenThatDoesNotWorkIsNotStored() async throws {
        var gatectl = try await Gatectl.withShop()
        gatectl.environment["GATECTL_TOKEN"] = nil
        let outcome = try await gatectl("auth", "login", "--with-token", input: "gate_wrong\n")
        #expect(outcome.status == 4)
        #expect(!FileManager.default.fileExists(atPath: gatectl.home.path + "/.config/gatectl/credentials.json"))
    }

    @Test func aStoredTokenGoesOnlyToItsServer() async throws {
        let gatectl = try await Self.signedIn()
        let stub = try StubServer { _, _ in .hangUp }
        let outcome = try await gatectl("status", with: ["GATECTL_SERVER": stub.address])
        #expect(outcome.status == 4)
        #expect(stub.requests.isEmpty)
        #expect(try await gatectl("context", "add", "other", "--server", stub.address).status == 0)
        let withToken = ["GATECTL_SERVER": gatectl.server.admin, "GATECTL_TOKEN": gatectl.server.token]
        #expect(
            try await gatectl("status", "--context", "other", with: withToken).status == 4,
            "the environment's token belongs to its server"
        )
        #expect(stub.requests.isEmpty)
    }

    @Test func aDryRunOfALogoutForgetsAndRevokesNothing() async throws {
        let gatectl = try await Self.signedIn()
        let dry = try await gatectl("auth", "logout", "-n")
        #expect(dry.status == 0 && dry.out.contains("Dry run: nothing was written. Would forget the token"), "\(dry)")
        #expect(dry.out.contains("and revoke it there"), "\(dry)")
        #expect(try await gatectl("auth", "logout", "--keep", "-n").out.contains("it would stay valid"))
        let document = try await gatectl("auth", "logout", "-n", "--json").json()
        #expect(document["dryRun"] == .bool(true) && document["changed"] == .bool(true), "\(document)")
        #expect(try await gatectl("status").status == 0)
        #expect(try await gatectl("auth", "logout").status == 0)
        #expect(try await gatectl("auth", "logout", "-n").out.contains("Dry run: nothing would change"))
    }

    @Test func logoutForgetsTheTokenAndRevokesIt() async throws {
        let gatectl = try await Self.signedIn()
        #expect(try await gatectl("auth", "logout", "--json").json()["revoked"] == .bool(true))
        #expect(
            try await gatectl("status", with: ["GATECTL_SERVER": gatectl.server.admin, "GATECTL_TOKEN": gatectl.server.token]).status == 4
        )
        #expect(try await gatectl("status").status == 4)
        #expect(try await gatectl("auth", "logout", "--json").json()["changed"] == .bool(false))
    }

    @Test func optionBeatsEnvironmentBeatsProjectBeatsOwnFile() async throws {
        let gatectl = try await Self.signedIn()
        for name in ["one", "two", "three"] {
            #expect(try await gatectl("context", "add", name, "--server", gatectl.server.admin).status == 0)
        }
        func origin(_ arguments: String..., with more: [String: String] = [:]) async throws -> String? {
            try await gatectl(["auth", "status", "--json"] + arguments, with: more).json()["serverFrom"]?.string
        }
        #expect(try await origin()?.hasPrefix("context development (") == true)
        #expect(try await gatectl("context", "use", "one").status == 0)
        #expect(try await origin()?.hasPrefix("context one (") == true)
        _ = try gatectl.home.file(".gatectl.json", #"{"context":"two"}"#)
        #expect(try await origin()?.hasPrefix("context two (") == true)
        #expect(try await origin(with: ["GATECTL_CONTEXT": "three"]) == "context three (GATECTL_CONTEXT)")
        #expect(try await origin(with: ["GATECTL_SERVER": gatectl.server.admin, "GATECTL_CONTEXT": "three"]) == "GATECTL_SERVER")
        #expect(try await origin("--context", "one", with: ["GATECTL_CONTEXT": "three"]) == "context one (--context)")
    }

    /// Whoever has just said "use staging" believes that the next command goes there.
    @Test func aContextThatIsNotFollowedIsSaidNotToBe() async throws {
        let gatectl = try await Self.signedIn()
        let (here, there) = (gatectl.server.admin, "https://gate-staging.example.com")
        #expect(try await gatectl("context", "add", "staging", "--server", there).status == 0)
        #expect(try await !gatectl("context", "use", "staging").err.contains("all the same"))
        for (variables, origin) in [
            (["GATECTL_SERVER": here], "GATECTL_SERVER"), (["GATECTL_CONTEXT": "development"], "context development (GATECTL_CONTEXT)"),
        ] {
            let used = try await gatectl("context", "use", "staging", with: variables)
            #expect(used.err.contains("Commands typed here go to \(here) all the same: \(origin) takes precedence.\n"), "\(used)")
        }
        _ = try gatectl.home.file(".gatectl.json", #"{"context":"development"}"#)
        let used = try await gatectl("context", "use", "staging")
        #expect(used.err.contains("Commands typed here go to \(here) all the same: context development ("), "\(used)")
        let token = gatectl.server.token
        let login = try await gatectl(
            "auth",
            "login",
            "--with-token",
            "--server",
            here,
            input: token + "\n",
            with: ["GATECTL_SERVER": there, "GATECTL_TOKEN": "gate_of_another_server"]
        )
        #expect(login.status == 0 && login.err.contains("Commands typed here go to \(there) all the same: GATECTL_SERVER"), "\(login)")
        #expect(!login.err.contains("GATECTL_TOKEN"), "that one belongs to the other server")
    }

    @Test func aProjectFileThatNamesAServerIsRefused() async throws {
        let gatectl = try await Self.signedIn()
        _ = try gatectl.home.file(".gatectl.json", #"{"server":"https://evil.example"}"#)
        let outcome = try await gatectl("status")
        #expect(outcome.status == 1)
        #expect(outcome.err.contains(#"not "server""#))
    }

    @Test func aTokenFileIsRead() async throws {
        let gatectl = try await Gatectl.withShop()
        let file = try gatectl.home.file("token", gatectl.server.token + "\n")
        let status = try await gatectl("auth", "status", "--json", with: ["GATECTL_TOKEN": "", "GATECTL_TOKEN_FILE": file])
        #expect(try status.json()["tokenFrom"]?.string == "GATECTL_TOKEN_FILE")
    }

    @Test func theFolderOfTheSettingsCanBeMovedAndNeedNotExist() async throws {
        let gatectl = try await Self.signedIn()
        let outcome = try await gatectl("context", "list", "--json", with: ["GATECTL_CONFIG": gatectl.home.path + "/none"])
        #expect(outcome.status == 0)
        #expect(try outcome.json()["items"] == .array([]))
    }

    /// A script that adds its context at every start takes nothing away.
    @Test func aContextThatIsAddedAgainKeepsWhatIsNotNamed() async throws {
        let gatectl = try await Self.signedIn()
        let file = gatectl.home.path + "/.config/gatectl/config.json"
        let (server, first) = (gatectl.server.admin, try gatectl.home.file("first.pem", ""))
        let second = try gatectl.home.file("second.pem", "")
        func add(_ options: String...) async throws -> JSONValue? {
            let outcome = try await gatectl(["context", "add", "development", "--server", server] + options)
            #expect(outcome.status == 0, "\(outcome)")
            return try JSONReader.read(String(contentsOfFile: file, encoding: .utf8))["contexts.development"]
        }
        let known = try #require(try await add("--ca", first))
        #expect(known["ca"]?.string?.hasSuffix("/first.pem") == true && known["label"] == .string("development"), "\(known)")
        #expect(known["protected"] == .bool(false) && known["colour"] != nil, "\(known)")
        #expect(try await add() == known)
        #expect(try await add("--ca", second)?["ca"]?.string?.hasSuffix("/second.pem") == true)
        #expect(try await gatectl("context", "add", "development", "--server", "https://other.example").status == 8)
    }

    @Test func contextsAreListedUsedAndRemoved() async throws {
        let gatectl = try await Self.signedIn()
        #expect(try await gatectl("context", "add", "staging", "--server", "https://gate-staging.example.com/").status == 0)
        #expect(try await gatectl("context", "use", "stagin").err.contains("Did you mean staging?"))
        #expect(try await gatectl("context", "use", "staging").status == 0)
        let list = try await gatectl("context", "list", "--json").json()
        #expect(
            list["items.1"] == ["name": .string("staging"), "server": .string("https://gate-staging.example.com"), "current": .bool(true)]
        )
        // Which of them is production is seen before anything is asked.
        #expect(list["items.0.label"] == .string("development") && list["items.0.protected"] == .bool(false))
        #expect(list["items.0.colour"]?.string?.isEmpty == false)
        #expect(try await gatectl("context", "list").out.contains("ENVIRONMENT"))
        // The wide format cuts nothing, however narrow the terminal is.
        let wide = try gatectl.onTerminal(["context", "list", "-o", "wide"], columns: 40)
        #expect(try wide.finish() == 0)
        #expect(wide.transcript.contains("https://gate-staging.example.com"), "\(wide.transcript)")
        #expect(try await gatectl("context", "remove", "development").status == 0)
        let credentials = try String(contentsOfFile: gatectl.home.path + "/.config/gatectl/credentials.json", encoding: .utf8)
        #expect(!credentials.contains(gatectl.server.token), "the token goes with the context")
    }

    /// Only what looks takes the project's app, and says so: a block must never reach an app that nobody typed.
    @Test func theAppOfAProjectIsTheOneThatIsShown() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("apps", "add", "bank", "--name", "Bank", "--platforms", "ios").status == 0)
        _ = try gatectl.home.file(".gatectl.json", #"{"app":"bank"}"#)
        let status = try await gatectl("status")
        #expect(status.out.contains("bank/ios") && !status.out.contains("shop/ios"), "\(status)")
        #expect(status.err.contains("Only bank, the app of ") && status.err.contains("/.gatectl.json"), "\(status)")
        for (words, apps) in [
            (["status"], ["bank/ios"]), (["status", "all"], ["bank/ios", "shop/android", "shop/ios"]),
            (["status", "shop", "ios"], ["shop/ios"]),
        ] {
            let rows = try await gatectl(words + ["-o", "plain"])
            #expect(apps.allSatisfy(rows.out.contains) && rows.out.split(separator: "\n").count == apps.count, "\(words) \(rows)")
        }
        func changes(_ words: String...) async throws -> Int {
            try #require(try await gatectl(["history"] + words + ["--json"]).json()["items"]?.array).count
        }
        let (own, all) = (try await changes(), try await changes("all"))
        #expect(own > 0 && own < all)
        #expect(try await changes("bank") == own)
        #expect(try await gatectl("kill", "ios", "-m", "Back.", "-y").status == 64)
        _ = try gatectl.home.file(".gatectl.json", #"{"app":"bnak"}"#)
        let mistyped = try await gatectl("status")
        #expect(mistyped.status == 6 && mistyped.err.contains("Did you mean bank?"), "\(mistyped)")
    }
}
