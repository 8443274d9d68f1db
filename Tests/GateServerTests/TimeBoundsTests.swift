import GateHTTP
import GateJSON
import GateModel
import GateService
import GateStore
import GateTesting
import Testing

@testable import GateServer

/// R53: every time that enters lies in the years 1970 to 9998, in UTC and where it is given. What is taken can be read after a start.
@Suite struct TimeBoundsTests {
    /// Times of RFC 3339 that lie outside, in UTC or at their offset.
    static let outside = [
        "9999-12-31T23:59:59-00:01", "9999-12-31T23:59:59Z", "9999-01-01T00:00:00Z", "9999-01-01T00:00:00+14:00",
        "9998-12-31T23:59:59-00:01",
        "9998-12-31T23:59:60Z", "9999-12-31T23:59:59+23:59", "1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00+00:01",
        "1969-12-31T23:59:59-00:01",
        "0000-01-01T00:00:00+23:59", "0001-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "99999-01-01T00:00:00Z",
    ]

    private func expect(_ response: HTTPResponse, _ status: Int, _ code: String, at field: String, _ time: String) {
        #expect(response.status == status, "\(time): \(response.text)")
        #expect(response.code == code, "\(time): \(response.text)")
        #expect(response.field == field, "\(time): \(response.text)")
        let detail = response.json["detail"]?.string ?? ""
        #expect(detail.contains("1970") && detail.contains("9998"), "\(time): \(detail)")
    }

    @Test func aTimeOutsideIsRefusedWhereverItStands() throws {
        let desk = try Desk().furnished()
        let kill = #""set":{"killSwitch":{"message":"Back.","retryInterval":30"#
        for time in Self.outside {
            expect(
                desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, kill + #","until":"\#(time)"}}"#),
                422,
                "invalid_time",
                at: "/set/killSwitch/until",
                time
            )
            let window = { (start: String, end: String, until: String) in
                desk.ask(
                    .post,
                    "/api/v1/windows",
                    #"{"targets":[{"app":"shop","platform":"ios","revision":1}],\#(kill)\#(until)}},"start":\#(start),"end":\#(end)}"#
                )
            }
            let fine = #""2040-01-01T00:00:00Z""#
            expect(window("\"\(time)\"", "null", ""), 422, "invalid_time", at: "/start", time)
            expect(window(#"{"at":"\#(time)"}"#, "null", ""), 422, "invalid_time", at: "/start/at", time)
            expect(window(fine, "\"\(time)\"", ""), 422, "invalid_time", at: "/end", time)
            expect(window(fine, "null", #","until":"\#(time)""#), 422, "invalid_time", at: "/set/killSwitch/until", time)
            expect(desk.ask(.post, "/api/v1/tokens", #"{"name":"ci","expiresAt":"\#(time)"}"#), 422, "invalid_time", at: "/expiresAt", time)
            expect(
                desk.ask(.post, "/api/v1/simulate", #"{"app":"shop","platform":"ios","version":"1","at":"\#(time)"}"#),
                422,
                "invalid_time",
                at: "/at",
                time
            )
            expect(
                desk.ask(.post, "/api/v1/simulate", #"{"app":"shop","platform":"ios","versions":[],"at":"\#(time)"}"#),
                422,
                "invalid_time",
                at: "/at",
                time
            )
            let escaped = time.replacing("+", with: "%2B")
            for path in ["/api/v1/changes", "/api/v1/audit"] {
                for name in ["since", "until"] { expect(desk.ask(.get, "\(path)?\(name)=\(escaped)"), 400, "malformed", at: name, time) }
            }
        }
    }

    @Test func aTimeOutsideInItsZoneIsRefused() throws {
        let desk = try Desk().furnished()
        let cases = [
            (#"{"at":"9998-12-31T23:30:00Z","zone":"Pacific/Kiritimati"}"#, "/start/at"),
            (#"{"at":"9999-12-31T23:30:00Z","zone":"Pacific/Kiritimati"}"#, "/start/at"),
            (#"{"wallTime":"9998-12-31T23:30","zone":"America/New_York"}"#, "/start/wallTime"),
            (#"{"wallTime":"9999-12-31T23:59","zone":"UTC"}"#, "/start/wallTime"),
            (#"{"wallTime":"1969-12-31T23:00","zone":"America/New_York"}"#, "/start/wallTime"),
            (#"{"wallTime":"1970-01-01T00:30","zone":"Europe/Berlin"}"#, "/start/wallTime"),
        ]
        for (start, field) in cases {
            let response = desk.ask(
                .post,
                "/api/v1/windows",
                #"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{"alert":{"message":"a","blocking":false}},"start":\#(start)}"#
            )
            expect(response, 422, "invalid_time", at: field, start)
        }
    }

    /// The last moments that are taken, with what shows them elsewhere, are there again after a start.
    @Test func whatIsTakenIsReadAgain() throws {
        let desk = try Desk().furnished()
        try desk.change(
            #"{"app":"shop","platform":"ios","revision":1}"#,
            #""set":{"killSwitch":{"message":"Back.","retryInterval":30,"until":"9998-12-31T23:59:59.999Z"}}"#
        ).expect(200)
        for start in [
            #""9998-12-31T23:59:59Z""#, #"{"at":"9998-12-31T23:59:59Z","zone":"Etc/GMT+12"}"#,
            #"{"wallTime":"9998-12-31T23:59","zone":"Pacific/Kiritimati"}"#,
        ] {
            try desk.ask(
                .post,
                "/api/v1/windows",
                #"{"targets":[{"app":"shop","platform":"android","revision":1}],"set":{"alert":{"message":"a","blocking":false}},"start":\#(start)}"#
            ).expect(201)
        }
        let store = try desk.ledger.store.unwrapped()
        let (state, schedule, history) = (try store.loadState(), try store.loadSchedule(), try store.changes())
        try store.close()
        let again = try Store(
            StoreConfiguration(directory: desk.folder, migrations: Desk.migrations, createIfMissing: false, now: { desk.clock.now })
        )
        #expect(try again.loadState() == state)
        #expect(try again.loadSchedule() == schedule)
        #expect(try again.changes() == history)
        try desk.ledger.start(with: again)
    }

    /// Foundation reads a zone's name up to a NUL; kept whole, it would be shown to everybody who looks at the window.
    @Test(arguments: [#"Europe/Berlin\u0000"#, #"Europe/Berlin\u0000<b>"#, #"\u212Aiev/x"#, "Europe/Berlin ", "Pacific/Kiritimati\\n"])
    func aZoneIsNamedInPlainLetters(name: String) throws {
        let desk = try Desk().furnished()
        let response = desk.ask(
            .post,
            "/api/v1/windows",
            #"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{"alert":{"message":"a","blocking":false}},"start":{"at":"2040-01-01T00:00:00Z","zone":"\#(name)"}}"#
        )
        #expect(response.summary == "422 invalid_zone /start/zone")
    }
}
