import GateModel

extension WriteTerms {
    /// The reason as it is stored, with a note of the accepted warnings; nil for none.
    ///
    /// Also checks that the write meets the demands of its plan. A dry run need not meet them, but is refused a reason that the write
    /// would be refused.
    /// - Parameters:
    ///   - named: how many targets the command names; nil if that is not known.
    ///   - window: the window being run. Its own reason is used when none is given; that reason was cleaned when the window was made, and
    ///     notes what was accepted then.
    /// - Throws: `invalid_reason`; `reason_required` and `confirmation_required`, with the plan.
    func cleanReason(
        for plan: Plan,
        accepted: [String],
        named: Int? = nil,
        orAs window: Window? = nil
    ) throws(ServiceError) -> String? {
        var reason: String?
        if let text = self.reason, !text.allSatisfy(\.isWhitespace) {
            do { reason = try MessageText.cleaned(text, field: "/reason") } catch {
                throw ServiceError(
                    .invalid,
                    "invalid_reason",
                    "A reason has at most \(Message.lengths.upperBound) characters and no control characters.",
                    field: "/reason"
                )
            }
        }
        let isWindows = reason == nil && window != nil
        if let window, isWindows { reason = window.reason }
        if !dryRun, plan.reasonRequired, reason == nil {
            throw ServiceError(
                .reasonRequired,
                "reason_required",
                "This environment is protected: say why in \"reason\".",
                field: "/reason"
            ).with(\.plan, plan)
        }
        if !dryRun, let phrase = plan.confirm,
            !(confirm.map { ConfirmationPhrase.accepts($0, for: phrase, verb: plan.verb, named: named) } ?? false)
        {
            let given = confirm == nil ? "" : ", exactly"
            throw ServiceError(
                .confirmationRequired,
                "confirmation_required",
                "To go on, put \"\(phrase)\" in \"confirm\"\(given).",
                field: "/confirm"
            ).with(\.plan, plan)
        }
        let untold = accepted.filter { !isWindows || window?.accept.contains($0) != true }
        guard !untold.isEmpty else { return reason }
        return [reason, "(accepted: \(untold.joined(separator: ", ")))"].compactMap { $0 }.joined(separator: " ")
    }
}
