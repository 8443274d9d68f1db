import ArgumentParser

struct CompletionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        leaf: "completion",
        abstract: "Print a completion script for bash, zsh or fish, with the names of your apps.",
        discussion: """
            EXAMPLES
              source <(gatectl completion bash)
              gatectl completion zsh > "${fpath[1]}/_gatectl"
              gatectl completion fish > ~/.config/fish/completions/gatectl.fish
            """
    )

    enum Shell: String, ExpressibleByArgument, CaseIterable { case bash, zsh, fish }

    @Argument(help: "bash, zsh or fish.") var shell: Shell

    func run() async throws {
        let shell: CompletionShell =
            switch self.shell {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        let console = Console(format: .table, environment: ProcessEnvironment.variables)
        console.bytes(Array((Gatectl.completionScript(for: shell) + "\n").utf8))
        try console.end()
    }
}
