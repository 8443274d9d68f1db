import GateAPI
import GateAdminClient
import GateJSON
import GateModel

/// Gets the reason and the confirmation that a plan asks for: from the options, else from whoever is at the terminal; else it fails.
struct Confirmation {
    let console: Console
    let options: WriteOptions
    /// How many targets the command names, and its verb as the phrase for several of them has it; nil if a file names them.
    var named: Named?
    /// Where the change is made, put before each question; nil if that has been said already.
    var place: String?

    struct Named {
        let verb: String
        let count: Int
    }

    /// `[production] `, for whoever has two windows open at night.
    private var prompt: String { place.map { "[\($0)] " } ?? "" }

    /// - Parameters:
    ///   - question: a yes/no question without its mark: "Block shop/ios".
    ///   - asksAlways: also for a plan that is not dangerous.
    /// - Returns: the terms to commit with.
    func terms(for plan: Plan, targets: [TargetBody], question: String, asksAlways: Bool) throws(Failure) -> WriteTerms {
        var terms = options.terms()
        let mayAsk = console.mayAsk
        if plan.reasonRequired, lacksReason { terms.reason = try reason(plan, mayAsk) }
        if let phrase = plan.confirm {
            terms.confirm = try typed(phrase, plan, mayAsk)
        } else if Self.wantsYes(plan, asksAlways) {
            try yes(question, plan, targets, mayAsk)
        } else if plan.warnings.contains(where: \.endsBlock) {
            try agree(question)
        }
        return terms
    }

    /// Asks whoever is at the terminal about something unusual; a script is not asked, nor is anybody who gave `-y`.
    func agree(_ question: String) throws(Failure) {
        guard !options.yes, console.mayAsk else { return }
        guard console.agrees(prompt + question) else { throw declined("answered no") }
    }

    private func reason(_ plan: Plan, _ mayAsk: Bool) throws(Failure) -> String {
        guard mayAsk else {
            // The whole command at once: after adding the reason, nobody should be sent away again for the confirmation.
            var addition = ["-r", "REASON"]
            if let phrase = plan.confirm, !isConfirmed(phrase) { addition += ["--confirm", phrase] }
            throw needed("reason_required", "this environment is protected: a reason is needed", addition, plan)
        }
        let reason = console.ask("\(prompt)Reason: ")?.trimmed ?? ""
        guard !reason.isEmpty else { throw declined("no reason was given") }
        return reason
    }

    private func typed(_ phrase: String, _ plan: Plan, _ mayAsk: Bool) throws(Failure) -> String {
        if let given = options.confirm {
            guard isConfirmed(phrase) else {
                throw needed(
                    "confirmation_required",
                    "--confirm \(given.asShellWord) is not what this asks for",
                    ["--confirm", phrase],
                    plan
                )
            }
            return given
        }
        guard mayAsk else {
            let why = options.yes ? "-y does not answer this: it wants \(phrase) typed" : "this needs a typed confirmation"
            throw needed("confirmation_required", why, ["--confirm", phrase], plan)
        }
        guard let answer = console.ask("\(prompt)Type \(console.err.tinted(phrase, .strong)) to confirm: ") else {
            throw declined("not confirmed")
        }
        guard accepts(answer, for: phrase) else { throw declined("that was not \(phrase)") }
        return answer
    }

    private func yes(_ question: String, _ plan: Plan, _ targets: [TargetBody], _ mayAsk: Bool) throws(Failure) {
        if isAgreed(plan, targets) { return }
        guard mayAsk else { throw needed("confirmation_required", "this needs a yes, and nobody can be asked", ["-y"], plan) }
        guard console.agrees(prompt + question) else { throw declined("answered no") }
    }

    private static func wantsYes(_ plan: Plan, _ asksAlways: Bool) -> Bool { plan.tier >= .block || (asksAlways && plan.tier > .none) }

    /// Whether the options answer a yes/no question. Of several targets that were confirmed, others may have been done meanwhile.
    private func isAgreed(_ plan: Plan, _ targets: [TargetBody]) -> Bool {
        if options.yes { return true }
        let left = plan.diff.isEmpty ? targets.map(\.target.key) : Array(Set(plan.diff.map(\.target)))
        let phrase = left.count == 1 ? left[0].description : named.map { ConfirmationPhrase.many($0.verb, left.count) }
        return phrase.map(isConfirmed) ?? false
    }

    private var lacksReason: Bool { (options.reason ?? "").allSatisfy(\.isWhitespace) }

    /// Whether the options confirm what a plan asks for.
    private func isConfirmed(_ phrase: String) -> Bool { options.confirm.map { accepts($0, for: phrase) } ?? false }

    private func accepts(_ typed: String, for phrase: String) -> Bool {
        ConfirmationPhrase.accepts(typed, for: phrase, verb: named?.verb, named: named?.count)
    }

    private func declined(_ why: String) -> Failure { Failure(.declined, "declined", "\(why): nothing was changed") }

    private func needed(_ code: String, _ message: String, _ addition: [String], _ plan: Plan) -> Failure {
        let command = Invocation.command(adding: addition)
        var failure = Failure(.confirmationNeeded, code, "\(message): nothing was changed", next: [("run", command)])
        failure.command = command
        failure.plan = plan
        return failure
    }
}

extension Confirmation {
    /// The last line of a dry run: that it was one, and what to add to make the change.
    func drySentence(_ plan: Plan, targets: [TargetBody], asksAlways: Bool = false) -> String {
        var wants: [String] = []
        if let phrase = plan.confirm {
            if !isConfirmed(phrase) { wants.append("--confirm \(phrase.asShellWord)") }
        } else if Self.wantsYes(plan, asksAlways), !isAgreed(plan, targets) {
            wants.append("-y")
        }
        if plan.reasonRequired, lacksReason { wants.append("-r REASON") }
        return "Dry run: nothing was written. Tier \(plan.tier.rawValue)"
            + (wants.isEmpty ? "." : "; to do it: \(wants.joined(separator: " "))")
    }
}
