import GateModel

/// A variable of the environment that begins as this program's do and that neither it nor anything of the project knows. It has no effect,
/// which nobody would notice: misspelt, `GATEHOUSE_PROTECTED` protects nothing.
struct UnknownVariable {
    let name: String
    /// The variable of `serve` that is spelt nearly so; nil where none is.
    let meant: String?

    /// Those of the other commands.
    private static let ofCommands = ["username", "token", "out", "from", "key", "encrypt-to", "anchor"].map(OptionSources.variable)
    /// Those of the Debian package, of the builds and of the tests.
    private static let ofScripts = [
        "UPGRADE_WITHOUT_BACKUP", "BACKUPS", "BIN", "PROGRAMS", "TEST_ENGINE", "OWN_TOKEN", "FUZZ", "SERVER_ON_MACOS",
    ].map { prefix + $0 }
    private static let ofServe = (OptionSources.names + ["config"]).map(OptionSources.variable) + [KeysSecret.variable]
    private static let prefix = "GATEHOUSE_"

    /// - Parameter names: of all variables that are set. Their values are nobody's business here: one may be a secret.
    /// - Returns: sorted by name.
    static func all(among names: some Sequence<String>) -> [UnknownVariable] {
        let ours = names.filter { $0.hasPrefix(prefix) }
        let services = ours.filter { $0.hasSuffix("_SERVICE_HOST") }.map { $0.dropLast("SERVICE_HOST".count) }
        let known = Set(ofServe + ofCommands + ofScripts)
        return ours.filter { name in !known.contains(name) && !services.contains { isOfService($0, name) } }.sorted().map { name in
            UnknownVariable(
                name: name,
                meant: NearestName.nearest(to: String(rest(name).prefix(100)), among: ofServe.map(rest)).map { prefix + $0 }
            )
        }
    }

    private static func rest(_ name: String) -> String { String(name.dropFirst(prefix.count)) }

    /// Whether Kubernetes puts a variable into every container of a namespace that has a Service, such as `gatehouse` or `gatehouse-feeds`:
    /// those of the form that it makes itself, and those that it took over from Docker.
    /// - Parameter service: `GATEHOUSE_`, `GATEHOUSE_FEEDS_`.
    private static func isOfService(_ service: Substring, _ name: String) -> Bool {
        guard name.hasPrefix(service) else { return false }
        return name.dropFirst(service.count).wholeMatch(
            of: /SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT(?:_[0-9]+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?/
        ) != nil
    }
}
