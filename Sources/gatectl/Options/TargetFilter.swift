import ArgumentParser

/// `shop ios`, each of them optional: what a read is narrowed to.
struct TargetFilter: ParsableArguments {
    @Argument(help: "Only this app, or all.", completion: LiveNames.apps)
    var app: String?

    @Argument(
        help: "Only this platform of it, several with commas, or all.",
        completion: LiveNames.platforms
    )
    var platform: String?
}
