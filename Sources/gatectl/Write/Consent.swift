/// A yes that a command asks for before it keeps somebody out, where the server itself asks for none.
struct Consent {
    let console: Console
    /// Whether `-y` was given.
    let isGiven: Bool

    /// - Parameters:
    ///   - question: without its question mark.
    ///   - why: what will happen, as a sentence without its full stop.
    ///   - others: what could be typed instead.
    /// - Throws: confirmation needed (3), with the command to run, if nobody can be asked; declined (2) if the answer is no.
    func require(_ question: String, because why: String, or others: [(label: String, text: String)] = []) throws(Failure) {
        guard !isGiven else { return }
        guard console.mayAsk else {
            let next = others + [("run", Invocation.command(adding: ["-y"]))]
            throw Failure(.confirmationNeeded, "confirmation_required", "\(why): nothing was changed", next: next)
        }
        guard console.agrees(question) else { throw Failure(.declined, "declined", "answered no: nothing was changed") }
    }
}
