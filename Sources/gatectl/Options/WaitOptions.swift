import ArgumentParser

/// Whether a command waits until phones have what it published.
struct WaitOptions: ParsableArguments {
    @Option(name: .long, help: "Wait until this share of the recent polls carries the change, such as 95%.") var wait: Share?
    @Option(name: .customLong("wait-limit"), help: "Wait no longer than this. Default: 5m.") var waitLimit: Span?

    func validate() throws {
        if waitLimit != nil, wait == nil { throw ValidationError("--wait-limit needs --wait.") }
    }

    /// - Throws: wrong usage for a dry run.
    func check(with write: WriteOptions) throws {
        if wait != nil, write.dryRun { throw ValidationError("A dry run changes nothing, so there is nothing to wait for.") }
    }
}
