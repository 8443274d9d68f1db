import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService
import Testing

@testable import GateServer

/// R56: no answer has more than 2 MiB, whatever there is to be told. What does not fit is told with `next`, or counted.
@Suite struct AnswerSizeTests {
    private static let apps = 100

    /// A text in 48 languages: 24 KiB.
    private static func alert(_ mark: String) -> String {
        let languages = (0..<48).map { #""de-x\#($0)":"\#(mark)\#(String(repeating: "x", count: 470))""# }
        return #"{"alert":{"message":{"default":"a",\#(languages.joined(separator: ","))},"blocking":false}}"#
    }

    /// Apps with one target each and a large gate, and as many aliases as there may be.
    private static func furnished(aliases: Int = 0) throws -> Desk {
        let desk = try Desk()
        for number in 0..<apps {
            let app = "app-\(number)"
            try desk.ask(.post, "/api/v1/apps", #"{"key":"\#(app)","name":"App"}"#).expect(201)
            try desk.ask(.put, "/api/v1/apps/\(app)/platforms/ios", "{}").expect(201)
            if aliases > 0 {
                let all = (0..<aliases).map {
                    #"{"path":"/\#(number)/\#(String(repeating: "x", count: 480))/\#($0)","feed":"launchgate.json"}"#
                }
                try desk.ask(.patch, "/api/v1/apps/\(app)", #"{"aliases":[\#(all.joined(separator: ","))]}"#).expect(200)
            } else {
                try desk.change(#"{"app":"\#(app)","platform":"ios","revision":1}"#, #""set":\#(alert("a"))"#).expect(200)
            }
        }
        return desk
    }

    /// Every item of a list, page by page.
    private func items(_ desk: Desk, _ path: String, more: String = "?") throws -> (items: [JSONValue], pages: Int) {
        var (items, pages): ([JSONValue], Int) = ([], 0)
        var cursor: String?
        repeat {
            let response = desk.ask(.get, path + (cursor.map { "\(more)cursor=\($0)" } ?? ""))
            try response.expect(200)
            #expect(response.body.count <= 2_097_152, "\(path): \(response.body.count)")
            items += response.json["items"]?.array ?? response.json["apps"]?.array ?? []
            cursor = response.json["next"]?.string
            pages += 1
            try #require(pages < 1_000, "\(path) has no end")
        } while cursor != nil
        return (items, pages)
    }

    @Test func listsEndEarlyAndLoseNothing() throws {
        let desk = try Self.furnished()
        let targets = try items(desk, "/api/v1/targets")
        #expect(targets.items.count == Self.apps)
        #expect(Set(targets.items.compactMap { $0["app"]?.string }).count == Self.apps)
        #expect(targets.pages > 1)
        #expect(try items(desk, "/api/v1/targets?limit=7", more: "&").items.count == Self.apps)
        let changes = try items(desk, "/api/v1/changes?limit=500", more: "&")
        #expect(changes.items.compactMap { $0["sequence"]?.integer } == Array((1...Self.apps * 3).reversed()))
        #expect(changes.pages > 1)
        let export = try items(desk, "/api/v1/export")
        #expect(export.items.count == Self.apps)
        #expect(export.pages > 1)

        var after = desk.ledger.sequence - 60
        var seen: [Int] = []
        while after < desk.ledger.sequence {
            let response = desk.ask(.get, "/api/v1/events?after=\(after)")
            #expect(response.body.count <= 2_097_152)
            seen += response.json["items"]?.array?.compactMap { $0["sequence"]?.integer } ?? []
            let before = after
            after = try response.json["sequence"]?.integer.unwrapped() ?? Int.max
            try #require(after > before)
        }
        #expect(seen == Array(desk.ledger.sequence - 59...desk.ledger.sequence))
    }

    @Test func appsWithManyAliasesComeInPages() throws {
        let desk = try Self.furnished(aliases: 60)
        let apps = try items(desk, "/api/v1/apps")
        #expect(apps.items.count == Self.apps)
        #expect(apps.pages > 1)
        #expect(try items(desk, "/api/v1/export").items.count == Self.apps)
    }

    /// Those that follow within the minute are one row with their number.
    @Test func everyPartOfAnExportIsInTheAuditAndNoneIsADocument() throws {
        let desk = try Self.furnished()
        let parts = try items(desk, "/api/v1/export").pages
        func recorded() -> Int? {
            desk.ask(.get, "/api/v1/audit?action=export.create").json["items"]?.array?
                .reduce(0) { $0 + ($1["detail"]?.object?["count"]?.integer ?? 1) }
        }
        #expect(recorded() == parts)
        // One who asks for a later part alone gets nearly everything.
        #expect(desk.ask(.get, "/api/v1/export?cursor=0").status == 200)
        #expect(recorded() == parts + 1)
        let part = desk.ask(.get, "/api/v1/export").text
        for prune in ["false", "true"] {
            #expect(
                desk.ask(.post, "/api/v1/apply", #"{"document":\#(part),"prune":\#(prune),"dryRun":true}"#).summary
                    == "400 malformed /document/next"
            )
        }
        #expect(desk.ask(.get, "/api/v1/export?cursor=A").summary == "400 malformed cursor")
    }

    @Test func windowsAndTheirAuditComeInPages() throws {
        let desk = try Self.furnished()
        for number in 0..<4 {
            let targets = (0..<20).map { #"{"app":"app-\#(number * 20 + $0)","platform":"ios","revision":2}"# }
            let body =
                #"{"targets":[\#(targets.joined(separator: ","))],"set":{"alert":null},"start":"2027-01-01T00:00:00Z","end":"2027-01-02T00:00:00Z","then":"restore"}"#
            try desk.ask(.post, "/api/v1/windows", body).expect(201)
        }
        let small = #"{"targets":[{"app":"app-0","platform":"ios","revision":2}],"set":\#(Self.alert("b")),"start":"2027-01-01T00:00:00Z"}"#
        for _ in 0..<100 { try desk.ask(.post, "/api/v1/windows", small).expect(201) }
        let windows = try items(desk, "/api/v1/windows?limit=500", more: "&")
        #expect(windows.items.compactMap { $0["id"]?.integer } == Array((1...104).reversed()))
        #expect(windows.pages > 1)
        let audit = try items(desk, "/api/v1/audit?limit=500", more: "&")
        #expect(audit.items.filter { $0["action"] == "window.created" }.count == 104)
        #expect(audit.pages > 1)
    }

    /// The whole of what is done is planned, asked about and carried out; how much of it is not told is counted.
    @Test func aLargeChangeAndItsPlanAreToldInPart() throws {
        let desk = try Desk()
        let apps = (0..<1_000).map { #"{"key":"app-\#($0)","name":"App","platforms":{"ios":{},"macos":{},"android":{}}}"# }
        let document = #"{"schema":"gatehouse/export/v1","apps":[\#(apps.joined(separator: ","))]}"#
        let applied = desk.ask(.post, "/api/v1/apply", #"{"document":\#(document),"sequence":0}"#)
        try applied.expect(200)
        #expect(applied.body.count <= 2_097_152)
        let told = applied.json.at("change.targets")?.array?.count ?? 0
        #expect(told > 100)
        #expect(applied.json.at("change.omitted")?.integer == 3_000 - told)
        let rows = applied.json.at("plan.diff")?.array?.count ?? 0
        #expect(applied.json.at("plan.omitted.diff")?.integer == 3_000 * 5 - rows)

        // Asked again, alone, in a list and as news.
        for path in ["/api/v1/changes/1", "/api/v1/changes", "/api/v1/events?after=0"] {
            let response = desk.ask(.get, path)
            try response.expect(200)
            #expect(response.body.count <= 2_097_152)
            let change = response.json["items"]?.array?.first ?? .object(response.json)
            let targets = change["targets"]?.array?.count ?? 0
            #expect(targets > 100)
            #expect(change["omitted"]?.integer == 3_000 - targets, "\(path)")
        }
        #expect(try items(desk, "/api/v1/targets").items.count == 3_000)

        let targets = (0..<1_000).map { #"{"app":"app-\#($0)","platform":"ios","revision":1}"# }
        let kill =
            #"{"targets":[\#(targets.joined(separator: ","))],"set":{"killSwitch":{"message":"\#(String(repeating: "x", count: 500))"}}"#
        let asked = desk.ask(.post, "/api/v1/changes", kill + "}")
        #expect(asked.summary == "422 confirmation_required /confirm")
        #expect(asked.body.count <= 2_097_152)
        #expect(asked.json.at("plan.confirm") == "kill 1000 targets")
        let killed = desk.ask(.post, "/api/v1/changes", kill + #","confirm":"kill 1000 targets"}"#)
        try killed.expect(200)
        #expect(killed.body.count <= 2_097_152)
        #expect(desk.poll("/feeds/app-999/ios/bellerophon.json").text.contains(#""apiInactive":true"#))
    }

    @Test func whatAnImportRefusesIsToldInPart() throws {
        let desk = try Desk().furnished()
        let objects = (0..<400).map {
            #"\"p\#($0)\":{\"alert\":{\"message\":\"\#(String(repeating: "x", count: 500))\",\"blocking\":false}}"#
        }
        let response = desk.ask(
            .post,
            "/api/v1/import",
            #"{"app":"shop","document":"{\#(objects.joined(separator: ","))}","dryRun":true,"skipInvalid":true}"#
        )
        try response.expect(200)
        let refused = try response.json["refused"]?.array.unwrapped() ?? []
        #expect(refused.count < 400)
        #expect(refused.last?["code"] == "more")
        #expect(refused.last?["detail"]?.string?.hasPrefix("\(400 - refused.count + 1) more parts") == true)
    }
}
