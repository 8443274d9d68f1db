package import GateModel

/// The only way for people to change anything that alters a feed: plan, commit, publish.
///
/// Thread-safe. The ``Ledger`` holds what is in force, and decides the order of writers.
package struct ChangeService: Sendable {
    package let ledger: Ledger

    package init(ledger: Ledger) { self.ledger = ledger }

    /// Plans a command and, unless it is a dry run, carries it out.
    ///
    /// - Parameters:
    ///   - idempotency: if it was used before with the same request, that answer is returned and nothing happens.
    ///   - answer: makes the answer that is stored under the key; called before the commit, because both are written together, and again
    ///     for a plan that was overtaken.
    /// - Returns: the answer, new or repeated.
    /// - Throws: ``ServiceError``; then nothing was written and no feed has changed.
    package func submit(
        _ command: Command,
        terms: WriteTerms,
        by caller: Caller,
        idempotency: IdempotencyKey?,
        answer: @escaping (Outcome) -> Answer
    ) throws(ServiceError) -> Answer {
        try caller.requireFor(command)
        return try ledger.submit(
            SubmittedChange(ledger: ledger, command: command, terms: terms, caller: caller, idempotency: idempotency, answer: answer)
        )
    }
}
