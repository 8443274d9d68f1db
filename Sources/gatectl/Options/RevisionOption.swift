import ArgumentParser

/// What a write of one target takes besides ``WriteOptions``.
struct RevisionOption: ParsableArguments {
    @Option(name: .customLong("if-revision"), help: "Only if the target is still at this revision.")
    var ifRevision: Int?
}

/// The same for a write of a window.
struct WindowRevisionOption: ParsableArguments {
    @Option(name: .customLong("if-revision"), help: "Only if the window is still at this revision, as schedule show --json says.")
    var ifRevision: Int?
}
