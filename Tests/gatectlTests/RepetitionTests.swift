import GateModel
import Testing

@testable import gatectl

/// What may be typed after a write that was not made, or whose outcome is unknown.
@Suite struct RepetitionTests {
    private static let key = TargetKey("shop/ios")!
    private static let rollback = Repetition.instead(adding: ["--to", "8"], without: ["--last"])

    @Test(
        arguments: [
            (.same, ["kill", "shop", "all"], 9, ["gatectl diff shop ios 9 10", Repetition.looksAnew]),
            (.revision, ["kill", "shop", "ios"], 9, ["gatectl diff shop ios 9 10", "repeat your command with --if-revision 10"]),
            (.revision, ["kill", "shop", "ios"], nil, ["gatectl history shop ios", "repeat your command with --if-revision 10"]),
            (.revision, ["kill", "shop", "ios"], 99, ["gatectl history shop ios", "repeat your command with --if-revision 10"]),
            (.revision, ["kill", "shop", "ios"], 0, ["gatectl history shop ios", "repeat your command with --if-revision 10"]),
            (
                rollback, ["rollback", "shop", "ios", "--last", "--if-revision", "9"], 9,
                ["gatectl diff shop ios 9 10", "to take that back too: gatectl rollback shop ios --to 8 --if-revision 10"]
            ),
            (
                .revision, ["kill", "shop", "ios", "--context", "dev"], 9,
                ["gatectl diff shop ios 9 10 --context dev", "repeat your command with --if-revision 10"]
            ),
            (
                .file, ["apply", "-f", "a b.json"], nil,
                ["gatectl history shop ios", "export again, or apply it all the same: gatectl apply -f 'a b.json' --ignore-revisions"]
            ),
        ] as [(Repetition, [String], Int?, [String])]
    )
    func whereSomebodyWasFasterItIsSaidWhatMeansTheSame(_ repetition: Repetition, typed: [String], seen: Int?, next: [String]) {
        #expect(repetition.afterChange(of: Self.key, from: seen, to: 10, ["gatectl"] + typed).map(\.text) == next)
    }

    @Test func whatMeansSomethingElseLaterIsSaidInOtherWords() {
        #expect(Self.rollback.afterUnknown(["gatectl", "rollback", "shop", "ios", "--last"]) == "gatectl rollback shop ios --to 8")
        #expect(Repetition.same.afterUnknown() == nil)
    }

    @Test(arguments: [
        ("POST /api/v1/changes", "gatectl status", true), ("POST /api/v1/apply", "gatectl status", true),
        ("PUT /api/v1/apps/shop/platforms/ios", "gatectl apps list", true), ("POST /api/v1/windows", "gatectl schedule list", false),
        ("POST /api/v1/windows/12/run", "gatectl schedule show 12", false),
        ("DELETE /api/v1/windows/12", "gatectl schedule show 12", false),
        ("POST /api/v1/tokens", "gatectl tokens list", false), ("POST /api/v1/users/ann/invitation", "gatectl users list", false),
        ("POST /api/v1/rehearsals", "gatectl rehearse list", false), ("POST /api/v1/backups", "gatectl backup list", false),
        ("POST /api/v1/account/totp", "gatectl audit", false),
    ])
    func anUnknownOutcomeIsLookedForWhereItWouldBe(request: String, look: String, isSafe: Bool) {
        let advice = UnknownOutcome.advice(about: request)
        #expect(advice.hasPrefix(look + (isSafe ? "," : " ")))
        #expect(advice.contains("repeating is safe") == isSafe)
    }
}
