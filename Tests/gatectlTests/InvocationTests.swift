import Foundation
import GateTesting
import Testing

@testable import gatectl

/// Commands that are printed to be typed next.
struct InvocationTests {
    /// Without the option that chose the server, they would go to the current context: to production, for whoever tried something
    /// elsewhere.
    @Test(arguments: [
        ("kill shop ios", "schedule cancel 3", "gatectl schedule cancel 3"),
        ("kill shop ios --context dev", "rollback shop ios --to 3", "gatectl rollback shop ios --to 3 --context dev"),
        ("--context=dev kill shop/ios", "watch shop ios", "gatectl watch shop ios --context dev"),
        ("status --context a --context b", "auth status", "gatectl auth status --context b"),
        ("kill shop ios -m --context", "status", "gatectl status"), ("kill shop ios -m x -- --context dev", "status", "gatectl status"),
        ("schedule add a b -- kill -m x --context dev", "schedule cancel 3", "gatectl schedule cancel 3 --context dev"),
        ("status --context it's", "status", #"gatectl status --context 'it'\''s'"#),
        ("auth login --server https://a.example", "auth login", "gatectl auth login --server https://a.example"),
        ("auth logout --server=https://a.example", "auth logout", "gatectl auth logout --server https://a.example"),
        ("auth login --server https://[::1]", "auth login", "gatectl auth login --server 'https://[::1]'"),
        // What has no such option takes the address from the environment.
        ("auth login --server https://a.example", "tokens revoke x", "GATECTL_SERVER=https://a.example gatectl tokens revoke x"),
        ("auth login --server https://a.example --context b", "auth login", "gatectl auth login --server https://a.example"),
    ])
    func whatComesNextIsForTheSameServer(typed: String, next: String, printed: String) {
        #expect(Invocation.sameServer(next, as: ["gatectl"] + typed.split(separator: " ").map(String.init)) == printed)
    }

    /// What is printed goes through `Invocation.sameServer`, unless it concerns no server, names one, or only speaks of a command.
    @Test func noCommandIsPrintedWithoutItsServer() throws {
        let local: Set = ["completion", "context", "help", "render", "validate", "version"]
        let spokenOf = [
            "gatectl export --with-revisions", "by hand: gatectl open --over", "look with gatectl reach then", "gatectl api sends what you",
            "ask an administrator what became of it: gatectl tokens list",
        ]
        let names = Gatectl.commandNames.filter { !local.contains($0) }.joined(separator: "|")
        let printed = try Regex("gatectl (\(names))\\b")
        let folder = ProjectFiles.root + "/Sources/gatectl"
        let files = try #require(FileManager.default.subpaths(atPath: folder)).filter { $0.hasSuffix(".swift") }
        #expect(files.count > 100)
        for file in files {
            let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            // Every second piece is a text of several lines: a help.
            let code = text.components(separatedBy: "\"\"\"").enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
            for line in code.split(separator: "\n") where line.contains(printed) {
                let isHelp = line.contains("help: \"") || line.drop { $0 == " " }.hasPrefix("//")
                let isComplete = line.contains(" --server ") || line.contains(" --context ") || spokenOf.contains(where: line.contains)
                #expect(isHelp || isComplete, "\(file): \(line)")
            }
        }
    }
}
