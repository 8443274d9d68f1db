import GateJSON
import GateModel
import Synchronization
import Testing

/// What gatectl makes of answers that are not the server's: from a proxy in front of it, or from somewhere else.
struct GatectlProxyTests {
    /// A proxy's own page, from one that passed the request on and lost the answer.
    static let page =
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nConnection: close\r\n\r\nreset"

    /// The same as a document, which has a status as the server's own have, and no code.
    static let document =
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: 44\r\nConnection: close\r\n\r\n"
        + #"{"status":503,"error":"Service Unavailable"}"#

    /// A page of a proxy's own, which says nothing of what to do.
    @Test func aSizeThatAProxyRefusesIsSaidToBeTheProxys() async throws {
        let gatectl = try await Gatectl.withShop()
        let real = gatectl.server.admin
        let page = "HTTP/1.1 413 Request Entity Too Large\r\nContent-Type: text/html\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        let stub = try StubServer { request, _ in request.hasPrefix("POST /api/v1/changes") ? .bytes(page) : .forward(to: real) }
        let outcome = try await gatectl("alert", "shop", "ios", "-m", "Hello.", "-y", with: ["GATECTL_SERVER": stub.address])
        #expect(outcome.status == 8, "\(outcome)")
        #expect(outcome.err.contains("next: a proxy in front of the server refuses a request of this size"), "\(outcome)")
    }

    /// Once a proxy may have passed the write on, no later answer that says nothing of it makes that undone.
    @Test func aWriteThatAProxyMayHavePassedOnIsAnUnknownOutcome() async throws {
        let gatectl = try await Gatectl.withShop()
        let real = gatectl.server.admin
        let busy = StubServer.json("503 Service Unavailable", #"{"status":503,"code":"starting","detail":"Not yet."}"#)
        let commits = Mutex(0)
        let stub = try StubServer { request, _ in
            guard GatectlOutcomeTests.isCommit(request) else { return .forward(to: real) }
            let isFirst = commits.withLock { count in
                count += 1
                return count == 1
            }
            return isFirst ? .bytes(Self.page) : busy
        }
        let outcome = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y", "--json", with: ["GATECTL_SERVER": stub.address])
        #expect(outcome.status == 7, "\(outcome)")
        #expect(try outcome.errorJSON()["outcomeUnknown"] == .bool(true))
        #expect(
            Set(stub.requests.filter(GatectlOutcomeTests.isCommit).compactMap(GatectlOutcomeTests.key)).count == 1,
            "repeated under one key"
        )
    }

    /// A cache that leaves out the query answers with the first page for ever.
    @Test(arguments: [
        (["apps", "list"], "apps"), (["history"], "changes"), (["audit"], "audit"), (["schedule", "list"], "windows"),
        (["export"], "export"),
    ])
    func aListThatNeverEndsIsNotReadForEver(words: [String], name: String) async throws {
        let gatectl = try await Gatectl.withShop()
        let real = gatectl.server.admin
        let page = StubServer.json("200 OK", #"{"items":[],"apps":[],"next":"again"}"#)
        let stub = try StubServer { request, _ in request.hasPrefix("GET /api/v1/\(name)") ? page : .forward(to: real) }
        let outcome = try await gatectl(words, with: ["GATECTL_SERVER": stub.address])
        #expect(outcome.status == 1 && outcome.err.contains("the same part of the list again and again"), "\(outcome)")
    }

    /// Some show the request that they refuse, with all its headers.
    @Test func aTokenThatAProxyShowsIsNotShownOn() async throws {
        let gatectl = try await Gatectl.withShop()
        let token = gatectl.server.token
        let answers = [
            StubServer.json("500 Internal Server Error", #"{"status":500,"detail":"Bearer \#(token) was refused"}"#),
            StubServer.json("302 Found", "", headers: "Location: https://sign-in.invalid/?bearer=\(token)\r\n"),
        ]
        for answer in answers {
            let stub = try StubServer { _, _ in answer }
            let outcome = try await gatectl("apps", "list", "-v", with: ["GATECTL_SERVER": stub.address])
            #expect(outcome.status == 1 && !outcome.err.contains(token) && outcome.err.contains("gate_…"), "\(outcome)")
        }
    }

    /// The same colour as one of our own: where nothing is coloured, it is another's.
    @Test func whatAProxySaysColoursNothing() async throws {
        let gatectl = try await Gatectl.withShop()
        let stub = try StubServer { _, _ in StubServer.json("302 Found", "", headers: "Location: /\u{1B}[31m\r\n") }
        let outcome = try await gatectl("doctor", with: ["GATECTL_SERVER": stub.address])
        #expect(outcome.status == 1 && !(outcome.out + outcome.err).contains("\u{1B}"), "\(outcome)")
    }

    @Test func aRedirectionIsNotFollowed() async throws {
        let gatectl = try await Gatectl.withShop()
        let elsewhere = try StubServer { _, _ in .hangUp }
        let there = elsewhere.address
        let stub = try StubServer { _, _ in StubServer.json("307 Temporary Redirect", "{}", headers: "Location: \(there)/api/v1/status\r\n")
        }
        let outcome = try await gatectl("apps", "list", with: ["GATECTL_SERVER": stub.address])
        #expect(outcome.status == 1)
        #expect(outcome.err.contains("307"))
        #expect(elsewhere.requests.isEmpty, "the token would have gone with it")
    }

    /// A page to sign in at, for which some proxies say 200.
    private static let portal = StubServer.Answer.bytes(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>"
    )

    @Test(arguments: [["apps", "list"], ["api", "GET", "/apps"]]) func aProxysPageIsNotTakenForAnAnswer(arguments: [String]) async throws {
        let gatectl = try await Gatectl.withShop()
        let stub = try StubServer { _, _ in Self.portal }
        let outcome = try await gatectl(arguments, with: ["GATECTL_SERVER": stub.address])
        #expect(outcome.status == 1)
        #expect(outcome.out == "")
    }

    /// What was to be revoked or removed is still there, and is not said to be gone.
    @Test(arguments: [
        ["tokens", "revoke", "night", "-y"], ["users", "remove", "ann", "-y"], ["api", "DELETE", "/tokens/nobodys0"],
        ["api", "POST", "/tokens", "-f", "-"],
    ])
    func aProxysPageIsNoWordThatSomethingWasDone(arguments: [String]) async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("tokens", "add", "night").status == 0)
        #expect(try await gatectl("users", "add", "ann", "--role", "viewer").status == 0)
        let real = gatectl.server.admin
        let stub = try StubServer { request, _ in request.hasPrefix("GET ") ? .forward(to: real) : Self.portal }
        let outcome = try await gatectl(arguments, input: "{}", with: ["GATECTL_SERVER": stub.address])
        #expect(outcome.status == 7 && outcome.err.contains("may or may not have been made"), "\(outcome)")
        #expect(outcome.out == "")
    }
}
