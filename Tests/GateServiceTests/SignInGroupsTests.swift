import Foundation
import GateModel
import GateTesting
import Testing

@testable import GateService

/// The table of `--sign-in-groups`.
@Suite struct SignInGroupsTests {
    private func words(_ rights: SignInGroups.Rights?) -> String {
        guard let rights else { return "nothing" }
        let apps =
            switch rights.scope {
            case .all: "*"
            case .only(let apps): apps.sorted().map(\.text).joined(separator: ",")
            }
        return "\(rights.role.rawValue) \(apps)"
    }

    @Test func aTableIsRead() throws {
        let table = try SignInGroups(
            "# a comment\n\n  \t\r\nadmins admin\r\n\trelease\toperator  shop,bank # of both\n\"Domain Users\" viewer *\n/keycloak/path operator shop #1\n"
        )
        #expect(table.namesGroups)
        for (groups, wanted) in [
            (["admins"], "admin *"), (["release"], "operator bank,shop"), (["Domain Users"], "viewer *"),
            (["/keycloak/path"], "operator shop"), ([], "nothing"),
            (["Admins"], "nothing"), (["*"], "nothing"), (["#"], "nothing"),
        ] { #expect(words(table.rights(of: groups)) == wanted, "\(groups)") }
        #expect(table.rights(of: ["x", "release"])?.groups == ["release"])
    }

    /// Whatever lines come together: for each app no more than some line says.
    @Test func noUnionGivesMoreThanALineSays() throws {
        let scopes = ["*", "shop", "bank", "shop,bank", "news"]
        var lines: [(group: String, role: Role, scope: AppScope)] = []
        for role in Role.allCases {
            for scope in scopes {
                let keys = scope.split(separator: ",").map { AppKey(String($0)) }
                lines.append(("\(role.rawValue)-\(scope)", role, scope == "*" ? .all : .only(Set(keys.compactMap { $0 }))))
            }
        }
        let table = try SignInGroups(
            lines.map {
                "\"\($0.group.replacing(",", with: "+"))\" \($0.role.rawValue) \($0.scope == .all ? "*" : $0.group.split(separator: "-")[1])"
            }.joined(separator: "\n")
        )
        let apps = ["shop", "bank", "news", "another"].map { AppKey($0)! }
        for first in lines {
            for second in lines {
                for third in lines {
                    let chosen = [first, second, third]
                    let rights = try #require(table.rights(of: chosen.map { $0.group.replacing(",", with: "+") }))
                    for app in apps where rights.scope.contains(app) {
                        #expect(chosen.contains { $0.scope.contains(app) && $0.role >= rights.role }, "\(chosen.map(\.group)) for \(app)")
                    }
                    #expect(chosen.contains { $0.role == rights.role })
                    if rights.scope == .all { #expect(chosen.contains { $0.scope == .all && $0.role == rights.role }) }
                }
            }
        }
    }

    @Test(arguments: [
        ("", 1, "names no group"), ("# only\n\n", 1, "names no group"), ("admins", 1, "GROUP ROLE [APPS]"),
        ("a viewer\nb", 2, "GROUP ROLE [APPS]"),
        ("a viewer shop bank", 1, "GROUP ROLE [APPS]"), ("Domain Users viewer", 1, "is not a role"),
        ("a owner", 1, "viewer, operator, admin"),
        ("a Viewer", 1, "is not a role"), ("a \"viewer\"", 1, "is not a role"), ("a viewer Shop", 1, "\"Shop\" is not an app key"),
        ("a viewer shop,", 1, "is not an app key"),
        ("a viewer shop, bank", 1, "GROUP ROLE [APPS]"), ("a viewer *,shop", 1, "is not an app key"),
        ("a viewer\n\n#\na operator", 4, "has a line already"),
        ("\"a\" viewer\na viewer", 2, "has a line already"), ("\"a viewer", 1, "has no end"), ("\"a\"viewer", 1, "closing quote"),
        ("a\"b viewer", 1, "put quotes"),
        ("\"a,b\" viewer", 1, "no comma"), ("a,b viewer", 1, "no comma"), ("\"\" viewer", 1, "1 to 200"), ("\" a\" viewer", 1, "1 to 200"),
        ("\"*\" viewer", 1, "without quotes"),
        ("* viewer\n* admin", 2, "has a line already"), ("a\u{7} viewer", 1, "1 to 200"), ("a\u{FFFD} viewer", 1, "1 to 200"),
        (String(repeating: "g", count: 201) + " viewer", 1, "1 to 200"), ("\u{FEFF}# with a mark\na viewer", 1, "GROUP ROLE"),
        ((0...1_000).map { "g\($0) viewer" }.joined(separator: "\n"), 1_001, "more than 1000 groups"),
        (String(repeating: "#", count: 262_145), 1, "more than 262144 bytes"),
    ])
    func aBadLineIsNamedWithItsNumber(text: String, number: Int, words: String) {
        let error = #expect(throws: SignInGroups.BadLine.self) { try SignInGroups(text) }
        #expect(error?.number == number)
        #expect(error?.problem.contains(words) == true, "\(error.map { "\($0)" } ?? "none")")
    }

    /// The one that people copy.
    @Test func theTableOfTheDocumentationIsSoundAndMeansWhatStandsThere() throws {
        let page = try String(contentsOfFile: ProjectFiles.root + "/deploy/README.md", encoding: .utf8)
        let block = try #require(page.split(separator: "```\n").first { $0.contains("release-managers ") && $0.contains("* ") })
        let table = try SignInGroups(String(block))
        #expect(words(table.rights(of: ["release-managers", "Customer Care"])) == "operator bank,shop")
        #expect(words(table.rights(of: ["admins"])) == "admin *" && words(table.rights(of: ["other"])) == "viewer *")
    }

    @Test func theLargestTableAndTheLongestHeaderAreSoonDone() throws {
        let table = try SignInGroups((0..<1_000).map { "group-\($0) operator app-\($0)" }.joined(separator: "\n"))
        let names = SignInGroups.names(in: (0..<2_000).map { "group-\($0)" }.joined(separator: ","))
        #expect(names.count == 2_000)
        guard case .only(let apps)? = table.rights(of: names)?.scope else { return #expect(Bool(false), "all apps of all lines") }
        #expect(apps.count == 1_000)
    }
}
