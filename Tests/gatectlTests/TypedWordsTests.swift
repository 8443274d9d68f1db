import Testing

@testable import gatectl

/// A command line as people type it.
@Suite struct TypedWordsTests {
    /// Options stand anywhere, each with its value; `shop/ios` is `shop ios`.
    @Test(arguments: [
        ("kill shop/ios -m x", "kill shop ios -m x"), ("-r INC-1 kill shop ios", "kill shop ios -r INC-1"),
        ("-m x -n kill shop/ios", "kill shop ios -m x -n"), ("--confirm shop/ios kill shop ios", "kill shop ios --confirm shop/ios"),
        ("-f gates.json apply --prune", "apply -f gates.json --prune"), ("kill -qy shop/ios -m a/b", "kill shop ios -qy -m a/b"),
        ("kill -qr INC-1 shop/ios", "kill shop ios -qr INC-1"), ("reach shop/ios", "reach shop ios"),
        ("rehearse shop/ios -f g.json", "rehearse shop ios -f g.json"), ("rehearse start shop/ios", "rehearse start shop ios"),
        ("rehearse -f g.json shop/ios", "rehearse shop ios -f g.json"), ("rehearse show a/b", "rehearse show a/b"),
        ("schedule list shop/ios", "schedule list shop/ios"), ("--json schedule list", "schedule list --json"),
        ("schedule --json add shop/ios -- kill -m a/b", "schedule add shop ios --json -- kill -m a/b"),
        ("-n schedule add shop/ios -- kill -m x", "schedule add shop ios -n -- kill -m x"),
        // One server and one answer, wherever in the line they are named; the rest is the action's own.
        ("schedule add a b -- kill -m x --context dev", "schedule add a b --context dev -- kill -m x"),
        ("schedule add a/b -y -- --json kill -o=plain -m --utc -q", "schedule add a b -y --json -o=plain -q -- kill -m --utc"),
        ("schedule add a b -- kill --timeout 9s -r x -qm y", "schedule add a b --timeout 9s -- kill -r x -qm y"),
        ("schedule add a b -- kill -m x -- --json", "schedule add a b -- kill -m x -- --json"),
        ("kill a b -- --json", "kill a b -- --json"), ("schedule add a b --", "schedule add a b --"),
        ("--json help break-glass", "help break-glass --json"), ("apply -f - -n", "apply -f - -n"),
        ("--context=prod status shop/ios", "status shop ios --context=prod"), ("status shop/", "status shop/"), ("status", "status"),
        ("--json", "--json"), ("kill shop ios -m", "kill shop ios -m"), ("-- kill", "-- kill"),
        ("simulate --version 4.1 shop/ios", "simulate shop ios --version 4.1"), ("--version", "version"),
        ("--json --version", "version --json"), ("--version kill shop ios", "kill shop ios --version"),
        ("---completion kill -- x", "---completion kill -- x"),
    ])
    func optionsStandAnywhere(typed: String, words: String) {
        #expect(TypedWords(typed.split(separator: " ").map(String.init)).words.joined(separator: " ") == words)
    }

    private static let alone = "--version stands alone: gatectl --version shows the version of gatectl"

    /// Naming a required version with an option is a mistake, not a question about gatectl.
    @Test(
        arguments: [
            ("require shop ios --version 4.2.0 -m x", "the version comes after the platform: gatectl require shop ios 4.2.0 -m x"),
            ("require shop/ios -m x --min=4.2.0", "the version comes after the platform: gatectl require shop ios -m x 4.2.0"),
            ("suggest --version 4.3 shop ios", "the version comes after the platform: gatectl suggest shop ios 4.3"),
            ("kill shop ios -m x --version", alone), ("--version kill shop ios", alone), ("kill shop ios --min 3", nil),
            ("simulate shop ios --version 4.1", nil), ("schedule add shop ios -- require --version 4", nil),
        ] as [(String, String?)]
    )
    func aVersionIsNoOption(typed: String, said: String?) {
        #expect(MistakenOption.explained(TypedWords(typed.split(separator: " ").map(String.init)).words, "Some complaint.") == said)
    }

    @Test func otherNamesOfOptionsAreKnown() {
        #expect(
            MistakenOption.explained(["kill", "shop", "ios", "--msg", "x"], "Unknown option '--msg'")
                == "there is no option --msg. Did you mean --message?"
        )
        #expect(MistakenOption.explained(["kill", "--bogus"], "Unknown option '--bogus'") == nil)
    }
}
