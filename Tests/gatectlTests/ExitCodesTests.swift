import ArgumentParser
import GateAPI
import GateAdminClient
import Testing

@testable import gatectl

/// The table that scripts rely on.
struct ExitCodesTests {
    /// The numbers are exactly those of `ux.md` 2.3.
    @Test func theCodesAreThoseOfTheTable() {
        let table: [(Int32, Exit)] = [
            (0, .done), (1, .other), (2, .declined), (3, .confirmationNeeded), (4, .notAllowed), (5, .changedMeanwhile), (6, .notFound),
            (7, .noAnswer), (8, .refused),
            (10, .different), (64, .usage), (130, .interrupted),
        ]
        #expect(table.map { $0.1 } == Exit.allCases)
        for (number, exit) in table { #expect(exit.rawValue == number) }
    }

    @Test(arguments: [
        (400, "", Exit.refused), (409, "exists", .refused), (413, "", .refused), (415, "", .refused), (422, "invalid_version", .refused),
        (401, "", .notAllowed), (403, "", .notAllowed),
        (404, "", .notFound), (412, "stale", .changedMeanwhile), (428, "", .changedMeanwhile), (429, "", .other), (500, "", .other),
        (503, "starting", .other), (0, "", .other),
        (422, "reason_required", .confirmationNeeded), (422, "confirmation_required", .confirmationNeeded),
    ])
    func aRefusalOfTheServerHasItsCode(status: Int, code: String, exit: Exit) {
        #expect(Exit(status: status, code: code) == exit)
    }

    @Test func bothHelpTextsNameEveryCode() throws {
        let topic = try #require(HelpTopic.all.first { $0.name == "exit-codes" }).text
        let help = Gatectl.helpMessage()
        for exit in Exit.allCases {
            #expect(topic.contains("\n  \(exit.rawValue) "), "\(exit)")
            #expect(help.contains("  \(exit.rawValue) \(exit.summary)") || help.contains(" \(exit.rawValue) \(exit.summary)\n"), "\(exit)")
        }
        #expect(help.contains("  0 done, or nothing to do       6 not found\n"))
        #expect(help.contains("  5 changed meanwhile            130 interrupted\n"))
    }
}
