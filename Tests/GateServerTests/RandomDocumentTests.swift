import Foundation
import GateHTTP
import GateJSON
import GateModel
import GateService
import GateStore
import Testing

@testable import GateServer

/// R53: whatever is taken can be read: every document that the API takes is there again after a start, byte for byte. What is refused is
/// refused as such, with a status of 4xx.
///
/// `GATEHOUSE_SEED=12345` asks for the documents of an earlier run again.
@Suite struct RandomDocumentTests {
    static let seed = ProcessInfo.processInfo.environment["GATEHOUSE_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000_000)

    /// Parts of the whole, so that they may run beside each other.
    static let parts = 4

    @Test(arguments: 0..<parts) func whatIsTakenIsReadAgain(part: Int) throws {
        print("seed \(Self.seed), part \(part)")
        var run = try Run(seed: Self.seed &+ UInt64(part) &* 0x9E37_79B9)
        for number in 0..<(20_000 / Self.parts) {
            try run.ask()
            if number % 500 == 499 { try run.restart() }
        }
        try run.restart()
        print("part \(part): \(run.taken) taken, \(run.refused) refused; slowest refusal \(run.slowest.time) of \(run.slowest.what)")
        // Documents that are nearly all refused, or nearly all taken, would show nothing.
        #expect(run.taken > 1_000 && run.refused > 1_000, "seed \(Self.seed): \(run.taken) taken, \(run.refused) refused")
        try run.desk.ledger.store?.close()
        #expect(
            try Store.verify(directory: run.desk.folder, server: run.desk.address, migrations: Desk.migrations) == [],
            "seed \(Self.seed)"
        )
    }

    /// One server with what was asked of it, and what it has answered.
    private struct Run {
        let seed: UInt64
        let desk: Desk
        var spelling: RandomSpelling
        private(set) var taken = 0
        private(set) var refused = 0
        private(set) var slowest: (time: Duration, what: String) = (.zero, "")
        /// Changes by sequence, as their authors were told of them.
        private var changes: [Int: String] = [:]
        /// Windows by identifier, as they were told last.
        private var windows: [Int: String] = [:]

        init(seed: UInt64) throws {
            self.seed = seed
            desk = try Desk().furnished()
            _ = try desk.browser()
            spelling = RandomSpelling(seed: seed)
        }

        // MARK: Asking

        mutating func ask() throws {
            switch spelling.below(20) {
            case 0..<9: try change()
            case 9..<12: try window()
            case 12..<14: try send(.put, "/api/v1/apps/shop/platforms/\(spelling.one(of: ["ios", "android"]))", spelling.settings())
            case 14: try app()
            case 15: try send(.patch, "/api/v1/apps/\(spelling.one(of: ["shop", "bank"]))", patch())
            case 16: try person()
            case 17: try token()
            case 18: try apply()
            default: try question()
            }
        }

        private func revision(_ platform: String) -> Int {
            (try? desk.ledger.target(TargetKey("shop/\(platform)")!, for: .test))?.revision ?? 1  // one that is gone has none
        }

        private mutating func targets() -> String {
            let platforms = spelling.chance(1, in: 4) ? ["ios", "android"] : [spelling.one(of: ["ios", "android"])]
            return spelling.array(
                platforms.map { platform in
                    let seen = spelling.chance(1, in: 30) ? spelling.number(0...9) : String(revision(platform))
                    return spelling.object([("app", "\"shop\""), ("platform", "\"\(platform)\""), ("revision", seen)])
                }
            )
        }

        private mutating func accept() -> [(String, String)] {
            spelling.chance(1, in: 2) ? [("accept", #"["text_order","masked_alert","same_text","no_known_releases","update_loop"]"#)] : []
        }

        private mutating func change() throws {
            if spelling.chance(1, in: 12) {
                let platform = spelling.one(of: ["ios", "android"])
                let target = #"[{"app":"shop","platform":"\#(platform)","revision":\#(revision(platform))}]"#
                return try send(
                    .post,
                    "/api/v1/changes",
                    spelling.object([("targets", target), ("revertTo", spelling.number(1...max(2, revision(platform))))]),
                    confirms: true
                )
            }
            let body = [("targets", targets()), ("set", spelling.gate())] + spelling.reason() + accept()
            try send(.post, "/api/v1/changes", spelling.object(body), confirms: true)
        }

        private mutating func window() throws {
            var body = [("targets", targets()), ("set", spelling.gate()), ("start", spelling.zonedTime())]
            if spelling.chance(1, in: 3) { body.append(("end", spelling.zonedTime())) }
            if spelling.chance(1, in: 3) { body.append(("then", spelling.one(of: ["\"open\"", "\"restore\"", "\"stay\""]))) }
            try send(.post, "/api/v1/windows", spelling.object(body + spelling.reason() + accept()), confirms: true)
        }

        private mutating func app() throws {
            if spelling.chance(1, in: 3) {
                let key = spelling.one(of: ["news", "a", "0", "x1", "x2", "x3", "x4"])
                return try send(.delete, "/api/v1/apps/\(key)", #"{"confirm":"delete \#(key)"}"#)
            }
            try send(
                .post,
                "/api/v1/apps",
                spelling.object([
                    ("key", spelling.string(spelling.key(), plain: true)), ("name", spelling.string(spelling.text(most: 100))),
                ])
            )
        }

        private mutating func patch() -> String {
            var body: [(String, String)] = []
            if spelling.chance(1, in: 2) { body.append(("name", spelling.string(spelling.text(most: 100)))) }
            if spelling.chance(2, in: 3) {
                let count = spelling.chance(1, in: 40) ? spelling.one(of: [100, 101]) : spelling.below(3)
                body.append(
                    (
                        "aliases",
                        spelling.array(
                            (0..<count).map { number in
                                count < 50 ? spelling.alias() : #"{"path":"/n\#(number).json","feed":"launchgate.json"}"#
                            }
                        )
                    )
                )
            }
            return spelling.object(body)
        }

        private mutating func person() throws {
            if spelling.chance(1, in: 3) {
                let body = spelling.object([("role", spelling.role()), ("apps", spelling.scope())])
                return try send(.patch, "/api/v1/users/p\(spelling.below(30))", body, isPersonal: true)
            }
            let body = [
                ("username", spelling.string(spelling.username(), plain: true)), ("role", spelling.role()), ("apps", spelling.scope()),
                ("password", spelling.string(spelling.chance(1, in: 4) ? spelling.anyText(0...200) : "a long pass phrase")),
            ]
            try send(.post, "/api/v1/users", spelling.object(body), isPersonal: true)
        }

        private mutating func token() throws {
            var body = [("name", spelling.string(spelling.text(most: 100)))]
            if spelling.chance(1, in: 2) { body.append(("role", spelling.role())) }
            if spelling.chance(1, in: 2) { body.append(("apps", spelling.scope())) }
            if spelling.chance(1, in: 2) {
                body.append(("expiresAt", spelling.chance(1, in: 2) ? "\"2027-05-05T00:00:00+02:00\"" : spelling.time()))
            }
            try send(.post, "/api/v1/tokens", spelling.object(body), isPersonal: true)
        }

        private mutating func apply() throws {
            let platform = spelling.object([("settings", spelling.settings()), ("gate", spelling.gate().replacing(":null", with: ":{}"))])
            let app = spelling.object([
                ("key", "\"bank\""), ("name", spelling.string(spelling.text(most: 100))),
                ("aliases", spelling.array((0..<spelling.below(2)).map { _ in spelling.alias() })),
                ("platforms", spelling.object([("ios", platform)])),
            ])
            let document = spelling.object([
                ("schema", "\"gatehouse/export/v1\""), ("apps", spelling.array([app])), ("exportedAt", spelling.time()),
            ])
            try send(
                .post,
                "/api/v1/apply",
                spelling.object([("document", document), ("sequence", String(desk.ledger.sequence))] + accept()),
                confirms: true
            )
        }

        /// What writes nothing, and still takes values.
        private mutating func question() throws {
            if spelling.chance(1, in: 2) {
                let body = [
                    ("app", "\"shop\""), ("platform", "\"ios\""), ("version", spelling.string(spelling.version(), plain: true)),
                    ("at", spelling.time()), ("set", spelling.gate()),
                ]
                return try send(.post, "/api/v1/simulate", spelling.object(body))
            }
            let allowed = CharacterSet.alphanumerics
            let time = spelling.moment().addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
            let query = spelling.one(of: [
                "since=\(time)", "until=\(time)", "after=\(spelling.number(0...50))", "limit=\(spelling.number(1...500))",
                "cursor=s\(spelling.number(1...50))",
            ])
            try send(
                .get,
                "/api/v1/\(spelling.one(of: ["changes", "audit", "changes"]))?"
                    + query.replacing("\"", with: "").replacing("+", with: "%2B"),
                nil
            )
        }

        // MARK: Answers

        private mutating func send(_ method: HTTPMethod, _ path: String, _ body: String?, confirms: Bool = false, isPersonal: Bool = false)
            throws
        {
            var body = body
            var response = timed(method, path, body)
            // Asked again with what it asks for.
            if confirms, response.code == "confirmation_required", let phrase = response.json.at("plan.confirm")?.string, let text = body {
                body = String(text.dropLast()) + #","confirm":"\#(phrase)"}"#
                response = timed(method, path, body)
            }
            guard (200..<300).contains(response.status) else {
                refused += 1
                #expect(
                    (400..<500).contains(response.status),
                    "seed \(seed): \(method) \(path) \(body ?? "") → \(response.status) \(response.text)"
                )
                return
            }
            taken += 1
            if let change = response.json["change"], let sequence = change.object?["sequence"]?.integer { changes[sequence] = change.text }
            if let window = response.json["window"], let id = window.object?["id"]?.integer, id > 0 { windows[id] = window.text }
        }

        private mutating func timed(_ method: HTTPMethod, _ path: String, _ body: String?) -> HTTPResponse {
            let begun = ContinuousClock.now
            let response = desk.ask(method, path, body)
            let time = ContinuousClock.now - begun
            if response.status >= 400, time > slowest.time { slowest = (time, "\(method) \(path) \(body?.prefix(200) ?? "")") }
            return response
        }

        // MARK: The start

        /// Everything that can be asked for.
        private func everything() -> [String: String] {
            var answers: [String: String] = [:]
            for path in [
                "/api/v1/apps", "/api/v1/targets", "/api/v1/windows?limit=500", "/api/v1/users", "/api/v1/tokens",
                "/api/v1/audit?limit=500", "/api/v1/changes?limit=500",
            ] {
                answers[path] = text(desk.ask(.get, path))
            }
            for app in desk.ask(.get, "/api/v1/apps").json["items"]?.array ?? [] {
                let key = app.object?["key"]?.string ?? ""
                answers[key] = text(desk.ask(.get, "/api/v1/apps/\(key)"))
                for path in ["launchgate.json", "prince-of-versions.json"] {
                    let feed = "/feeds/\(key)/\(path)"
                    answers[feed] = desk.poll(feed).text
                }
            }
            for platform in ["ios", "android"] { answers[platform] = desk.poll("/feeds/shop/\(platform)/gate.json").text }
            return answers
        }

        private func text(_ answer: HTTPResponse) -> String { answer.status == 200 ? answer.text : "\(answer.status)" }

        /// Starts again over the same folder, and compares what is there with what was, and with what was answered.
        mutating func restart() throws {
            let before = everything()
            try desk.reopen()
            let after = everything()
            for (path, text) in before where after[path] != text {
                Issue.record("seed \(seed): \(path) was \(text) and is \(after[path] ?? "gone")")
            }
            #expect(desk.ledger.health == Health(state: .ok, reasons: []), "seed \(seed)")
            for (sequence, text) in changes {
                let found = desk.ask(.get, "/api/v1/changes/\(sequence)").text
                if !found.utf8.elementsEqual(text.utf8) {
                    Issue.record("seed \(seed): change \(sequence) was told as \(text) and is \(found)")
                }
            }
            for (id, text) in windows {
                let found = desk.ask(.get, "/api/v1/windows/\(id)").text
                if !found.utf8.elementsEqual(text.utf8) { Issue.record("seed \(seed): window \(id) was told as \(text) and is \(found)") }
                // The next ones find room.
                try desk.ask(.delete, "/api/v1/windows/\(id)", "{}").expect(200)
            }
            (changes, windows) = ([:], [:])
        }
    }
}

extension Caller {
    fileprivate static let test = Caller(
        actor: Actor(kind: .system, name: "test"),
        role: .admin,
        scope: .all,
        source: .api,
        requestId: "r",
        address: ""
    )
}
