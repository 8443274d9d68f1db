package import GateModel

/// What the groups of a company's directory may do here: the table of `--sign-in-groups`.
///
/// One line a group, `GROUP ROLE [APPS]`: the role's word, and the keys of the apps that it holds for with commas between, or `*` for all, which is
/// also meant where nothing stands. A group with blanks in its name stands in double quotes. `*` in a group's place is everybody whom the proxy
/// names. What follows a `#` at the start of a line or behind a blank is a comment.
package struct SignInGroups: Sendable, Hashable {
    /// What somebody may do by their groups.
    package struct Rights: Sendable, Hashable {
        package let role: Role
        package let scope: AppScope
        /// The groups by which, in order.
        package let groups: [String]

        package init(role: Role, scope: AppScope, groups: [String] = []) {
            self.role = role
            self.scope = scope
            self.groups = groups
        }
    }

    /// A line that is not to be understood. A table is taken whole or not at all: of half a table nobody knows whom it lets in.
    package struct BadLine: Error, Sendable, Hashable, CustomStringConvertible {
        /// From 1.
        package let number: Int
        /// What is wrong with it, and what mends it.
        package let problem: String

        package var description: String { "line \(number): \(problem)" }
    }

    /// In a group's place: everybody whom the proxy names.
    package static let everybody = "*"
    /// Bytes of a table, and lines that name a group.
    package static let mostBytes = 262_144
    package static let mostGroups = 1_000
    /// Unicode scalars of a group's name.
    package static let nameLengths = 1...200

    private var lines: [String: Rights] = [:]

    private init(lines: [String: Rights]) { self.lines = lines }

    /// Where no table is given: whom the proxy names may look at everything, and change nothing. The least that signing in can mean.
    package static let everybodyLooks = SignInGroups(lines: [everybody: Rights(role: .viewer, scope: .all, groups: [everybody])])

    /// - Throws: the first line that is wrong; for a table without any line, line 1.
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

    /// Whether there is any line but the one for everybody.
    package var namesGroups: Bool { lines.keys.contains { $0 != Self.everybody } }

    /// What somebody in these groups may do; nil when no line of the table is about them.
    ///
    /// Of several lines the strongest role counts, for the apps of the lines that give it and for no other: a person has one role here, and must
    /// not get it for an app for which no line says so.
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

    /// The groups of a header's value: names with commas between. Unknown ones do no harm, and empty ones are none.
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
            throw Problem(text: "it is GROUP ROLE [APPS], with apps by commas and no blanks; a group with blanks stands in double quotes")
        }
        try Self.check(group)
        guard let role = Role(rawValue: words[1].text), !words[1].isQuoted else {
            throw Problem(
                text:
                    "\(Self.shown(words[1].text)) is no role; write \(Role.allCases.map(\.rawValue).joined(separator: ", ")) behind the group"
            )
        }
        let scope = words.count == 3 ? try Self.scope(words[2].text) : .all
        guard lines[group.text] == nil else {
            throw Problem(text: "\(Self.shown(group.text)) has a line already; write all of its apps in one, for a group has one role")
        }
        guard lines.count < Self.mostGroups else { throw Problem(text: "the table has more than \(Self.mostGroups) groups; name fewer") }
        lines[group.text] = Rights(role: role, scope: scope, groups: [group.text])
    }

    private static func check(_ group: (text: String, isQuoted: Bool)) throws(Problem) {
        let scalars = group.text.unicodeScalars
        // U+FFFD stands for bytes that were no UTF-8, of which there are many; a comma parts the groups of the header.
        let isSound =
            nameLengths.contains(scalars.count)
            && scalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0.value != 0xFFFD && $0 != "," }
            && scalars.first != " " && scalars.last != " "
        guard isSound else {
            throw Problem(
                text:
                    "a group's name has \(nameLengths.lowerBound) to \(nameLengths.upperBound) characters and no comma: the proxy parts groups by commas"
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
                throw Problem(text: "\(shown(String(key))) is no key of an app; write keys with commas between and no blanks, or * for all")
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
                    throw Problem(text: "a blank stands behind the closing quote")
                }
            } else {
                let word = rest.prefix { $0 != " " && $0 != "\t" }
                guard !word.contains("\"") else {
                    throw Problem(text: "a quote stands at the start and at the end of a group's name, or nowhere")
                }
                words.append((String(word), false))
                rest = rest[word.endIndex...]
            }
        }
    }

    /// Fit for a terminal.
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
