import ArgumentParser

/// What a write of a window takes, as ``RevisionOption`` for a target.
struct WindowRevisionOption: ParsableArguments {
    @Option(name: .customLong("if-revision"), help: "Only if the window is still at this revision, as schedule show --json says.")
    var ifRevision: Int?
}
