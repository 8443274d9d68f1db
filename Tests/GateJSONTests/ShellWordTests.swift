import GateJSON
import Testing

@Suite struct ShellWordTests {
    /// A shell takes a command that is shown to be copied as it is meant.
    @Test(arguments: [
        ("shop", "shop"), ("a b", "'a b'"), ("", "''"), ("it's", #"'it'\''s'"#), ("'\u{301}; rm -rf /", "''\\''\u{301}; rm -rf /'"),
        ("$(x)", "'$(x)'"), ("é", "'é'"),
        ("2026-01-01T09:00:00+01:00", "2026-01-01T09:00:00+01:00"), ("a\nb", "'a\nb'"),
    ])
    func aWordIsQuotedForAShell(word: String, quoted: String) { #expect(word.asShellWord == quoted) }
}
