import Foundation
import GateAdminClient
import GateJSON
import GateTesting
import Testing

@testable import gatectl

/// Where the server and the token come from, and how they are kept.
struct SettingsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.file(
            "config/config.json",
            #"{"current":"own","contexts":{"own":{"server":"https://own.example"},"project":{"server":"https://project.example"},"variable":{"server":"https://variable.example"},"option":{"server":"https://option.example"}}}"#
        )
    }

    private func resolve(
        _ variables: [String: String] = [:],
        context: String? = nil,
        server: String? = nil,
        timeout: Span? = nil,
        in place: String? = nil
    ) throws -> Settings {
        try Settings.resolve(
            context: context,
            timeout: timeout,
            server: server,
            environment: ["GATECTL_CONFIG": folder.path + "/config"].merging(variables) { $1 },
            workingDirectory: place ?? folder.path
        )
    }

    @Test func optionBeatsEnvironmentBeatsProjectBeatsOwnFile() throws {
        let own = try resolve()
        #expect((own.server.text, own.serverOrigin) == ("https://own.example", "context own (\(folder.path)/config/config.json)"))
        let file = try folder.file(".gatectl.json", #"{"context":"project","app":"shop"}"#)
        try folder.file("a/b/.keep", "")
        #expect(try resolve(in: folder.path + "/a/b").serverOrigin == "context project (\(file))", "the nearest file above counts")
        #expect(try resolve(["GATECTL_CONTEXT": "variable"]).serverOrigin == "context variable (GATECTL_CONTEXT)")
        let address = try resolve(["GATECTL_SERVER": "https://address.example/", "GATECTL_CONTEXT": "variable"])
        #expect((address.server.text, address.serverOrigin, address.context) == ("https://address.example", "GATECTL_SERVER", nil))
        let option = try resolve(["GATECTL_SERVER": "https://address.example", "GATECTL_CONTEXT": "variable"], context: "option")
        #expect((option.serverOrigin, option.context) == ("context option (--context)", "option"))
        #expect(
            try resolve(["GATECTL_SERVER": "https://address.example"], context: "option", server: "https://last.example").serverOrigin
                == "--server"
        )
        #expect(
            try resolve(["GATECTL_SERVER": "", "GATECTL_CONTEXT": ""]).serverOrigin == "context project (\(file))",
            "an empty variable is none"
        )
    }

    @Test func aContextOfTheEnvironmentThatAnAddressOutweighsIsTold() throws {
        let address = "https://address.example"
        let told = try resolve(["GATECTL_SERVER": address, "GATECTL_CONTEXT": "variable"]).unused
        #expect(told == "GATECTL_CONTEXT=variable is not followed: GATECTL_SERVER says \(address). Unset one, or say --context.")
        #expect(
            try resolve(["GATECTL_SERVER": address, "GATECTL_CONTEXT": "mistyped"]).unused?.hasPrefix("GATECTL_CONTEXT=mistyped") == true
        )
        #expect(
            try resolve(["GATECTL_SERVER": "https://variable.example", "GATECTL_CONTEXT": "variable"]).unused == nil,
            "the same server"
        )
        #expect(try resolve(["GATECTL_SERVER": address, "GATECTL_CONTEXT": "variable"], context: "option").unused == nil)
        #expect(try resolve(["GATECTL_CONTEXT": "variable"]).unused == nil)
        #expect(try resolve(["GATECTL_SERVER": address]).unused == nil)
    }

    @Test func theTimeoutIsTheOptionsElseTheVariablesElseTenSeconds() throws {
        #expect(try resolve().timeout == .seconds(10))
        #expect(try resolve(["GATECTL_TIMEOUT": "3s"]).timeout == .seconds(3))
        #expect(try resolve(["GATECTL_TIMEOUT": "3s"], timeout: Span(argument: "1m")).timeout == .seconds(60))
        #expect(throws: Failure.self) { try resolve(["GATECTL_TIMEOUT": "3"]) }
    }

    @Test func theAuthoritiesToTrustAreThoseOfSSL_CERT_FILE() throws {
        #expect(try resolve().caFile == nil)
        #expect(try resolve(["SSL_CERT_FILE": "/etc/own.pem"]).caFile == "/etc/own.pem")
        let contexts = [("a", "a", "/a.pem"), ("b", "b", "/b.pem"), ("c", "b", "/c.pem")].map { name, host, file in
            #""\#(name)":{"server":"https://\#(host).example","ca":"\#(file)"}"#
        }
        try folder.file("config/config.json", "{\"contexts\":{\(contexts.joined(separator: ","))}}")
        #expect(try resolve(["SSL_CERT_FILE": "/etc/own.pem"], server: "https://a.example").caFile == "/a.pem")
        #expect(try resolve(["GATECTL_CA_FILE": "/own.pem"], server: "https://a.example").caFile == "/own.pem")
        #expect(try resolve(server: "https://b.example").caFile == nil, "its two contexts differ")
    }

    /// A token goes to the server it is for.
    @Test func aTokenBelongsToItsServer() throws {
        let stored = Credentials(SettingsFolder(environment: ["GATECTL_CONFIG": folder.path + "/config"]))
        try stored.store(BearerToken("gate_stored"), for: try #require(ServerAddress("https://own.example")))
        #expect(try resolve().token?.textForSafekeeping == "gate_stored")
        #expect(try resolve().tokenOrigin == folder.path + "/config/credentials.json")
        #expect(try resolve(context: "option").token == nil)
        let variables = ["GATECTL_SERVER": "https://address.example", "GATECTL_TOKEN": "gate_variable"]
        #expect(try resolve(variables).token?.textForSafekeeping == "gate_variable")
        #expect(try resolve(variables, context: "option").token == nil, "the environment's token belongs to the environment's server")
        #expect(try resolve(variables, context: "own").token?.textForSafekeeping == "gate_stored")
        let file = try folder.file("token", "gate_file\n")
        let read = try resolve(["GATECTL_TOKEN": "", "GATECTL_TOKEN_FILE": file])
        #expect((read.token?.textForSafekeeping, read.tokenOrigin) == ("gate_file", "GATECTL_TOKEN_FILE"))
        try stored.store(nil, for: try #require(ServerAddress("https://own.example")))
        #expect(try resolve().token == nil)
    }

    @Test(arguments: [
        ("GATECTL_SERVER", "gate.example.com", Exit.usage, "usage"), ("GATECTL_TOKEN", "two words", .usage, "usage"),
        ("GATECTL_TOKEN_FILE", "/no/such/file", .notAllowed, "no_token"),
        ("GATECTL_CONTEXT", "optoin", .notFound, "unknown_context"), ("GATECTL_CONFIG", "/no/such/folder", .notAllowed, "no_server"),
    ])
    func whatCannotBeUsedIsNamed(variable: String, value: String, exit: Exit, code: String) throws {
        let failure = #expect(throws: Failure.self) { try resolve([variable: value]) }
        #expect((failure?.exit, failure?.code) == (exit, code))
    }

    @Test func aContextThatIsMistypedIsAnsweredWithTheNearest() throws {
        let failure = #expect(throws: Failure.self) { try resolve(context: "optoin") }
        #expect(failure?.message == "there is no context optoin. Did you mean option?")
    }

    /// Whoever can change a project must not be able to redirect the commands of those who work in it.
    @Test(arguments: [
        #"{"server":"https://evil.example"}"#, #"{"context":"own","token":"gate_x"}"#, "[]", "", "{", #"{"context":5}"#,
        #"{"context":null}"#, #"{"context":"own","app":5}"#, #"{"context":"own","app":"Shop!"}"#,
    ])
    func aProjectFileThatSaysMoreThanANameIsRefused(text: String) throws {
        try folder.file(".gatectl.json", text)
        let failure = #expect(throws: Failure.self) { try resolve() }
        #expect((failure?.exit, failure?.code) == (.other, "unreadable_settings"))
    }

    /// Passed over, it would send the commands of whoever works in that project to their own context.
    @Test func aProjectFileThatCannotBeReadIsNamed() throws {
        try folder.file("below/.keep", "")
        try folder.file(".gatectl.json/.keep", "")
        for place in [folder.path, folder.path + "/below"] {
            let failure = #expect(throws: Failure.self) { try resolve(in: place) }
            #expect((failure?.exit, failure?.code) == (.other, "unreadable_settings"))
            #expect(failure?.message.hasPrefix(folder.path + "/.gatectl.json cannot be read") == true, "\(String(describing: failure))")
        }
        #expect(try resolve(context: "option").context == "option", "whoever names a context needs no project")
        try FileManager.default.removeItem(atPath: folder.path + "/.gatectl.json")
        try folder.file(".gatectl.json", #"{"context":"project"}"#, mode: 0o000)
        // Root reads everything.
        if geteuid() == 0 {
            #expect(try resolve().context == "project")
        } else {
            #expect(throws: Failure.self) { try resolve() }
        }
    }

    @Test func credentialsThatOthersCanReadAreRefused() throws {
        for mode in [0o644, 0o640, 0o604, 0o666] {
            try folder.file("config/credentials.json", #"{"tokens":{"https://own.example":"gate_a"}}"#, mode: mode)
            let failure = #expect(throws: Failure.self) { try resolve() }
            #expect((failure?.exit, failure?.code) == (.notAllowed, "credentials_readable"))
        }
        try folder.file("config/credentials.json", #"{"tokens":{"https://own.example":"gate_a"}}"#, mode: 0o600)
        #expect(try resolve().token != nil)
    }

    @Test func whatIsWrittenIsReadableByItsOwnerAlone() throws {
        let environment = ["XDG_CONFIG_HOME": folder.path + "/x/y"]
        try Credentials(SettingsFolder(environment: environment)).store(
            BearerToken("gate_a"),
            for: try #require(ServerAddress("https://own.example"))
        )
        #expect(FileSystem.mode(folder.path + "/x/y/gatectl") == 0o700)
        #expect(FileSystem.mode(folder.path + "/x/y/gatectl/credentials.json") == 0o600)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path + "/x/y/gatectl") == ["credentials.json"],
            "nothing is left beside it"
        )
    }

    @Test func contextsAreKeptWithWhatIsNotUnderstood() throws {
        try folder.file(
            "config/config.json",
            #"{"current":"own","contexts":{"own":{"server":"https://own.example","label":"Own","protected":true}},"later":1}"#
        )
        let place = SettingsFolder(environment: ["GATECTL_CONFIG": folder.path + "/config"])
        var contexts = try Contexts(place)
        contexts.set(.init(name: "next", server: try #require(ServerAddress("https://next.example"))))
        contexts.use("next")
        try contexts.save()
        let document = try #require(try place.read("config.json"))
        #expect(document["later"]?.integer == 1)
        #expect(document["current"]?.string == "next")
        #expect(try Contexts(place)["own"]?.label == "Own")
        #expect(try Contexts(place)["own"]?.isProtected == true)
        contexts.remove("next")
        try contexts.save()
        #expect(try Contexts(place).current == nil)
        #expect(try Contexts(place).all.map(\.name) == ["own"])
    }

    @Test(arguments: ["{", "[]", #"{"contexts":{"own":{"server":"nowhere"}}}"#, #"{"contexts":{"own":{}}}"#])
    func aDamagedFileOfContextsIsNamed(text: String) throws {
        try folder.file("config/config.json", text)
        let failure = #expect(throws: Failure.self) { try resolve() }
        #expect(failure?.code == "unreadable_settings")
        #expect(failure?.message.contains("config.json") == true)
        #expect(throws: Failure.self) { try resolve(["GATECTL_SERVER": "https://address.example"], context: "own") }
        // Whoever names the server needs no file of names, and hears of it.
        for settings in [try resolve(["GATECTL_SERVER": "https://address.example"]), try resolve(server: "https://address.example")] {
            #expect(settings.server.text == "https://address.example")
            #expect(settings.unused?.hasPrefix("Contexts are not followed: ") == true && settings.unused?.contains("config.json") == true)
        }
    }

    @Test(
        arguments: [
            ("gatectl kill --context st x", "st"), ("gatectl kill x --context=st", "st"), ("gatectl kill --context = st x", "st"),
            ("gatectl --context one kill --context two", "two"), ("gatectl kill x", nil), ("gatectl kill --context", nil),
            ("gatectl schedule add x ios -- kill --context st", nil),
        ] as [(String, String?)]
    )
    func completionKnowsTheContextOfTheCommandLine(typed: String, context: String?) {
        #expect(LiveNames.context(in: typed.split(separator: " ").map(String.init)) == context)
    }
}
