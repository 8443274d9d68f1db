import Foundation
import GateHTTP
import GateJSON
import GateModel
import GateService
import GateTesting
import Testing

@testable import GateServer

/// Invitations as the API makes and takes them.
@Suite struct InvitationRouteTests {
    private let chosen = "what I chose myself"

    private func desk(secure: Bool = false) throws -> Desk {
        let desk = try Desk(secure: secure)
        _ = try desk.browser("ann", .admin)
        return desk
    }

    private func invite(_ name: String, at desk: Desk) throws -> String {
        let made = desk.ask(.post, "/api/v1/users", #"{"username":"\#(name)","role":"operator","apps":["shop"]}"#)
        try made.expect(201)
        return try made.json.at("invitation.token")?.string.unwrapped() ?? ""
    }

    /// From another machine.
    private func accept(_ token: String, at desk: Desk, _ password: String? = nil, headers: HTTPHeaders = [:]) -> HTTPResponse {
        let body = #"{"invitation":"\#(token)","password":"\#(password ?? chosen)"}"#
        return desk.ask(.post, "/api/v1/invitations", body, as: .nobody, headers: headers, peer: PeerAddress(bytes: [192, 0, 2, 7]))
    }

    @Test func whoIsAddedWithoutAPasswordIsInvitedAndSignsInWithTheLinkFromAnywhere() throws {
        let desk = try desk()
        let made = desk.ask(.post, "/api/v1/users", #"{"username":"ines","role":"operator","apps":["shop"],"password":null}"#)
        try made.expect(201)
        let person = ["id", "username", "role", "apps", "disabled", "totp", "createdAt", "passwordChangedAt"]
        #expect(made.json.names == person + ["hasPassword", "invitedUntil", "invitation"])
        #expect(made.json["invitation"]?.object?.names == ["token", "expiresAt"])
        #expect(made.json.at("invitation.expiresAt")?.string == desk.clock.now.advanced(bySeconds: 72 * 3_600).description)
        #expect(made.headers["Cache-Control"] == "no-store")
        let token = try made.json.at("invitation.token")?.string.unwrapped() ?? ""
        let listed = desk.ask(.get, "/api/v1/users")
        #expect(!listed.text.contains(token))
        let row = listed.json["items"]?.array?.first { $0["username"] == "ines" }
        #expect((row?["hasPassword"], row?["invitedUntil"]) == (.bool(false), made.json.at("invitation.expiresAt")))

        let begun = accept(token, at: desk)
        let browser = try desk.browser(from: begun)
        #expect(begun.headers.values(of: "Set-Cookie").map { $0.split(separator: "=")[0] } == ["gh_session", "gh_device"])
        #expect(begun.headers.values(of: "Set-Cookie").allSatisfy { $0.contains("HttpOnly") && $0.contains("SameSite=Strict") })
        let session = desk.ask(.get, "/api/v1/session", in: browser)
        #expect(session.json == begun.json && session.json.at("user.username") == "ines")
        #expect(desk.ask(.post, "/api/v1/session", #"{"username":"ines","password":"\#(chosen)"}"#, as: .nobody).status == 200)
        #expect(desk.ask(.get, "/api/v1/users").json["items"]?.array?.first { $0["username"] == "ines" }?.object?.names == person)
    }

    /// Over https the cookie is the one that only https has.
    @Test func theCookieIsThatOfASignIn() throws {
        let desk = try desk(secure: true)
        let begun = accept(try invite("ines", at: desk), at: desk)
        #expect(try begun.headers["Set-Cookie"].unwrapped().hasPrefix("__Host-gh_session="))
        #expect(try begun.headers["Set-Cookie"].unwrapped().contains("Secure"))
    }

    @Test func aNewInvitationIsMadeOfAnybodyButOneselfAndWhoIsDisabled() throws {
        let desk = try desk()
        let browser = try desk.browser("ann", .admin)
        let first = try invite("ines", at: desk)
        let again = desk.ask(.post, "/api/v1/users/INES/invitation", "{}", in: browser)
        try again.expect(201)
        #expect(accept(first, at: desk).summary == "403 invitation /invitation")
        #expect(accept(try again.json.at("invitation.token")?.string.unwrapped() ?? "", at: desk).status == 200)
        #expect(desk.ask(.post, "/api/v1/users/ann/invitation", "{}", in: browser).summary == "409 own_password")
        try desk.ask(.patch, "/api/v1/users/ines", #"{"disabled":true}"#).expect(200)
        #expect(desk.ask(.post, "/api/v1/users/ines/invitation", "{}").summary == "409 user_disabled")
    }

    /// Whoever was signed in there is not any more: two people in one browser would act as each other.
    @Test func theSessionThatTheBrowserHadEnds() throws {
        let desk = try desk()
        let ann = try desk.browser("ann", .admin)
        let body = #"{"invitation":"\#(try invite("ines", at: desk))","password":"\#(chosen)"}"#
        let begun = desk.ask(.post, "/api/v1/invitations", body, in: ann)
        try begun.expect(200)
        #expect(desk.ask(.get, "/api/v1/session", in: ann).status == 401)
        #expect(desk.ask(.get, "/api/v1/session", in: try desk.browser(from: begun)).json.at("user.username") == "ines")
    }

    /// R35: no page of another origin sets anybody's password, and what it sends uses nothing up.
    @Test func onlyThisServersPagesAndToolsMayBringIt() throws {
        let desk = try desk()
        let token = try invite("ines", at: desk)
        let foreign: [HTTPHeaders] = [
            ["Origin": "https://evil.test", "Host": "gate.test"], ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
            ["Origin": "null", "Host": "gate.test"],
        ]
        for headers in foreign { #expect(accept(token, at: desk, headers: headers).summary == "403 foreign_origin") }
        #expect(accept(token, at: desk, headers: ["Content-Type": "text/plain"]).status == 415)
        #expect(
            accept(token, at: desk, headers: ["Origin": "http://gate.test", "Host": "gate.test", "Sec-Fetch-Site": "same-origin"]).status
                == 200
        )
    }

    @Test func whatDoesNotOpenIsToldTheSameAndThenToWait() throws {
        let desk = try desk()
        let used = try invite("ines", at: desk)
        let expired = try invite("jana", at: desk)
        #expect(accept(used, at: desk).status == 200)
        desk.clock.advance(seconds: Invitation.lifetime)
        let answers = [used, expired, "x", String(repeating: "A", count: 43)].map { accept($0, at: desk) }
        for answer in answers {
            #expect(answer.summary == "403 invitation /invitation")
            #expect(answer.json["detail"] == answers[0].json["detail"] && answer.json.names == answers[0].json.names)
            #expect(answer.headers["Set-Cookie"] == nil)
        }
        for _ in 4..<20 { #expect(accept("x", at: desk).status == 403) }
        let waiting = accept("x", at: desk)
        #expect(waiting.summary == "429 too_many_tries" && waiting.headers["Retry-After"] == "600")
        let signIn = #"{"username":"ann","password":"\#(Desk.password)"}"#
        #expect(desk.ask(.post, "/api/v1/session", signIn, as: .nobody, peer: PeerAddress(bytes: [192, 0, 2, 7])).status == 200)
    }

    /// Whoever repeats a request under its key is not told the secret again: nothing is kept of it.
    @Test func noAnswerIsKeptUnderAKey() throws {
        let desk = try desk()
        let key: HTTPHeaders = ["Idempotency-Key": "the-same"]
        let body = #"{"username":"ines","role":"viewer"}"#
        let made = desk.ask(.post, "/api/v1/users", body, headers: key)
        try made.expect(201)
        let again = desk.ask(.post, "/api/v1/users", body, headers: key)
        #expect(again.summary == "409 exists /username" && !again.text.contains("invitation"))
        let invitations = [1, 2].map { _ in desk.ask(.post, "/api/v1/users/ines/invitation", "{}", headers: key) }
        let answers = [made] + invitations
        let tokens = try answers.map { try $0.json.at("invitation.token")?.string.unwrapped() ?? "" }
        #expect(Set(tokens).count == 3)
        for number in [0, 1] { #expect(accept(tokens[number], at: desk, headers: key).status == 403) }
        #expect(accept(tokens[2], at: desk, headers: key).status == 200)
        #expect(accept(tokens[2], at: desk, headers: key).status == 403)

        // R46: nor anywhere else.
        desk.access.writeRefusals(all: true)
        let told = desk.ask(.get, "/api/v1/audit?limit=500").text
        #expect(told.contains("people.invite") && told.contains("people.accept"))
        let files = try ["", "-wal"].map { try Data(contentsOf: URL(filePath: desk.folder + "/gatehouse.sqlite" + $0)) }
        for secret in tokens + [chosen] {
            #expect(!told.contains(secret) && !desk.logged.all.contains { $0.contains(secret) })
            #expect(files.allSatisfy { $0.range(of: Data(secret.utf8)) == nil })
        }
        // The search finds what is there.
        #expect(files.contains { $0.range(of: Data("people.accept".utf8)) != nil })
    }

    /// What lies wrong in a body is told before the invitation is looked at, and uses nothing up.
    @Test func aRefusedPasswordLeavesTheLinkGood() throws {
        let desk = try desk()
        let token = try invite("ines", at: desk)
        #expect(accept(token, at: desk, "short").summary == "422 invalid_password /password")
        #expect(accept(token, at: desk, "password1234").summary == "422 invalid_password /password")
        #expect(accept(token, at: desk).status == 200)
    }
}
