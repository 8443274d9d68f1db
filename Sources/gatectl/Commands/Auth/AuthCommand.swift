import ArgumentParser

struct AuthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "auth",
        abstract: "Sign in, sign out, and see who you are.",
        discussion: """
            EXAMPLES
              gatectl auth login --server https://gate.example.com      asks for name and password
              gatectl auth login --with-token --server https://gate.example.com < token
              gatectl auth status
            """,
        subcommands: [AuthLoginCommand.self, AuthStatusCommand.self, AuthLogoutCommand.self]
    )
}
