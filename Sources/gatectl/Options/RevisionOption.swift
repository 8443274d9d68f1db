import ArgumentParser

/// What a write of one target takes besides ``WriteOptions``.
struct RevisionOption: ParsableArguments {
    @Option(name: .customLong("if-revision"), help: "Only if the target is still at this revision.")
    var ifRevision: Int?
}
