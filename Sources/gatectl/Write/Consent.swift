/// A yes that a command wants before it keeps somebody out, where the server itself asks for none.
struct Consent {
    let console: Console
    /// Whether `-y` was given.
    let isGiven: Bool

    /// - Parameters:
    ///   - question: without its mark.
    ///   - why: what becomes of it, as a sentence without its full stop.
    ///   - others: what could be typed instead.
    /// - Throws: the command with `-y` where nobody can be asked; declined.
    func require(_ question: String, because why: String, or others: [(label: String, text: String)] = []) throws(Failure) {
        guard !isGiven else { return }
        guard console.mayAsk else {
            let next = others + [("run", Invocation.command(adding: ["-y"]))]
            throw Failure(.confirmationNeeded, "confirmation_required", "\(why): nothing was changed", next: next)
        }
        guard console.agrees(question) else { throw Failure(.declined, "declined", "answered no: nothing was changed") }
    }
}
