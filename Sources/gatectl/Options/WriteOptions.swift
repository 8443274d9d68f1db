import ArgumentParser
import GateAPI
import GateAdminClient
import GateModel

/// The options of every write.
struct WriteOptions: ParsableArguments {
    @Option(name: [.short, .long], help: "Why; kept in the history. Needed where the environment is protected.")
    var reason: String?

    @Flag(name: [.customShort("n"), .long], help: "Show what would be done and write nothing.")
    var dryRun = false

    @Flag(name: [.short, .long], help: "Answer yes to yes/no questions. Typed confirmations still need --confirm.")
    var yes = false

    @Option(name: .long, help: "The text a confirmation asks for, such as shop/ios or \"kill 2 targets\".")
    var confirm: String?

    @Option(name: .customLong("accept"), parsing: .singleValue, help: "Override a refusal by its code, such as text_order. Repeatable.")
    var accept: [String] = []

    func terms(dryRun: Bool = false) -> WriteTerms { WriteTerms(reason: reason, confirm: confirm, dryRun: dryRun, accept: accept) }
}

extension WriteOptions {
    /// Those of a command that has no refusals to override. No initializer, for which the compiler would take its own, whose result cannot
    /// be read.
    static func given(reason: String?, dryRun: Bool, yes: Bool, confirm: String?) -> WriteOptions {
        var options = WriteOptions()
        options.reason = reason
        options.dryRun = dryRun
        options.yes = yes
        options.confirm = confirm
        options.accept = []
        return options
    }
}
