import ArgumentParser

extension CommandConfiguration {
    /// A command that does something, below gatectl or one of its groups.
    init(leaf name: String, abstract: String, discussion: String, aliases: [String] = []) {
        self.init(commandName: name, abstract: abstract, discussion: discussion, aliases: aliases)
        // The parser takes a command that is parsed alone (``Gatectl/parsedAlone(_:)``) for a whole program, and looks first whether its
        // completion script is asked for, which is asked of gatectl. That is 1.3 of the 41 million instructions of `gatectl status`.
        _superCommandName = Gatectl._commandName
    }
}
