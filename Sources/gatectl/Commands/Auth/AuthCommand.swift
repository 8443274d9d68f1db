import ArgumentParser

struct AuthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "auth",
        abstract: "Sign in, sign out, and see who you are.",
        discussion: """
            login asks for name, password and code.

            EXAMPLES
              gatectl auth login --server https://gate.example.com
              gatectl auth login --with-token --server https://gate.example.com < token
              gatectl auth status
            """,
        subcommands: [AuthLoginCommand.self, AuthStatusCommand.self, AuthLogoutCommand.self]
    )
}
