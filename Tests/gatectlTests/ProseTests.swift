import Testing

@testable import gatectl

/// Fits sentences into a terminal's columns.
@Suite struct ProseTests {
    static let sentence = "  warning: Prince of Versions knows no kill switch, so apps that use it stay open."

    @Test(
        arguments: [
            (sentence, nil, [sentence]), (sentence, sentence.count, [sentence]),
            (
                sentence, 50,
                ["  warning: Prince of Versions knows no kill", "    switch, so apps that use it stay open."]
            ),
            (
                sentence, 40,
                ["  warning: Prince of Versions knows no", "    kill switch, so apps that use it", "    stay open."]
            ),
            // A terminal that is too narrow for words breaks lines itself; so it does with a line in colours.
            (sentence, 39, [sentence]), ("\u{1B}[31m" + sentence, 50, ["\u{1B}[31m" + sentence]),
            // A word may fill its line exactly, or get a longer line of its own.
            (
                "  see https://gate.example.com/a/very/long/address/of/a/feed for more", 40,
                ["  see", "    https://gate.example.com/a/very/long/address/of/a/feed", "    for more"]
            ),
            (String(repeating: "x", count: 90), 40, [String(repeating: "x", count: 90)]),
            (String(repeating: "x", count: 40) + " y", 40, [String(repeating: "x", count: 40), "  y"]),
            (String(repeating: " ", count: 90), 40, [""]), ("", 40, [""]), (sentence + "   ", sentence.count, [sentence]),
            // Words set apart by two spaces stay so, unless the line ends there.
            (
                "    shop/android  Gandalf 1: nothing → blocked  and so on", 40,
                ["    shop/android  Gandalf 1: nothing →", "      blocked  and so on"]
            ),
        ] as [(String, Int?, [String])]
    )
    func linesBreakBetweenWords(line: String, width: Int?, lines: [String]) {
        #expect(Prose.wrapped(line, width: width) == lines)
    }
}
