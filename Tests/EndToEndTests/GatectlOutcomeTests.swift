import Foundation
import GateJSON
import GateModel
import Synchronization
import Testing

/// What gatectl says and does when answers are late, lost or not what they should be.
struct GatectlOutcomeTests {
    /// The commit of a change, and not the question that goes before it.
    static func isCommit(_ request: String) -> Bool {
        request.hasPrefix("POST /api/v1/changes") && !request.contains(#""dryRun":true"#)
    }

    static func key(_ request: String) -> Substring? {
        request.split(separator: "\r\n").first { $0.lowercased().hasPrefix("idempotency-key:") }
    }

    @Test func noServerExitsWith7AndSaysThatNothingWasReached() async throws {
        let gatectl = try await Gatectl.withShop()
        await gatectl.server.stop()
        let outcome = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y")
        #expect(outcome.status == 7)
        #expect(outcome.err.contains("error: no connection to \(gatectl.server.admin): nothing listens there\n"))
        #expect(!outcome.err.contains("may or may not"))
        #expect(try await gatectl("status", "--json").errorJSON()["exit"]?.integer == 7)
    }

    @Test func aServerThatDoesNotAnswerExitsWith7AfterTheTimeout() async throws {
        let gatectl = try await Gatectl.withShop()
        gatectl.server.freeze()
        let outcome = try await gatectl("status", "--timeout", "1s")
        gatectl.server.thaw()
        #expect(outcome.status == 7)
        #expect(outcome.err.contains("no answer from \(gatectl.server.admin) in 1 s"))
        #expect(!outcome.err.contains("may or may not"), "a read changes nothing")
    }

    /// The overview asks for several things at once; when one gets no answer, the others are not waited for as well.
    @Test func aServerThatDoesNotAnswerIsWaitedForOnce() async throws {
        let gatectl = try await Gatectl.withShop()
        let stub = try StubServer { _, _ in .silence }
        let outcome = try await gatectl("status", "--timeout", "1s", with: ["GATECTL_SERVER": stub.address])
        #expect(outcome.status == 7, "\(outcome)")
        #expect(stub.requests.count == 1, "\(stub.requests)")
    }

    /// A full disk, a database that cannot be used, a proxy that does not reach the server: the server's word is not the last one.
    @Test(arguments: [(500, true), (502, false), (503, true), (504, false), (507, true)])
    func aServerThatCannotDoItIsNotADeadEnd(status: Int, isOurs: Bool) async throws {
        let gatectl = try await Gatectl.withShop()
        let type = isOurs ? "application/problem+json" : "text/html"
        let body =
            isOurs
            ? #"{"type":"about:blank","title":"Error","status":\#(status),"code":"unavailable","detail":"It cannot be used.","requestId":"r1"}"#
            : "<html><h1>\(status)</h1></html>"
        let answer = "HTTP/1.1 \(status) Error\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
        let stub = try StubServer { _, _ in .bytes(answer + body) }
        let outcome = try await gatectl("apps", "list", with: ["GATECTL_SERVER": stub.address])
        #expect(outcome.status == 1, "\(outcome)")
        #expect(outcome.err.contains("\n  next: gatectl doctor shows what is wrong; if phones"), "\(outcome)")
    }

    /// By the member that says so: the sentence is for people, in words that may change.
    @Test(arguments: [(true, "That is probably wrong."), (false, #"Nobody may accept \"text_order\" here."#)])
    func aRefusalThatMayBeOverriddenSaysHow(isOverridable: Bool, detail: String) async throws {
        let gatectl = try await Gatectl.withShop()
        let real = gatectl.server.admin
        let member = isOverridable ? #""overridable":true,"# : ""
        let body =
            #"{"type":"about:blank","title":"Unprocessable Content","status":422,"code":"text_order","detail":"\#(detail)",\#(member)"requestId":"r1"}"#
        let answer =
            "HTTP/1.1 422 Unprocessable Content\r\nContent-Type: application/problem+json\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
            + body
        let stub = try StubServer { request, _ in request.hasPrefix("POST /api/v1/changes") ? .bytes(answer) : .forward(to: real) }
        let outcome = try await gatectl("alert", "shop", "ios", "-m", "Hello.", "-y", with: ["GATECTL_SERVER": stub.address])
        #expect(outcome.status == 8)
        #expect(outcome.err.contains("next: repeat the command with --accept text_order\n") == isOverridable, "\(outcome)")
    }

    @Test func anAnswerLostOnTheWayIsFetchedAgainAndTheChangeIsDoneOnce() async throws {
        let gatectl = try await Gatectl.withShop()
        let real = gatectl.server.admin
        let lost = Mutex(0)
        let stub = try StubServer { request, _ in
            guard Self.isCommit(request),
                lost.withLock({ lost in
                    lost += 1
                    return lost
                }) == 1
            else { return .forward(to: real) }
            return .forwardAndHangUp(to: real)
        }
        let outcome = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y", "--json", with: ["GATECTL_SERVER": stub.address])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try outcome.json()["revision"]?.integer == 2)
        let commits = stub.requests.filter(Self.isCommit)
        #expect(commits.count == 2)
        #expect(Set(commits.compactMap(Self.key)).count == 1, "the same key both times")
        #expect(try await gatectl.revision("shop/ios") == 2)
    }

    /// The server keeps no answer with a secret in it, so that sent again it would be done again.
    @Test(
        arguments: [
            (["users", "add", "ann", "--role", "viewer"], "POST /api/v1/users"),
            (["rehearse", "shop", "ios"], "POST /api/v1/rehearsals"),
            (["api", "POST", "/api/v1/users/night/invitation", "-f", "-"], "POST /api/v1/users/night/invitation"),
        ],
        [nil, GatectlProxyTests.page, GatectlProxyTests.document]
    )
    func whatIsNotDoneOnceUnderItsKeyIsNotSentAgain(command: ([String], String), proxy: String?) async throws {
        let gatectl = try await Gatectl.withShop()
        let real = gatectl.server.admin
        let (words, line) = command
        let lost = proxy.map { StubServer.Answer.bytes($0) } ?? .forwardAndHangUp(to: real)
        let stub = try StubServer { request, _ in request.hasPrefix(line) ? lost : .forward(to: real) }
        if words[0] == "api" { _ = try await gatectl("users", "add", "night", "--role", "viewer") }
        let outcome = try await gatectl(words, input: "{}", with: ["GATECTL_SERVER": stub.address])
        #expect(outcome.status == 7 && outcome.err.contains("may or may not"), "\(outcome)")
        #expect(stub.requests.count { $0.hasPrefix(line) } == 1)
    }

    /// The token is made and nobody has seen it: sent again, the request says so, and makes no second one.
    @Test(
        arguments: [["tokens", "add", "night"], ["tokens", "rotate", "ci"], ["api", "POST", "/api/v1/tokens", "-f", "-"]],
        [nil, GatectlProxyTests.page]
    )
    func aTokenWhoseAnswerIsLostIsMadeOnce(words: [String], proxy: String?) async throws {
        let gatectl = try await Gatectl.withShop()
        let real = gatectl.server.admin
        let asked = Mutex(0)
        let stub = try StubServer { request, _ in
            guard request.hasPrefix("POST /api/v1/tokens"),
                asked.withLock({ asked in
                    asked += 1
                    return asked
                }) == 1
            else { return .forward(to: real) }
            // A proxy that answers for itself has not passed it on.
            return proxy.map { .bytes($0) } ?? .forwardAndHangUp(to: real)
        }
        let before = try await Self.tokens(gatectl)
        let outcome = try await gatectl(words, input: #"{"name":"night"}"#, with: ["GATECTL_SERVER": stub.address])
        let sent = stub.requests.filter { $0.hasPrefix("POST /api/v1/tokens") }
        #expect(sent.count == 2 && Set(sent.compactMap(Self.key)).count == 1, "the same key both times")
        let made = try await Self.tokens(gatectl).filter { !before.contains($0) }
        #expect(made.count == 1, "\(made)")
        guard proxy == nil else { return #expect(outcome.status == 0 && outcome.out.contains("gate_"), "\(outcome)") }
        #expect(outcome.status == 8 && outcome.out == "" && !outcome.err.contains("may or may not"), "\(outcome)")
        #expect(outcome.err.contains("(\(made[0].prefix { $0 != "\t" })) was made when this was first asked for"), "\(outcome)")
        #expect(outcome.err.contains("next: revoke it by that id with gatectl tokens revoke, then repeat the command\n"), "\(outcome)")
        #expect(outcome.err.contains("works as before") == (words[1] == "rotate"), "\(outcome)")
    }

    private static func tokens(_ gatectl: Gatectl) async throws -> [Substring] {
        try await gatectl("tokens", "-o", "plain").out.split(separator: "\n")
    }

    @Test func anAnswerThatNeverComesIsAnUnknownOutcomeAndRepeatingDoesItOnce() async throws {
        let gatectl = try await Gatectl.withShop()
        let real = gatectl.server.admin
        let stub = try StubServer { request, _ in Self.isCommit(request) ? .forwardAndHangUp(to: real) : .forward(to: real) }
        let outcome = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y", with: ["GATECTL_SERVER": stub.address])
        #expect(outcome.status == 7)
        #expect(outcome.err.contains("the change may or may not have been made"))
        #expect(outcome.err.contains("next: gatectl status"))
        #expect(outcome.out == "")
        let again = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y")
        #expect(again.status == 0)
        #expect(again.out.contains("no change"))
        #expect(try await gatectl.revision("shop/ios") == 2)
    }

    /// The token may have ended in between, and a proxy knows nothing: what became of the first attempt, nobody has said.
    @Test(
        arguments: [
            ("401 Unauthorized", "unauthorized", "gatectl auth status shows which token was sent"),
            ("403 Forbidden", "forbidden", "gatectl auth status shows who you are"),
            ("500 Internal Server Error", "internal", "gatectl doctor"),
            ("504 Gateway Timeout", "", "gatectl doctor"), ("404 Not Found", nil, "gatectl doctor"),
        ] as [(String, String?, String)]
    )
    func aRefusalAfterALostAnswerLeavesTheOutcomeUnknown(status: String, code: String?, advice: String) async throws {
        let gatectl = try await Gatectl.withShop()
        let real = gatectl.server.admin
        let number = status.prefix(3)
        let body = code.map { #"{"status":\#(number),"code":"\#($0)","title":"No","detail":"Not so."}"# } ?? "<html>"
        let refusal = StubServer.json(status, body, headers: "")
        let commits = Mutex(0)
        let stub = try StubServer { request, _ in
            guard Self.isCommit(request) else { return .forward(to: real) }
            let isFirst = commits.withLock { commits in
                commits += 1
                return commits == 1
            }
            return isFirst ? .forwardAndHangUp(to: real) : refusal
        }
        let outcome = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y", with: ["GATECTL_SERVER": stub.address])
        #expect(outcome.status == 7, "\(outcome)")
        #expect(outcome.err.contains("the change may or may not have been made"), "\(outcome)")
        #expect(outcome.err.contains("shop/ios went from revision 1 to 2"), "\(outcome)")
        #expect(outcome.err.contains("repeating is safe") && outcome.err.contains(advice), "\(outcome)")
        #expect(stub.requests.count(where: Self.isCommit) == 2)
    }

    /// Repeated, --last would take back what was made: what is said is what may be typed again.
    @Test func aRollbackWhoseAnswerIsLostSaysWhatMayBeRepeated() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await gatectl("alert", "shop", "ios", "-m", "One.", "-y")
        _ = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y")
        let real = gatectl.server.admin
        let stub = try StubServer { request, _ in Self.isCommit(request) ? .forwardAndHangUp(to: real) : .forward(to: real) }
        let outcome = try await gatectl(
            "rollback",
            "shop",
            "ios",
            "--last",
            "-y",
            "-r",
            "wrong app",
            with: ["GATECTL_SERVER": stub.address]
        )
        #expect(outcome.status == 7)
        #expect(outcome.err.contains("shop/ios went from revision 3 to 4"), "\(outcome)")
        #expect(outcome.err.contains("gatectl rollback shop ios -y -r 'wrong app' --to 2"), "\(outcome)")
        #expect(!outcome.err.contains("repeating is safe"))
        let again = try await gatectl("rollback", "shop", "ios", "-y", "-r", "wrong app", "--to", "2")
        #expect(again.out.contains("no change"), "\(again)")
    }

    /// The last change that was seen is not the last one that there is: to say --last again would take back somebody else's.
    @Test func aRollbackThatSomebodyWasFasterThanSaysWhatMeansTheSame() async throws {
        let gatectl = try await Gatectl.withShop()
        for text in ["One.", "Two."] { _ = try await gatectl("alert", "shop", "ios", "-m", text, "-y") }
        let refused = try await gatectl("rollback", "shop", "ios", "--last", "--if-revision", "2", "-y")
        #expect(refused.status == 5, "\(refused)")
        #expect(refused.err.contains("to take that back too: gatectl rollback shop ios -y --to 1 --if-revision 3\n"), "\(refused)")
        #expect(try await gatectl("rollback", "shop", "ios", "-y", "--to", "1", "--if-revision", "3").status == 0)
    }

    /// What is made anew each time is looked for first: a second token or window would be made.
    @Test(
        arguments: [
            (["tokens", "add", "deploy"], "POST /api/v1/tokens", "gatectl tokens list"),
            (
                ["schedule", "add", "shop", "ios", "--from", "2030-01-01T09:00:00Z", "-y", "--", "kill", "-m", "x"], "POST /api/v1/windows",
                "gatectl schedule list"
            ), (["backup", "create"], "POST /api/v1/backups", "gatectl backup list"),
            (["rehearse", "shop", "ios"], "POST /api/v1/rehearsals", "gatectl rehearse list"),
        ] as [([String], String, String)]
    )
    func whatWouldBeMadeTwiceIsLookedForFirst(arguments: [String], request: String, look: String) async throws {
        let gatectl = try await Gatectl.withShop()
        let real = gatectl.server.admin
        let stub = try StubServer { asked, _ in
            asked.hasPrefix(request) && !asked.contains(#""dryRun":true"#) ? .forwardAndHangUp(to: real) : .forward(to: real)
        }
        let outcome = try await gatectl(arguments, with: ["GATECTL_SERVER": stub.address])
        #expect(outcome.status == 7, "\(outcome)")
        #expect(outcome.err.contains("next: \(look) shows whether it was done; repeat the command only if it was not\n"), "\(outcome)")
        #expect(!outcome.err.contains("repeating is safe"), "\(outcome)")
    }

    @Test func aServerKilledAfterTheRequestLeftIsAnUnknownOutcome() async throws {
        let gatectl = try await Gatectl.withShop()
        let real = gatectl.server.admin
        let stub = try StubServer { request, _ in Self.isCommit(request) ? .hangUp : .forward(to: real) }
        let outcome = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y", "--json", with: ["GATECTL_SERVER": stub.address])
        #expect(outcome.status == 7)
        #expect(try outcome.errorJSON()["outcomeUnknown"] == .bool(true))
    }

    /// The real server, killed while gatectl waits for its answer, before or after the commit: gatectl says what it knows, and the same
    /// command again leaves the change made once.
    @Test func aServerKilledInTheMiddleOfAWriteLeavesAnUnknownOutcomeAndRepeatingDoesItOnce() async throws {
        for round in 1...6 {
            let gatectl = try await Gatectl.withShop()
            let terminal = try gatectl.onTerminal(
                "kill",
                "shop",
                "ios",
                "-m",
                "Back.",
                "-y",
                "-v",
                "--timeout",
                "3s",
                with: ["NO_COLOR": "1"]
            )
            // The plan asks the same path first.
            for _ in 1...2 { try terminal.expect("POST /api/v1/changes ...") }
            await gatectl.server.kill()
            let status = try terminal.finish()
            try await gatectl.server.start()
            let made = try await gatectl.revision("shop/ios") == 2
            if status == 0 {
                #expect(made, "what was acknowledged is there")
            } else {
                #expect(status == 7, "round \(round): \(terminal.transcript)")
                let isUnknown = terminal.transcript.contains("the change may or may not have been made")
                // Killed before the connection was made, the server never had the request, and that is known.
                #expect(isUnknown || (terminal.transcript.contains("error: no connection to") && !made), "\(terminal.transcript)")
            }
            let again = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y", with: ["GATECTL_SERVER": gatectl.server.admin])
            #expect(again.status == 0, "\(again)")
            #expect(again.out.contains("no change") == made)
            #expect(try await gatectl.revision("shop/ios") == 2, "once")
            #expect(await gatectl.server.stop() == 0)
            #expect(try await gatectl.server.gatehouse("verify").status == 0)
        }
    }

    /// The same without luck: a frozen server has the request and has not answered it when it is killed.
    @Test func aServerKilledBeforeItReadsTheWriteHasNotMadeIt() async throws {
        let gatectl = try await Gatectl.withShop()
        let terminal = try gatectl.onTerminal("kill", "shop", "ios", "-m", "Back.", "-v", "--timeout", "3s", with: ["NO_COLOR": "1"])
        try terminal.expect("Block shop/ios? [y/N] ")
        gatectl.server.freeze()
        terminal.type("y\n")
        try terminal.expect("POST /api/v1/changes ...")
        // Said before it is sent: killed sooner, the server would never have had the request, and gatectl would know.
        try gatectl.server.waitForUnreadBytes()
        await gatectl.server.kill()
        #expect(try terminal.finish() == 7)
        #expect(terminal.transcript.contains("the change may or may not have been made"), "\(terminal.transcript)")
        try await gatectl.server.start()
        #expect(try await gatectl.revision("shop/ios") == 1)
        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y", with: ["GATECTL_SERVER": gatectl.server.admin]).status == 0)
        #expect(try await gatectl.revision("shop/ios") == 2)
    }

    /// A plan that got no answer has changed nothing, and to say otherwise would send people looking.
    @Test func aPlanWithoutAnAnswerIsNoUnknownOutcome() async throws {
        let gatectl = try await Gatectl.withShop()
        let real = gatectl.server.admin
        let stub = try StubServer { request, _ in request.contains(#""dryRun":true"#) ? .hangUp : .forward(to: real) }
        let outcome = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y", "--json", with: ["GATECTL_SERVER": stub.address])
        #expect(outcome.status == 7)
        #expect(try outcome.errorJSON()["outcomeUnknown"] == nil)
        #expect(!stub.requests.contains(where: Self.isCommit))
    }

    @Test func aBusyServerIsAskedAgainAfterTheTimeItNames() async throws {
        let gatectl = try await Gatectl.withShop()
        let real = gatectl.server.admin
        let busy = StubServer.json(
            "503 Service Unavailable",
            #"{"status":503,"code":"starting","detail":"Not yet."}"#,
            headers: "Retry-After: 0\r\n"
        )
        let refused = Mutex(0)
        let stub = try StubServer { request, _ in
            guard Self.isCommit(request),
                refused.withLock({ refused in
                    refused += 1
                    return refused
                }) <= 2
            else { return .forward(to: real) }
            return busy
        }
        let outcome = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y", with: ["GATECTL_SERVER": stub.address])
        #expect(outcome.status == 0, "\(outcome)")
        let commits = stub.requests.filter(Self.isCommit)
        #expect(commits.count == 3)
        #expect(Set(commits.compactMap(Self.key)).count == 1)
    }

    @Test func aServerThatStaysBusyExitsWith1() async throws {
        let gatectl = try await Gatectl.withShop()
        let stub = try StubServer { _, _ in
            StubServer.json("429 Too Many Requests", #"{"status":429,"code":"too_many","detail":"Wait."}"#, headers: "Retry-After: 0\r\n")
        }
        let outcome = try await gatectl("apps", "list", with: ["GATECTL_SERVER": stub.address])
        #expect(outcome.status == 1)
        #expect(stub.requests.count == 4, "once, and three times more")
    }

    @Test func aTokenIsNotSentOverPlainHTTPToAnotherMachine() async throws {
        let gatectl = try await Gatectl.withShop()
        let outcome = try await gatectl("status", with: ["GATECTL_SERVER": "http://gate.invalid:8080"])
        #expect(outcome.status == 4)
        #expect(outcome.err.contains("plain http"))
    }

    @Test func controlCAtThePromptSaysThatNothingWasChanged() async throws {
        let gatectl = try await Gatectl.withShop()
        let terminal = try gatectl.onTerminal("kill", "shop", "ios", "-m", "Back.")
        try terminal.expect("[y/N]")
        terminal.type("\u{3}")
        try terminal.expect("interrupted: nothing was changed")
        #expect(try terminal.finish() == 130)
        #expect(try await gatectl.revision("shop/ios") == 1)
    }

    @Test func controlCDuringTheWriteSaysThatTheRequestHadLeft() async throws {
        let gatectl = try await Gatectl.withShop()
        let real = gatectl.server.admin
        let stub = try StubServer { request, _ in Self.isCommit(request) ? .silence : .forward(to: real) }
        let terminal = try gatectl.onTerminal("kill", "shop", "ios", "-m", "Back.", "-v", with: ["GATECTL_SERVER": stub.address])
        try terminal.expect("[y/N]")
        terminal.type("y\n")
        try terminal.expect("POST /api/v1/changes ...")
        terminal.type("\u{3}")
        try terminal.expect("interrupted: the request had left")
        #expect(try terminal.finish() == 130)
    }

    @Test func controlCEndsAWatchQuietly() async throws {
        let gatectl = try await Gatectl.withShop()
        let terminal = try gatectl.onTerminal("watch")
        try terminal.expect("Ctrl-C ends")
        terminal.type("\u{3}")
        #expect(try terminal.finish() == 130)
    }

    /// The process list and every word that is printed.
    @Test func theTokenIsNowhereToBeSeen() async throws {
        let gatectl = try await Gatectl.withShop()
        let token = gatectl.server.token
        for arguments in [
            ["status", "-v"], ["doctor", "-v"], ["auth", "status", "-v", "--json"], ["history", "-v"],
            ["kill", "shop", "ios", "-m", "x", "-v"],
        ] {
            let outcome = try await gatectl(arguments)
            #expect(!outcome.out.contains(token) && !outcome.err.contains(token), "\(arguments)")
        }
        let failing = try await gatectl("status", "-v", with: ["GATECTL_SERVER": "http://127.0.0.1:1"])
        #expect(!failing.err.contains(token))
        let terminal = try gatectl.onTerminal("watch")
        try terminal.expect("Ctrl-C ends")
        let list = try await run(
            "/bin/sh",
            ["-c", "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '"],
            environment: gatectl.environment
        )
        #expect(list.out.contains("gatectl watch"))
        #expect(!list.out.contains(token))
        terminal.type("\u{3}")
        #expect(try terminal.finish() == 130)
    }
}
