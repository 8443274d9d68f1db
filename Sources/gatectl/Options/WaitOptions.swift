import ArgumentParser

/// Whether a command goes on until phones have what it published.
struct WaitOptions: ParsableArguments {
    @Option(name: .long, help: "Wait until this share of the recent polls carries the change, such as 95%.") var wait: Share?
    @Option(name: .customLong("wait-limit"), help: "Wait no longer than this. Default: 5m.") var waitLimit: Span?

    func validate() throws {
        if waitLimit != nil, wait == nil { throw ValidationError("--wait-limit is the limit of --wait.") }
    }

    /// - Throws: usage for a dry run.
    func reachWait(_ write: WriteOptions) throws(Failure) -> ReachWait? {
        guard let wait else { return nil }
        if write.dryRun { throw Failure.usage("A dry run changes nothing, so there is nothing to wait for.") }
        return ReachWait(share: wait, limit: waitLimit ?? .fiveMinutes)
    }
}
