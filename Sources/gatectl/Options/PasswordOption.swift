import ArgumentParser

/// A new password: a line of standard input, or typed twice. Never an argument, which every program on the machine can read.
struct PasswordOption: ParsableArguments {
    @Flag(name: .customLong("password-stdin"), help: "Read the password, one line, from standard input.") var fromInput = false

    func read(for name: String, _ console: Console) throws(Failure) -> String {
        if fromInput {
            guard let line = readLine(strippingNewline: true), !line.isEmpty else {
                throw Failure.usage("standard input holds no password")
            }
            return line
        }
        guard console.mayAsk else {
            throw Failure(
                .confirmationNeeded,
                "password_needed",
                "a password is needed, and nobody can be asked: nothing was changed",
                next: [("run", Invocation.command(adding: ["--password-stdin"]) + " < password-file")]
            )
        }
        guard let first = console.askSecretly("Password for \(Style.safe(name)): "), !first.isEmpty,
            let second = console.askSecretly("Again: ")
        else { throw Failure(.declined, "declined", "no password was given: nothing was changed") }
        guard first == second else { throw Failure(.declined, "declined", "the two are not the same: nothing was changed") }
        return first
    }
}
