import ArgumentParser
import GateJSON
import GateModel

/// Which apps somebody may touch.
struct ScopeOptions: ParsableArguments {
    @Option(name: .customLong("app"), parsing: .singleValue, help: "Only this app; may be given again.") var apps: [String] = []
    @Flag(name: .customLong("all-apps"), help: "All apps, those that come later too.") var isEverything = false

    func validate() throws {
        if isEverything, !apps.isEmpty { throw ValidationError("--app and --all-apps exclude each other") }
    }
}

extension AppKey {
    /// - Throws: input refused (8) if no app can have that key.
    static func named(_ text: String) throws(Failure) -> AppKey {
        do { return try AppKey(validating: text) } catch { throw Failure(.refused, error.code, error.detail) }
    }
}
