import Foundation
import GateJSON
import GateTesting
import Testing

/// Tokens and people from the command line, and any address for what has no command.
@Suite struct GatectlTokensTests {
    @Test func aTokenIsMadeReplacedAndRevoked() async throws {
        let gatectl = try await Gatectl.withShop()
        let made = try await gatectl("tokens", "add", "deploy", "--role", "operator", "--app", "shop", "--days", "30")
        #expect(made.status == 0, "\(made)")
        let token = made.out.trimmingCharacters(in: .newlines)
        #expect(token.hasPrefix("gate_") && !made.err.contains(token), "\(made)")
        let listed = try await gatectl("tokens", "-o", "plain").out
        #expect(listed.contains("\tdeploy\toperator\tshop\t"), "\(listed)")
        // It does what it is for, and no more.
        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y", with: ["GATECTL_TOKEN": token]).status == 0)
        #expect(
            try await gatectl("apps", "add", "bank", "--name", "Bank", "--platforms", "ios", with: ["GATECTL_TOKEN": token]).status == 4
        )

        let rotated = try await gatectl("tokens", "rotate", "deploy", "--revoke")
        let next = rotated.out.trimmingCharacters(in: .newlines)
        #expect(rotated.status == 0 && next != token, "\(rotated)")
        #expect(try await gatectl("status", with: ["GATECTL_TOKEN": token]).status == 4)
        #expect(try await gatectl("open", "shop", "ios", "-y", with: ["GATECTL_TOKEN": next]).status == 0)

        #expect(try await gatectl("tokens", "revoke", "deploy").status == 3, "nobody can be asked")
        #expect(try await gatectl("status", with: ["GATECTL_TOKEN": next]).status == 0)
        #expect(try await gatectl("tokens", "revoke", "deploy", "-y").out.hasPrefix("Revoked deploy ("))
        #expect(try await gatectl("status", with: ["GATECTL_TOKEN": next]).status == 4)
        #expect(try await gatectl("tokens", "revoke", "deploy", "-y").status == 6, "none of that name opens anything")
        #expect(try await gatectl("tokens", "list", "--all", "-o", "plain").out.components(separatedBy: "\tdeploy\t").count == 3)
    }

    /// What is shown only once is nobody's if it was not written; then nothing else must end for it.
    @Test(arguments: Deafness.allCases) func aTokenThatCouldNotBePrintedTakesNoOthersPlace(how: Deafness) async throws {
        let gatectl = try await Gatectl.withShop()
        let old = try await gatectl("tokens", "add", "deploy").out.trimmingCharacters(in: .newlines)
        let rotated = try await gatectl.unheard(how, ["tokens", "rotate", "deploy", "--revoke"])
        #expect(rotated.status == 1, "\(rotated)")
        #expect(rotated.err.contains("could not be written to standard output, so nobody has it"), "\(rotated)")
        #expect(rotated.err.contains("next: gatectl tokens revoke ") && rotated.err.contains(" works as before"), "\(rotated)")
        #expect(try await gatectl("status", with: ["GATECTL_TOKEN": old]).status == 0)
        let added = try await gatectl.unheard(how, ["tokens", "add", "nightly", "--json"])
        #expect(added.status == 1, "\(added)")
        let error = try added.errorJSON()
        #expect(error["code"] == .string("output_lost"))
        let id = try await gatectl("tokens", "-o", "plain").out.split(separator: "\n").first { $0.contains("\tnightly\t") }?.prefix {
            $0 != "\t"
        }
        #expect(error["next.0"]?.string == "gatectl tokens revoke \(id ?? "?"), then repeat the command")
        let invited = try await gatectl.unheard(how, ["users", "add", "ines", "--role", "viewer"])
        #expect(invited.status == 1 && invited.err.contains("gatectl users invite ines makes another"), "\(invited)")
    }

    @Test func whichTokenIsMeantIsAsked() async throws {
        let gatectl = try await Gatectl.withShop()
        for _ in 0..<2 { _ = try await gatectl("tokens", "add", "deploy") }
        let outcome = try await gatectl("tokens", "revoke", "deploy", "-y")
        #expect(outcome.status == 8)
        #expect(outcome.err.contains("2 tokens are called deploy"), "\(outcome)")
        #expect(try await gatectl("tokens", "revoke", "nightly", "-y").status == 6)
        #expect(try await gatectl("tokens", "add", "deploy", "--role", "owner").status == 64)
        #expect(try await gatectl("tokens", "add", "deploy", "--app", "No App").status == 8)
    }

    @Test func peopleAreListed() async throws {
        let gatectl = try await Gatectl.withShop()
        let users = try await gatectl("users", "-o", "plain")
        #expect(users.status == 0)
        #expect(users.out.contains("\tadmin\tall apps\tactive\t"), "\(users)")
    }

    @Test func anyAddressIsAsked() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("api", "get", "/status", "--json").json()["environment"] != nil)
        #expect(try await gatectl("api", "GET", "/api/v1/changes?limit=1", "--json").json()["items"]?.array?.count == 1)
        #expect(try await gatectl("api", "GET", "/metrics").out.contains("# TYPE"))
        #expect(try await gatectl("api", "GET", "/metrics", "--json").json().string?.contains("# TYPE") == true)
        let id = try await gatectl("tokens", "add", "gone", "--json").json()["id"]?.string ?? ""
        #expect(try await gatectl("api", "DELETE", "/tokens/\(id)", "--json").json() == .null, "nothing is a document too")
        let file = try gatectl.home.file("name.json", #"{"name":"The shop"}"#)
        #expect(try await gatectl("api", "PATCH", "/apps/shop", "-f", file).out.contains(#""name": "The shop""#))
        #expect(try await gatectl("api", "PATCH", "/apps/shop?dryRun=true", "-f", file).status == 8)
        let refused = try await gatectl("api", "PATCH", "/apps/shop", "-f", "-", input: #"{"name":""}"#)
        #expect(refused.status == 8)
        #expect(refused.err.contains("/name"), "\(refused)")
        #expect(try await gatectl("api", "GET", "/nothing").status == 6)
        #expect(try await gatectl("api", "FETCH", "/status").status == 64)
        #expect(try await gatectl("api", "GET", "status").status == 64)
    }

    /// A typo gives nobody an app that may come to exist one day.
    @Test(arguments: [
        ["tokens", "add", "deploy"], ["users", "add", "kim", "--role", "operator"], ["users", "set", "admin"],
    ])
    func anAppThatDoesNotExistIsNoScope(words: [String]) async throws {
        let gatectl = try await Gatectl.withShop()
        for dryRun in [[], ["-n"]] {
            let outcome = try await gatectl(words + ["--app", "shop", "--app", "shpo"] + dryRun)
            #expect(outcome.status == 6, "\(outcome)")
            #expect(outcome.err.contains("there is no app shpo. Did you mean shop?"), "\(outcome)")
        }
        #expect(try await gatectl("users", "-o", "plain").out.hasPrefix("admin\tadmin\tall apps\t"))
    }

    // MARK: People

    @Test func peopleAreAddedChangedAndRemoved() async throws {
        let gatectl = try await Gatectl.withShop()
        let file = "a long pass phrase\n"
        let added = try await gatectl(["users", "add", "sam", "--role", "operator", "--app", "shop", "--password-stdin"], input: file)
        #expect(added.status == 0, "\(added)")
        #expect(added.out == "Added sam, operator of shop\n")
        #expect(try await gatectl(["users", "add", "sam", "--role", "viewer", "--password-stdin"], input: file).status == 8)
        #expect(try await gatectl("users", "add", "tim", "--role", "viewer", "--first-password").status == 3)

        let disabled = try await gatectl("users", "set", "SAM", "--disable", "--role", "viewer", "--json").json()
        #expect(disabled["changed"] == .bool(true))
        #expect(disabled["user.disabled"] == .bool(true))
        #expect(disabled["user.role"] == .string("viewer"))
        #expect(try await gatectl("users", "set", "sam", "--disable", "--json").json()["changed"] == .bool(false))
        #expect(try await gatectl("users", "set", "sam", "--enable", "--all-apps").out == "Changed sam, viewer of all apps\n")
        #expect(try await gatectl("users", "set", "sam").status == 64)
        #expect(try await gatectl("users", "set", "samm", "--enable").err.contains("Did you mean sam?"))

        #expect(try await gatectl("users", "remove", "sam").status == 3)
        let removed = try await gatectl("users", "remove", "sam", "-y")
        #expect(removed.status == 0 && removed.out == "Removed sam, viewer of all apps\n", "\(removed)")
        #expect(try await gatectl("users", "remove", "sam", "-y").status == 6)
    }

    /// The link alone on standard output; each works once, and a new one takes the place of the one before.
    @Test func somebodyIsInvitedByALinkThatWorksOnce() async throws {
        let gatectl = try await Gatectl.withShop()
        func accept(_ link: String) async throws -> Outcome {
            let token = link.split { "/\n".contains($0) }.last ?? ""
            let body = #"{"invitation":"\#(token)","password":"a long pass phrase"}"#
            return try await gatectl(["api", "POST", "/invitations", "-f", "-"], input: body)
        }
        let added = try await gatectl("users", "add", "ines", "--role", "operator", "--app", "shop")
        #expect(added.status == 0, "\(added)")
        #expect(added.out.wholeMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+\/#\/invitation\/[A-Za-z0-9_-]{43}\n/) != nil, "\(added)")
        #expect(added.err.contains("Added ines, operator of shop. The link works once, until 20"), "\(added)")
        #expect(added.err.contains("gatectl users invite ines") && added.err.contains("opens on this machine only"), "\(added)")
        #expect(try await gatectl("users", "-o", "plain").out.contains("ines\toperator\tshop\tinvited\t"))
        #expect(try await gatectl("users").out.contains("invited until 20"))

        let again = try await gatectl("users", "invite", "INES", "--json").json()
        #expect(again["changed"] == .bool(true) && again["user.username"] == .string("ines") && again["user.hasPassword"] == .bool(false))
        let link = try #require(again["invitation.link"]?.string)
        #expect(again["invitation.expiresAt"] == again["user.invitedUntil"] && link != added.out)
        let refused = try await accept(added.out)
        #expect(refused.status == 4 && refused.err.contains("ask an administrator for a new one"), "\(refused)")
        let taken = try await accept(link)
        #expect(taken.status == 0 && taken.out.contains(#""username": "ines""#), "\(taken)")
        #expect(try await accept(link).status == 4)
        #expect(try await gatectl("users", "-o", "plain").out.contains("ines\toperator\tshop\tactive\t"))

        #expect(try await gatectl("users", "invite", "inez").err.contains("Did you mean ines?"))
        #expect(try await gatectl("users", "invite", "nobody").status == 6)
        #expect(try await gatectl("users", "set", "ines", "--disable").status == 0)
        #expect(try await gatectl("users", "invite", "ines").status == 8)
        #expect(try await gatectl("users", "add", "lea", "--role", "viewer", "--json").json()["invitation.link"] != nil)
    }
}
