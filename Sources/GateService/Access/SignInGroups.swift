package import GateModel

/// What the groups of a company's directory may do here: the table of `--sign-in-groups`.
///
/// One line a group, `GROUP ROLE [APPS]`: the role's word, and the keys of the apps it applies to, separated by commas, or `*` for all,
/// which is also the meaning when nothing is given. A group with spaces in its name is written in double quotes. `*` in place of a group is
/// everybody whom the proxy names. What follows a `#` at the start of a line or after a space is a comment.
package struct SignInGroups: Sendable, Hashable {
    /// What somebody's groups allow.
    package struct Rights: Sendable, Hashable {
        package let role: Role
        package let scope: AppScope
        /// The groups that grant it, in order.
        package let groups: [String]

        package init(role: Role, scope: AppScope, groups: [String] = []) {
            self.role = role
            self.scope = scope
            self.groups = groups
        }
    }

    /// A line that cannot be understood. A table is accepted as a whole or not at all: with half a table, nobody knows whom it lets in.
    package struct BadLine: Error, Sendable, Hashable, CustomStringConvertible {
        /// From 1.
        package let number: Int
        /// What is wrong with it, and how to fix it.
        package let problem: String

        package var description: String { "line \(number): \(problem)" }
    }

    /// In place of a group: everybody whom the proxy names.
    package static let everybody = "*"
    /// Most bytes of a table, and most lines that name a group.
    package static let mostBytes = 262_144
    package static let mostGroups = 1_000
    /// How many Unicode scalars a group's name may have.
    package static let nameLengths = 1...200

    private var lines: [String: Rights] = [:]

    private init(lines: [String: Rights]) { self.lines = lines }

    /// For when no table is given: whoever the proxy names may look at everything and change nothing. The least that signing in can mean.
    package static let everybodyLooks = SignInGroups(lines: [everybody: Rights(role: .viewer, scope: .all, groups: [everybody])])

    /// - Throws: the first line that is wrong; line 1 for a table without any line.
    package init(_ text: String) throws(BadLine) {
        guard text.utf8.count <= Self.mostBytes else {
            throw BadLine(number: 1, problem: "the table has more than \(Self.mostBytes) bytes; name fewer groups")
        }
        let rows = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, row) in rows.enumerated() {
            do throws(Problem) { try read(row) } catch { throw BadLine(number: index + 1, problem: error.text) }
        }
        guard !lines.isEmpty else {
            throw BadLine(
                number: 1,
                problem: "the table names no group, so nobody could sign in; write a line such as: release-managers operator shop"
            )
        }
    }

    /// Whether there is any line besides the one for everybody.
    package var namesGroups: Bool { lines.keys.contains { $0 != Self.everybody } }

    /// What somebody in these groups may do; nil when no line of the table applies to them.
    ///
    /// When several lines apply, the strongest role counts, and only for the apps of the lines that give it: a person has one role here,
    /// and must not get it for an app for which no line gives it.
    package func rights(of groups: some Sequence<String>) -> Rights? {
        let found = (groups + [Self.everybody]).compactMap { lines[$0] }
        guard let role = found.map(\.role).max() else { return nil }
        let strongest = found.filter { $0.role == role }
        return Rights(
            role: role,
            scope: strongest.dropFirst().reduce(strongest[0].scope) { $0.union($1.scope) },
            groups: Set(strongest.flatMap(\.groups)).sorted()
        )
    }

    /// The groups in a header's value: names separated by commas. Unknown names do no harm, and empty ones are dropped.
    package static func names(in value: String) -> [String] {
        value.split(separator: ",").map { name in
            var name = name.drop { $0 == " " || $0 == "\t" }
            while name.last == " " || name.last == "\t" { name.removeLast() }
            return String(name)
        }.filter { !$0.isEmpty }
    }

    // MARK: Reading

    private struct Problem: Error { let text: String }

    private mutating func read(_ row: Substring) throws(Problem) {
        let words = try Self.words(of: row)
        guard let group = words.first else { return }
        guard (2...3).contains(words.count) else {
            throw Problem(text: "write GROUP ROLE [APPS], with commas and no spaces between apps; put a group with spaces in double quotes")
        }
        try Self.check(group)
        guard let role = Role(rawValue: words[1].text), !words[1].isQuoted else {
            throw Problem(
                text:
                    "\(Self.shown(words[1].text)) is not a role; write \(Role.allCases.map(\.rawValue).joined(separator: ", ")) after the group"
            )
        }
        let scope = words.count == 3 ? try Self.scope(words[2].text) : .all
        guard lines[group.text] == nil else {
            throw Problem(text: "\(Self.shown(group.text)) has a line already; list all of its apps there, because a group has one role")
        }
        guard lines.count < Self.mostGroups else { throw Problem(text: "the table has more than \(Self.mostGroups) groups; name fewer") }
        lines[group.text] = Rights(role: role, scope: scope, groups: [group.text])
    }

    private static func check(_ group: (text: String, isQuoted: Bool)) throws(Problem) {
        let scalars = group.text.unicodeScalars
        // U+FFFD replaces bytes that are not UTF-8, so different names would look the same; a comma separates the groups of the header.
        let isSound =
            nameLengths.contains(scalars.count)
            && scalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0.value != 0xFFFD && $0 != "," }
            && scalars.first != " " && scalars.last != " "
        guard isSound else {
            throw Problem(
                text:
                    "a group's name has \(nameLengths.lowerBound) to \(nameLengths.upperBound) characters and no comma: the proxy separates groups by commas"
            )
        }
        guard group.text != everybody || !group.isQuoted else {
            throw Problem(text: "write * without quotes for everybody whom the proxy names")
        }
    }

    private static func scope(_ text: String) throws(Problem) -> AppScope {
        if text == "*" { return .all }
        var apps: Set<AppKey> = []
        for key in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let app = AppKey(String(key)) else {
                throw Problem(
                    text: "\(shown(String(key))) is not an app key; write keys with commas and no spaces between them, or * for all"
                )
            }
            apps.insert(app)
        }
        return .only(apps)
    }

    /// The words of a row, up to a comment.
    private static func words(of row: Substring) throws(Problem) -> [(text: String, isQuoted: Bool)] {
        var words: [(text: String, isQuoted: Bool)] = []
        var rest = row[...]
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" }
            guard let first = rest.first, first != "#" else { return words }
            if first == "\"" {
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(of: "\"") else {
                    throw Problem(text: "the quote at the start of the group's name has no end")
                }
                words.append((String(rest[..<end]), true))
                rest = rest[rest.index(after: end)...]
                guard rest.first.map({ $0 == " " || $0 == "\t" }) ?? true else {
                    throw Problem(text: "put a space after the closing quote")
                }
            } else {
                let word = rest.prefix { $0 != " " && $0 != "\t" }
                guard !word.contains("\"") else {
                    throw Problem(text: "put quotes at the start and the end of a group's name, or nowhere")
                }
                words.append((String(word), false))
                rest = rest[word.endIndex...]
            }
        }
    }

    /// Text made safe for a terminal.
    private static func shown(_ text: String) -> String {
        "\""
            + String(
                String.UnicodeScalarView(
                    text.unicodeScalars.prefix(60).map {
                        $0.properties.isWhitespace || $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? " " : $0
                    }
                )
            ) + "\""
    }
}

extension AppScope {
    /// The apps that are in either.
    fileprivate func union(_ other: AppScope) -> AppScope {
        switch (self, other) {
        case (.all, _), (_, .all): .all
        case (.only(let apps), .only(let others)): .only(apps.union(others))
        }
    }
}
