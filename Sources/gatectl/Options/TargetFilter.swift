import ArgumentParser

/// `shop ios`, each of them optional: what a read is narrowed to.
struct TargetFilter: ParsableArguments {
    @Argument(help: "Only this app, or all. Default: the \"app\" of the project's .gatectl.json, else all.", completion: LiveNames.apps)
    var app: String?

    @Argument(
        help: "Only this platform of it, several with commas, or all.",
        completion: LiveNames.platforms
    )
    var platform: String?
}

extension TargetFilter {
    /// This filter, or where it names no app the app of the project that the command is typed in. Not for a write, which must never reach
    /// an app that nobody typed.
    func inProject(_ console: Console) -> TargetFilter {
        // Losing the error is safe: then all apps are shown. Whoever needs the context that the file names reports it.
        guard app == nil, let project = try? ProjectFile.find(from: FileSystem.workingFolder), let own = project.app else { return self }
        console.note("Only \(own), the app of \(Style.safe(project.path)); name another, or all.")
        var filter = self
        filter.app = own
        return filter
    }
}
